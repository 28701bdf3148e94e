/**
 * Sums and averages that do not depend on the order of decimals: 0.1 + 0.2 is 0.3 here.
 *
 * Where all values are whole numbers of 10^-k, they are added as whole numbers and divided once, so
 * the result is the double nearest to the true sum. Where not, Neumaier's compensated summation in
 * the given order is used (Zeitschrift für Angewandte Mathematik und Mechanik 54, 1974).
 */

import { decimalScale, powersOfTen } from "../codec/decimal.ts"

/** Sum of `values[from..to)`; never NaN, at most ±1.8e308. */
export function exactSum(values: Float64Array, from: number, to: number): number {
  const scale = decimalScale(values, from, to)
  return scaledSum(values, from, to, scale)
}

/** The same where the decimal scale (or -1) is known. */
export function scaledSum(values: Float64Array, from: number, to: number, scale: number): number {
  if (scale < 0) return compensatedSum(values, from, to)
  const power = powersOfTen[scale]!
  let sum = 0
  let size = 0
  for (let i = from; i < to; i++) {
    const integer = Math.round(values[i]! * power)
    sum += integer
    size += integer < 0 ? -integer : integer
  }
  return size <= Number.MAX_SAFE_INTEGER ? sum / power : compensatedSum(values, from, to)
}

/** Neumaier's sum of `values[from..to)`. */
export function compensatedSum(values: Float64Array, from: number, to: number): number {
  let sum = 0
  let lost = 0
  for (let i = from; i < to; i++) {
    const value = values[i]!
    const next = sum + value
    const sumIsLarger = (sum < 0 ? -sum : sum) >= (value < 0 ? -value : value)
    lost += sumIsLarger ? sum - next + value : value - next + sum
    sum = next
  }
  const total = sum + lost
  return Number.isFinite(total) ? total : overflowedSum(values, from, to)
}

/** Sums that leave the doubles on their way: in 64 bits less, then held at the largest double. */
function overflowedSum(values: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += values[i]! * 2 ** -64
  return clampToFinite(sum * 2 ** 64)
}

/** True of a sum that left the doubles and is held at the largest one: it has no average any more. */
export function isOverflowed(sum: number): boolean {
  return sum === Number.MAX_VALUE || sum === -Number.MAX_VALUE
}

/**
 * The average of `values[from..to)`, each `counts[i]` times, where their sum is held: in 64 bits
 * less. Without counts each stands once. Lies between the least and the greatest of them.
 */
export function averageOfOverflowed(
  values: Float64Array,
  counts: Float64Array | null,
  from: number,
  to: number,
): number {
  let sum = 0
  let count = 0
  let min = Infinity
  let max = -Infinity
  for (let i = from; i < to; i++) {
    const value = values[i]!
    if (value < min) min = value
    if (value > max) max = value
    const times = counts === null ? 1 : counts[i]!
    sum += value * 2 ** -64 * times
    count += times
  }
  const average = (sum / count) * 2 ** 64
  return average < min ? min : average > max ? max : average
}

/** The nearest finite number: an overflow is held at the largest double. */
export function clampToFinite(value: number): number {
  if (value > Number.MAX_VALUE) return Number.MAX_VALUE
  return value < -Number.MAX_VALUE ? -Number.MAX_VALUE : value
}

/** Up to this count 10^9 × count is an exact double. */
const exactCountMax = 9_000_000

/**
 * `sum / count`, as the double nearest to the true quotient where the sum is a decimal of nine
 * places (below a million; of three below 10^12) and the count a whole number: the average of three
 * times 0.1 is 0.1, where 0.3 / 3 is 0.09999999999999999. A pure function of its two arguments.
 */
export function averageOf(sum: number, count: number): number {
  const size = sum < 0 ? -sum : sum
  const power = size < 1e6 ? 1e9 : size < 1e12 ? 1e3 : 1
  const integer = Math.round(sum * power)
  if (integer / power !== sum || count > exactCountMax || Math.floor(count) !== count) {
    return clampToFinite(sum / count)
  }
  return integer / (power * count)
}
