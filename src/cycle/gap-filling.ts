/** Sparse filling: what a metric without a sample in a cycle gets instead (spec/samples §7). */

import type { SparseStrategy } from "../model/element.ts"

/** What is remembered of a metric's values for life; NaN where there was none yet. */
export interface ValueHistory {
  readonly min: number
  readonly max: number
  readonly last: number
}

/** The filling, or NaN where the strategy has none to give. */
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
