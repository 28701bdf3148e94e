/**
 * The sum of squared deviations from the mean ("m2"), from which the standard deviation comes.
 *
 * For values that are whole numbers i of 10^-k it is, exactly,
 *
 *     m2 = M / 10^2k / n      M = n × Σd² - (Σd)²      d = i - the first i
 *
 * where M is a whole number that does not depend on the order, costs few bytes, and lets a rollup
 * of rollups be the rollup of the samples. Where it would leave the safe integers, and for values
 * that are no decimals, two passes around the mean are used.
 */

import { decimalScale, decimalScaleOf, powersOfTen, scaledMax } from "../codec/decimal.ts"
import { averageOfHuge, compensatedSum, exactSum, finite, isHeld, scaledSum } from "./sum.ts"

/** What `momentsOf` found, valid until its next call: read it at once. */
export const moments = { sum: NaN, m2: NaN }

/**
 * Fills `moments` with sum (as `exactSum`) and m2 of `values[from..to)`, in one pass for decimals.
 */
export function momentsOf(values: Float64Array, from: number, to: number): void {
  let scale = 0
  while (scale >= 0) {
    const failed = decimalMoments(values, from, to, scale)
    if (failed < 0) return
    scale = decimalScaleOf(values[failed]!, scale + 1)
  }
  moments.sum = compensatedSum(values, from, to)
  moments.m2 = squaresAround(values, from, to, meanOf(moments.sum, values, from, to))
}

function meanOf(sum: number, values: Float64Array, from: number, to: number): number {
  return isHeld(sum) ? averageOfHuge(values, null, from, to) : sum / (to - from)
}

/**
 * Gives the place of the first value that is no decimal of this scale, or -1 where `moments` is
 * set.
 */
function decimalMoments(values: Float64Array, from: number, to: number, scale: number): number {
  const power = powersOfTen[scale]!
  const limit = scale === 0 ? Number.MAX_SAFE_INTEGER : scaledMax
  const count = to - from
  const first = Math.round(values[from]! * power)
  let sum = 0
  let sizes = 0
  let distances = 0
  let squares = 0
  for (let i = from; i < to; i++) {
    const integer = Math.round(values[i]! * power)
    const size = integer < 0 ? -integer : integer
    if (integer / power !== values[i] || size > limit) return i
    sum += integer
    sizes += size
    const distance = integer - first
    distances += distance
    squares += distance * distance
  }
  const isExact = sizes <= Number.MAX_SAFE_INTEGER
  moments.sum = isExact ? sum / power : compensatedSum(values, from, to)
  moments.m2 =
    count * squares <= Number.MAX_SAFE_INTEGER
      ? squaresFromMoment(count * squares - distances * distances, scale, count)
      : squaresAround(values, from, to, moments.sum / count)
  return -1
}

/** m2 from the whole number M. */
export function squaresFromMoment(moment: number, scale: number, count: number): number {
  return moment / powersOfTen[2 * scale]! / count
}

/** A pass around the mean: the second sum corrects the rounding of the mean. */
export function squaresAround(
  values: Float64Array,
  from: number,
  to: number,
  mean: number,
): number {
  let squares = 0
  let rest = 0
  for (let i = from; i < to; i++) {
    const distance = values[i]! - mean
    squares += distance * distance
    rest += distance
  }
  return cleaned(squares - (rest * rest) / (to - from))
}

/** The same of the values `numerators[i] / divisor`. */
export function squaresAroundOfRatios(
  { numerators, divisor }: { readonly numerators: Float64Array; readonly divisor: number },
  count: number,
  mean: number,
): number {
  let squares = 0
  let rest = 0
  for (let i = 0; i < count; i++) {
    const distance = numerators[i]! / divisor - mean
    squares += distance * distance
    rest += distance
  }
  return cleaned(squares - (rest * rest) / count)
}

/** m2 of weighted values; the m2 of `momentsOf` where all weights are 1. */
export function weightedSquares(
  values: Float64Array,
  weights: Float64Array,
  count: number,
  total: number,
): number {
  if (count < 2) return 0
  const scale = weightsAreWhole(weights, count) ? decimalScale(values, 0, count) : -1
  if (scale >= 0) {
    const power = powersOfTen[scale]!
    const first = Math.round(values[0]! * power)
    let distances = 0
    let sizes = 0
    let squares = 0
    for (let i = 0; i < count; i++) {
      const distance = Math.round(values[i]! * power) - first
      distances += distance * weights[i]!
      sizes += Math.abs(distance) * weights[i]!
      squares += distance * distance * weights[i]!
    }
    if (total * squares <= Number.MAX_SAFE_INTEGER && sizes <= Number.MAX_SAFE_INTEGER) {
      return squaresFromMoment(total * squares - distances * distances, scale, total)
    }
  }
  return weightedSquaresAround(values, weights, count, total, scale)
}

const products = { array: new Float64Array(64) }

function weightedSquaresAround(
  values: Float64Array,
  weights: Float64Array,
  count: number,
  total: number,
  scale: number,
): number {
  if (products.array.length < count) products.array = new Float64Array(count * 2)
  const array = products.array
  let plain = true
  for (let i = 0; i < count; i++) {
    array[i] = finite(values[i]! * weights[i]!)
    if (weights[i] !== 1) plain = false
  }
  const sum = plain ? scaledSum(array, 0, count, scale) : exactSum(array, 0, count)
  const mean = isHeld(sum) ? averageOfHuge(values, weights, 0, count) : sum / total
  let squares = 0
  let rest = 0
  for (let i = 0; i < count; i++) {
    const distance = values[i]! - mean
    squares += distance * distance * weights[i]!
    rest += distance * weights[i]!
  }
  return cleaned(squares - (rest * rest) / total)
}

function weightsAreWhole(weights: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) {
    if (Math.floor(weights[i]!) !== weights[i]) return false
  }
  return true
}

/** Neither below 0 by rounding, nor beyond the doubles. */
function cleaned(squares: number): number {
  if (squares > 0) return finite(squares)
  return squares <= 0 ? 0 : Number.MAX_VALUE
}

/**
 * Up to this M, float arithmetic over a few hundred cells leaves no doubt which whole number is
 * meant.
 */
const momentSureMax = 2 ** 45
const momentTolerance = 2 ** -47

/**
 * The m2 nearest to `squares` that whole numbers of 10^-k can have, for the smallest k for which it
 * lies within rounding; `squares` itself, cleaned of overflow, where there is none. Takes away what
 * float arithmetic added when rollups were merged.
 */
export function settledSquares(squares: number, count: number): number {
  if (!(squares > 0) || squares > Number.MAX_VALUE) return cleaned(squares)
  if (Math.floor(count) !== count) return squares
  for (let scale = 0; scale <= 9; scale++) {
    const exact = squares * count * powersOfTen[2 * scale]!
    if (exact > momentSureMax) break
    const moment = Math.round(exact)
    if (Math.abs(exact - moment) <= exact * momentTolerance) {
      return squaresFromMoment(moment, scale, count)
    }
  }
  return squares
}
