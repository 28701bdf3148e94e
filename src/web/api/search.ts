/** Search over everything that has a name (spec/search §1). */

import type { ApiClient } from "./client.ts"
import { searchAnswer, type SearchKind, type SearchResults } from "./search-answer.ts"

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
