/** Links to Explore with one query about an element. */

import { printAddress } from "../../url/address.ts"
import { printFilter } from "../../url/filter-language.ts"
import { emptyQuery, writeQueries } from "../explore/query-codec.ts"

/** `metric`: a name, or a text with `*` for any part. */
export function exploreAddress(of: {
  readonly metric: string
  readonly elementFqn: string
}): string {
  const values = [{ text: of.elementFqn, match: "equal" } as const]
  const where = printFilter([{ isNot: false, field: { kind: "fqn" }, values }])
  const query = { ...emptyQuery, metric: of.metric, where }
  return printAddress(["explore"], writeQueries(new URLSearchParams(), [query]))
}
