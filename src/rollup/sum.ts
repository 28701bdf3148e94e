/**
 * Sums and averages that do not depend on the order of decimals: 0.1 + 0.2 is 0.3 here.
 *
 * Values that are all whole numbers of 10^-k are added as whole numbers and divided once, so the
 * result is the double nearest to the true sum. Other values are added by Neumaier's compensated
 * summation in the given order (Zeitschrift für Angewandte Mathematik und Mechanik 54, 1974).
 *
 * A sum that overflows is clamped to the largest double; `isOverflowed` recognises it.
 */

import { decimalScale, decimalScaleOf, powersOfTen, scaledMax } from "../codec/decimal.ts"

/** Returns the sum of `values[from..to)`; never NaN, at most ±1.8e308. */
export function exactSum(values: Float64Array, from: number, to: number): number {
  const scale = decimalScale(values, from, to)
  return scaledSum(values, from, to, scale)
}

/** As `exactSum`, with a known decimal scale; -1 if the values are not decimals. */
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

/** Returns `exactSum` of `left` and `-right`. */
export function exactDifference(left: number, right: number): number {
  const scaleOfLeft = decimalScaleOf(left, 0)
  const scale = scaleOfLeft < 0 ? -1 : decimalScaleOf(right, scaleOfLeft)
  // Neumaier's sum of two numbers is the rounded one.
  if (scale < 0) return clampToFinite(left - right)
  const power = powersOfTen[scale]!
  if (scale > 0 && Math.abs(left) * power > scaledMax) return clampToFinite(left - right)
  const from = Math.round(left * power)
  const to = Math.round(right * power)
  const isSafe = Math.abs(from) + Math.abs(to) <= Number.MAX_SAFE_INTEGER
  // 0 + -0 is 0.
  return isSafe ? (0 + from - to) / power : clampToFinite(left - right)
}

/** Returns Neumaier's sum of `values[from..to)`. */
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

/** Computes a sum whose intermediate results overflow: scaled by 2^-64, then clamped. */
function overflowedSum(values: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += values[i]! * 2 ** -64
  return clampToFinite(sum * 2 ** 64)
}

/** True if the sum overflowed and was clamped: the average cannot be derived from it. */
export function isOverflowed(sum: number): boolean {
  return sum === Number.MAX_VALUE || sum === -Number.MAX_VALUE
}

/**
 * Returns the average of `values[from..to)`, each `counts[i]` times, if their sum overflowed: it is
 * computed scaled by 2^-64. Without counts each value counts once. The result is clamped to the
 * range of the values.
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

/** Returns the nearest finite number: an overflow becomes the largest double. */
export function clampToFinite(value: number): number {
  if (value > Number.MAX_VALUE) return Number.MAX_VALUE
  return value < -Number.MAX_VALUE ? -Number.MAX_VALUE : value
}

/** Up to this count, 10^9 × count is an exact double. */
const exactCountMax = 9_000_000

/**
 * Returns `sum / count`. If the sum is a decimal of nine places (below a million; of three below
 * 10^12) and the count is whole, the result is the double nearest to the true quotient: the average
 * of three times 0.1 is 0.1, while 0.3 / 3 is 0.09999999999999999. A pure function of its two
 * arguments.
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
