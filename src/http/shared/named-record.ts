/** A record as searches keep it, without the rest of its document. */

import type { SearchableText } from "../../query/query.ts"
import type { Caller } from "../../records/core/caller.ts"
import type { FoundItem } from "../../wire/search/search-answer.ts"

export interface NamedRecord extends SearchableText<FoundItem> {
  readonly isVisible: (caller: Caller) => boolean
}
