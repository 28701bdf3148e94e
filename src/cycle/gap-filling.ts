/** Gap filling: the value of a sparse metric in a cycle without a sample (spec/samples §7). */

import type { SparseStrategy } from "../model/element.ts"

/** Statistics over all values that a metric ever had; NaN before the first value. */
export interface ValueHistory {
  readonly min: number
  readonly max: number
  readonly last: number
}

/** The value that the strategy fills in, or NaN if it has none. */
export function gapFillValue(strategy: SparseStrategy, history: ValueHistory): number {
  switch (strategy) {
    case "None":
      return NaN
    case "ReplaceWithZero":
      return 0
    case "ReplaceWithHistoricalMin":
      return history.min
    case "ReplaceWithHistoricalMax":
      return history.max
    case "ReplaceWithLast":
      return history.last
  }
}
