/**
 * The statistics of a population (spec/statistics §3).
 *
 * The percentile p of n values is at position (n + 1) × p of the sorted values, counted from 1, and
 * is interpolated between its two neighbours; a position beyond the ends yields the end. (R's type
 * 6; the documented answers of the service this one follows fit no other rule.) `stddev` is the
 * sample standard deviation: n - 1, and 0 for a single value.
 */

import { assert } from "../base/assert.ts"
import { clamp } from "../digest/clamp.ts"
import { FloatWorkspace } from "../codec/workspace.ts"
import type { Statistics } from "../model/statistics.ts"
import { rangeOf, SelectionWorkspace, selectRanks, type ValueRange } from "./order-statistics.ts"
import { computeMoments, type MomentColumns } from "./sum-of-squares.ts"
import { averageOf, averageOfOverflowed, isOverflowed } from "./sum.ts"

/** The percentiles in `Statistics`, as fractions of 1. */
export const percentiles = Float64Array.of(0.05, 0.25, 0.5, 0.75, 0.95)

/** Working memory of `statisticsOf`, for any number of calls on one thread. */
export class StatisticsWorkspace {
  readonly select = new SelectionWorkspace()
  readonly ranks = new Int32Array(2 * percentiles.length)
  readonly found = new Float64Array(2 * percentiles.length)
  readonly values = new FloatWorkspace()
  readonly weights = new FloatWorkspace()
  /** One entry: the moments of the population. */
  readonly moments: MomentColumns = { sum: new Float64Array(1), m2: new Float64Array(1) }
}

/**
 * Returns the statistics of at least one value, `values[0..count)`, in any order, without NaN.
 *
 * @example
 * const values = Float64Array.of(4, 1, 3, 2)
 * const { count, avg, min, max, sum } = statisticsOf(values, 4, new StatisticsWorkspace())
 * assert.deepEqual([count, avg, min, max, sum], [4, 2.5, 1, 4, 10])
 */
export function statisticsOf(
  values: Float64Array,
  count: number,
  workspace: StatisticsWorkspace,
): Statistics {
  assert(count > 0, "Expected a population")
  const range = rangeOf(values, 0, count)
  const { low: min, high: max } = range
  const found = percentileNeighbours(values, count, workspace, range)
  const { moments } = workspace
  computeMoments(values, 0, count, moments, 0)
  const statistics = statisticsFrom(
    { count, min, max, sum: moments.sum[0]!, m2: moments.m2[0]! },
    found,
  )
  if (!isOverflowed(statistics.sum)) return statistics
  return { ...statistics, avg: clamp(averageOfOverflowed(values, null, 0, count), min, max) }
}

/**
 * Returns the two neighbours of each percentile of at least one value, `values[0..count)`, in any
 * order; overwritten by the next call. `range`: bounds of the values.
 */
export function percentileNeighbours(
  values: Float64Array,
  count: number,
  { ranks, found, select }: StatisticsWorkspace,
  range: ValueRange,
): Float64Array {
  percentileRanks(count, ranks)
  selectRanks(values, count, ranks, found, select, range)
  return found
}

/** Writes the ranks (from 0) of the two neighbours of each percentile of `count` values. */
function percentileRanks(count: number, ranks: Int32Array): void {
  assert(ranks.length === 2 * percentiles.length, "Expected two ranks of each percentile")
  for (let at = 0; at < percentiles.length; at++) {
    const below = Math.floor((count + 1) * percentiles[at]!)
    ranks[2 * at] = clamp(below - 1, 0, count - 1)
    ranks[2 * at + 1] = clamp(below, 0, count - 1)
  }
}

/** The exact statistics of a population; percentiles come from its values. */
export interface Totals {
  readonly count: number
  readonly sum: number
  /** Sum of squared deviations from the mean. */
  readonly m2: number
  readonly min: number
  readonly max: number
}

/** Returns the statistics with these totals; `found` are the `percentileNeighbours`. */
export function statisticsFrom(totals: Totals, found: Float64Array): Statistics {
  return statisticsWith(totals, (index) => {
    const position = (totals.count + 1) * percentiles[index]!
    return interpolate(found[2 * index]!, found[2 * index + 1]!, position - Math.floor(position))
  })
}

/** Returns the statistics with these totals; `percentileAt` gives the value of `percentiles[i]`. */
export function statisticsWith(
  { count, sum, m2, min, max }: Totals,
  percentileAt: (index: number) => number,
): Statistics {
  return {
    avg: clampedAverage(sum, count, min, max),
    min,
    median: percentileAt(2),
    max,
    percentile5: percentileAt(0),
    percentile25: percentileAt(1),
    percentile75: percentileAt(3),
    percentile95: percentileAt(4),
    count,
    sum,
    stddev: stddevOf(m2, count),
  }
}

/**
 * Returns the standard deviation of a sample of `count` values with sum of squared deviations m2.
 */
export function stddevOf(m2: number, count: number): number {
  return count > 1 ? Math.sqrt(m2 / (count - 1)) : 0
}

/** Returns the average, clamped to [min, max] because of rounding. */
export function clampedAverage(sum: number, count: number, min: number, max: number): number {
  return clamp(averageOf(sum, count), min, max)
}

/** Interpolates between two neighbours; equal neighbours yield their value. */
export function interpolate(low: number, high: number, fraction: number): number {
  if (fraction === 0 || low === high) return low
  // This form reproduces the documented percentiles to the last digit.
  const value = low * (1 - fraction) + high * fraction
  return clamp(value, low, high)
}
