/**
 * Values as whole numbers over a common divisor. Most averages have this form: if the sums are
 * whole numbers i of 10^-k and each has c observations, then
 *
 *     value = i / (10^k × c)        rounded once, as `averageOf` rounds it
 *
 * Statistics are computed with the whole numbers, and only the few results are divided. They are
 * bit for bit those of the values.
 */

import { assert } from "../base/assert.ts"
import { powersOfTen, scaleMax, scaledMax } from "../codec/decimal.ts"
import type { Statistics } from "../model/statistics.ts"
import {
  computeMoments,
  m2FromMoment,
  m2OfRationals,
  type MomentColumns,
} from "./sum-of-squares.ts"
import { percentileNeighbours, statisticsFrom, type StatisticsWorkspace } from "./statistics.ts"

/** Beyond this a product of a value and a divisor may round to another whole number. */
export const numeratorMax = scaledMax / 2

/** Counts for which 10^9 × count is exact. */
const countMax = 9_000_000

export interface RationalValues {
  /** Whole numbers up to `numeratorMax`; never -0. */
  readonly numerators: Float64Array
  /** Above 0, whole. */
  readonly divisor: number
  /** Least and greatest numerator. */
  readonly min: number
  readonly max: number
  /** Sums over all numerators of the query, if known. */
  readonly sums?: RationalSums | null
}

/** Sums of the numerators' distances from the first one, and of the squares of the distances. */
export interface RationalSums {
  readonly distances: number
  readonly squares: number
}

/**
 * True if `averageOf(i / 10^scale, count)` is `i / (10^scale × count)` for all whole numbers i up
 * to `size`, that is if `averageOf` recovers the whole number.
 */
export function isAverageExact(size: number, scale: number, count: number): boolean {
  if (size > numeratorMax || count > countMax || Math.floor(count) !== count) return false
  const power = powersOfTen[scale]!
  return scale === 0 ? size < 1e12 : size < 1e6 * power || (scale <= 3 && size < 1e12 * power)
}

/** Returns `statisticsOf` the first `count` values, at least one. */
export function statisticsOfRationals(
  rationals: RationalValues,
  count: number,
  workspace: StatisticsWorkspace,
): Statistics {
  assert(count > 0, "Expected a population")
  const { numerators, divisor, min, max } = rationals
  assert(count <= numerators.length, "Expected a numerator of each value")
  assert(divisor > 0 && min <= max, "Expected a positive divisor, and min ≤ max")
  const { moments } = workspace
  const found = percentileNeighbours(numerators, count, workspace, { low: min, high: max })
  for (let i = 0; i < found.length; i++) found[i] = found[i]! / divisor
  if (!computeRationalMoments(rationals, count, moments)) {
    computeMoments(quotients(rationals, count, workspace), 0, count, moments, 0)
  }
  const sum = moments.sum[0]!
  const m2 = moments.m2[0]!
  return statisticsFrom({ count, min: min / divisor, max: max / divisor, sum, m2 }, found)
}

/**
 * Fills `moments` as `computeMoments` does for the values. Returns false if that needs the values
 * themselves.
 */
function computeRationalMoments(
  rationals: RationalValues,
  count: number,
  moments: MomentColumns,
): boolean {
  const { numerators, divisor, min, max } = rationals
  const scale = scaleOf(divisor)
  if (scale < 0) return false
  const power = powersOfTen[scale]!
  const factor = power / divisor
  const size = Math.max(max, -min) * factor
  if (size > numeratorMax || size * count > Number.MAX_SAFE_INTEGER) return false
  const first = numerators[0]!
  const { distances, squares } = rationals.sums ?? sumsOf(numerators, count)
  const total = distances + count * first
  const scaledSquares = squares * factor * factor
  if (count * scaledSquares <= Number.MAX_SAFE_INTEGER) {
    const scaledDistances = distances * factor
    const moment = count * scaledSquares - scaledDistances * scaledDistances
    moments.sum[0] = (total * factor) / power
    moments.m2[0] = m2FromMoment(moment, scale, count)
    return true
  }
  // In a smaller scale the squares might be small enough.
  if (isDivisibleByTen(rationals, count, factor)) return false
  const sum = (total * factor) / power
  moments.sum[0] = sum
  moments.m2[0] = m2OfRationals(rationals, count, sum / count)
  return true
}

/** Returns the smallest scale in which all multiples of 1/divisor are whole, or -1. */
function scaleOf(divisor: number): number {
  for (let scale = 0; scale <= scaleMax; scale++) {
    if (powersOfTen[scale]! % divisor === 0) return scale
  }
  return -1
}

/** True if all numerators × factor are divisible by ten; mostly the first one is not. */
function isDivisibleByTen({ numerators }: RationalValues, count: number, factor: number): boolean {
  for (let i = 0; i < count; i++) if ((numerators[i]! * factor) % 10 !== 0) return false
  return true
}

function sumsOf(numerators: Float64Array, count: number): RationalSums {
  const first = numerators[0]!
  let distances = 0
  let squares = 0
  for (let i = 0; i < count; i++) {
    const distance = numerators[i]! - first
    distances += distance
    squares += distance * distance
  }
  return { distances, squares }
}

function quotients(
  { numerators, divisor }: RationalValues,
  count: number,
  workspace: StatisticsWorkspace,
): Float64Array {
  const values = workspace.values.take(count)
  for (let i = 0; i < count; i++) values[i] = numerators[i]! / divisor
  return values
}
