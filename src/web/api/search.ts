/** Search over everything that has a name, and over values (spec/search §1, spec/search §6). */

import type { ApiClient } from "./client.ts"
import {
  searchAnswer,
  valuesAnswer,
  type FoundValues,
  type SearchKind,
  type SearchResults,
} from "./search-answer.ts"

/** Characters that the server searches for. */
export const searchLengthMax = 200

export function search(
  api: ApiClient,
  asked: { readonly q: string; readonly kinds: readonly SearchKind[]; readonly limit: number },
  signal: AbortSignal,
): Promise<SearchResults> {
  const query = { q: asked.q, kinds: asked.kinds.join(","), limit: asked.limit }
  return api.call({ path: ["search"], query, schema: searchAnswer, signal })
}

/** `field`: as in the filter language, `tag` and `attr` for the names that there are. */
export function searchValues(
  api: ApiClient,
  asked: { readonly field: string; readonly q: string; readonly limit: number },
  signal: AbortSignal,
): Promise<FoundValues> {
  return api.call({ path: ["search", "values"], query: asked, schema: valuesAnswer, signal })
}
