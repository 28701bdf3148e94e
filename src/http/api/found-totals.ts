/** Totals of an answer that lists a part of the records that match. */

import { described, flag, optional, wholeNumber } from "../../wire/answer.ts"

export const totalFields = {
  total: described(optional(wholeNumber), "All that match, if it was asked for"),
  isPartial: described(
    optional(flag),
    "True if there are more than were looked at, in two seconds at most",
  ),
}

/** The total if it was asked for, and with it, or if it is true, whether the search is partial. */
export function totalsOf({
  total,
  isPartial,
}: {
  readonly total: number | null
  readonly isPartial: boolean
}): { readonly total?: number; readonly isPartial?: boolean } {
  if (total !== null) return { total, isPartial }
  return isPartial ? { isPartial } : {}
}
