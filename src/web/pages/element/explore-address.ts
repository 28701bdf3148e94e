/** Links to Explore with one query about an element. */

import { printAddress } from "../../url/address.ts"
import { emptyQuery, writeQueries } from "../explore/query-codec.ts"

/** `metric`: a name, or a text with `*` for any part. */
export function exploreAddress(of: {
  readonly metric: string
  readonly elementFqn: string
}): string {
  const where = `fqn:"${of.elementFqn}"`
  const query = { ...emptyQuery, metric: of.metric, where }
  return printAddress(["explore"], writeQueries(new URLSearchParams(), [query]))
}
