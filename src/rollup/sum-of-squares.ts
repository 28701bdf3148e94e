/**
 * The sum of squared deviations from the mean ("m2"), from which the standard deviation comes.
 *
 * For values that are whole numbers i of 10^-k it is, exactly,
 *
 *     m2 = M / 10^2k / n      M = n × Σd² - (Σd)²      d = i - the first i
 *
 * M is a whole number that does not depend on the order, takes few bytes, and makes a rollup of
 * rollups equal to the rollup of the samples. If M is not a safe integer or the values are not
 * decimals, m2 is computed in two passes around the mean.
 */

import { decimalScale, decimalScaleOf, powersOfTen, scaledMax } from "../codec/decimal.ts"
import {
  averageOfOverflowed,
  compensatedSum,
  exactSum,
  clampToFinite,
  isOverflowed,
  scaledSum,
} from "./sum.ts"

/** Columns for the results of `computeMoments`. */
export interface MomentColumns {
  readonly sum: Float64Array
  readonly m2: Float64Array
}

/**
 * Sets entry `at` of `out` to sum (as `exactSum`) and m2 of `values[from..to)`, in one pass for
 * decimals.
 */
export function computeMoments(
  values: Float64Array,
  from: number,
  to: number,
  out: MomentColumns,
  at: number,
): void {
  let scale = 0
  while (scale >= 0) {
    const failed = decimalMoments(values, from, to, scale, out, at)
    if (failed < 0) return
    scale = decimalScaleOf(values[failed]!, scale + 1)
  }
  const sum = compensatedSum(values, from, to)
  out.sum[at] = sum
  out.m2[at] = m2AroundMean(values, from, to, meanOf(sum, values, from, to))
}

function meanOf(sum: number, values: Float64Array, from: number, to: number): number {
  return isOverflowed(sum) ? averageOfOverflowed(values, null, from, to) : sum / (to - from)
}

/**
 * Sets the moments and returns -1, or the index of the first value that is no decimal of this
 * scale.
 */
function decimalMoments(
  values: Float64Array,
  from: number,
  to: number,
  scale: number,
  out: MomentColumns,
  at: number,
): number {
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
  const total = isExact ? sum / power : compensatedSum(values, from, to)
  out.sum[at] = total
  out.m2[at] =
    count * squares <= Number.MAX_SAFE_INTEGER
      ? m2FromMoment(count * squares - distances * distances, scale, count)
      : m2AroundMean(values, from, to, total / count)
  return -1
}

/** Returns m2 for the whole number M. */
export function m2FromMoment(moment: number, scale: number, count: number): number {
  return moment / powersOfTen[2 * scale]! / count
}

/** Computes m2 around the mean; the second sum corrects the rounding of the mean. */
function m2AroundMean(values: Float64Array, from: number, to: number, mean: number): number {
  let squares = 0
  let rest = 0
  for (let i = from; i < to; i++) {
    const distance = values[i]! - mean
    squares += distance * distance
    rest += distance
  }
  return clampM2(squares - (rest * rest) / (to - from))
}

/** As `m2AroundMean`, of the values `numerators[i] / divisor`. */
export function m2OfRationals(
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
  return clampM2(squares - (rest * rest) / count)
}

/**
 * Returns the m2 of weighted values; that of `computeMoments` if all weights are 1. `products` is
 * working memory for `count` numbers.
 */
export function weightedM2(
  values: Float64Array,
  weights: Float64Array,
  count: number,
  total: number,
  products: Float64Array,
): number {
  if (count < 2) return 0
  const scale = areWhole(weights, count) ? decimalScale(values, 0, count) : -1
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
      return m2FromMoment(total * squares - distances * distances, scale, total)
    }
  }
  return weightedM2AroundMean(values, weights, count, { total, scale }, products)
}

function weightedM2AroundMean(
  values: Float64Array,
  weights: Float64Array,
  count: number,
  { total, scale }: { readonly total: number; readonly scale: number },
  products: Float64Array,
): number {
  let plain = true
  for (let i = 0; i < count; i++) {
    products[i] = clampToFinite(values[i]! * weights[i]!)
    if (weights[i] !== 1) plain = false
  }
  const sum = plain ? scaledSum(products, 0, count, scale) : exactSum(products, 0, count)
  const mean = isOverflowed(sum) ? averageOfOverflowed(values, weights, 0, count) : sum / total
  let squares = 0
  let rest = 0
  for (let i = 0; i < count; i++) {
    const distance = values[i]! - mean
    squares += distance * distance * weights[i]!
    rest += distance * weights[i]!
  }
  return clampM2(squares - (rest * rest) / total)
}

function areWhole(weights: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) {
    if (Math.floor(weights[i]!) !== weights[i]) return false
  }
  return true
}

/** Corrects a sum of squares that rounding made negative or that overflowed. */
function clampM2(squares: number): number {
  if (squares > 0) return clampToFinite(squares)
  return squares <= 0 ? 0 : Number.MAX_VALUE
}

/**
 * Up to this M, the rounding errors of a few hundred cells are too small to change the nearest
 * whole number.
 */
const momentExactMax = 2 ** 45
const momentTolerance = 2 ** -47

/**
 * Returns the m2 nearest to `squares` that whole numbers of 10^-k can have, for the smallest k for
 * which the difference is within rounding; if there is none, `squares` itself, clamped. Removes the
 * rounding errors of merged rollups.
 */
export function snapM2(squares: number, count: number): number {
  if (!(squares > 0) || squares > Number.MAX_VALUE) return clampM2(squares)
  if (Math.floor(count) !== count) return squares
  for (let scale = 0; scale <= 9; scale++) {
    const exact = squares * count * powersOfTen[2 * scale]!
    if (exact > momentExactMax) break
    const moment = Math.round(exact)
    if (Math.abs(exact - moment) <= exact * momentTolerance) {
      return m2FromMoment(moment, scale, count)
    }
  }
  return squares
}
