/**
 * Increase of a counter over its values in order (spec/samples §6):
 *
 *   values   100   110     0    10
 *   steps       10     0    10        20 in all
 *
 * A drop is a restart from 0: the value after it is what was counted since.
 */

import { exactSum } from "./sum.ts"

export function hasDrop(values: Float64Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (values[i]! < values[i - 1]!) return true
  return false
}

/** Returns the sum of the steps of `values[from..to)`: between two drops they add up to one. */
export function increaseOver(values: Float64Array, from: number, to: number): number {
  const terms = [-values[from]!]
  for (let i = from + 1; i < to; i++) {
    if (values[i]! < values[i - 1]!) terms.push(values[i - 1]!)
  }
  terms.push(values[to - 1]!)
  return exactSum(Float64Array.from(terms), 0, terms.length)
}
