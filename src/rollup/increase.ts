/**
 * Increase of a counter over its values in order (spec/samples §6):
 *
 *   values   100   110     0    10
 *   steps       10     0    10        20 in all
 *
 * A drop is a restart from 0: the value after it is what was counted since. If the counter wraps, a
 * drop is a wrap at 2^32, or at 2^64 from a value beyond the former: 2^32 - 5, 3 is a step of 8.
 */

import { exactSum } from "./sum.ts"

export function hasDrop(values: Float64Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (values[i]! < values[i - 1]!) return true
  return false
}

/** Returns the sum of the steps of `values[from..to)`: between two drops they add up to one. */
export function increaseOver(
  values: Float64Array,
  from: number,
  to: number,
  doesWrap: boolean,
): number {
  const terms = [-values[from]!]
  for (let i = from + 1; i < to; i++) {
    const [before, after] = [values[i - 1]!, values[i]!]
    if (after < before) terms.push(doesWrap ? wrappedAt(before, after) : before)
  }
  terms.push(values[to - 1]!)
  return exactSum(Float64Array.from(terms), 0, terms.length)
}

/** The number at which a counter began at 0 again; `before` for a restart. */
function wrappedAt(before: number, after: number): number {
  // No counter of 64 bits has such values.
  if (after < 0 || before >= 2 ** 64) return before
  return before < 2 ** 32 ? 2 ** 32 : 2 ** 64
}
