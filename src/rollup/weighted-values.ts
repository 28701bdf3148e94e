/**
 * Statistics of populations that are not a plain list of values: weighted values, each of which
 * represents several observations, and digests.
 */

import { assert } from "../base/assert.ts"
import { clamp } from "../digest/clamp.ts"
import { sortPairs } from "../digest/sort-pairs.ts"
import type { Statistics } from "../model/statistics.ts"
import {
  interpolate,
  percentileNeighbours,
  percentiles,
  statisticsFrom,
  statisticsOf,
  statisticsWith,
  type StatisticsWorkspace,
  type Totals,
} from "./statistics.ts"
import { averageOfOverflowed, isOverflowed } from "./sum.ts"

/**
 * Samples as input for percentiles. A value may represent several observations (an aggregate),
 * whose sum, min and max then differ from those of the value.
 */
export interface Observations {
  /** A plain value, or an aggregate's average inside its own [min, max]; in any order. */
  readonly values: Float64Array
  /** Number of observations of each value, above 0. */
  readonly weights: Float64Array
  /** Sum of squared deviations of all observations from their average. */
  readonly m2: number
}

/** The input of percentiles, in any order. */
export interface WeightedValues {
  readonly values: Float64Array
  /** Number of observations of each value; null if it is 1 for all. */
  readonly weights: Float64Array | null
}

/**
 * Returns the statistics of the first `length` samples, at least one: percentiles of the
 * observations, everything else from `totals`.
 */
export function statisticsOfObservations(
  { values, weights }: WeightedValues,
  length: number,
  totals: Totals,
  workspace: StatisticsWorkspace,
): Statistics {
  assert(totals.m2 >= 0, "Expected an m2 that is not negative")
  const single = weights === null || isEachOne(weights, length)
  const range = { low: totals.min, high: totals.max }
  const statistics = single
    ? statisticsFrom(
        { ...totals, count: length },
        percentileNeighbours(values, length, workspace, range),
      )
    : statisticsOfWeighted(values, weights, length, totals, workspace)
  if (!isOverflowed(totals.sum)) return statistics
  // An aggregate of one observation has a sum, min and max of its own.
  if (single) return { ...statistics, avg: statisticsOf(values, length, workspace).avg }
  const avg = averageOfOverflowed(values, weights, 0, length)
  return { ...statistics, avg: clamp(avg, totals.min, totals.max) }
}

function isEachOne(weights: Float64Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (weights[i] !== 1) return false
  return true
}

/**
 * Returns the statistics of `values[0..length)`, each `weights[i]` (above 0) times: the percentiles
 * are those of the population that contains each value that often, everything else is from
 * `totals`.
 */
export function statisticsOfWeighted(
  values: Float64Array,
  weights: Float64Array,
  length: number,
  totals: Totals,
  workspace: StatisticsWorkspace,
): Statistics {
  assert(length > 0, "Expected a population")
  const sortedValues = workspace.values.take(length)
  const sortedWeights = workspace.weights.take(length)
  sortedValues.set(values.subarray(0, length))
  sortedWeights.set(weights.subarray(0, length))
  sortPairs(sortedValues, sortedWeights, length)
  const sorted = { values: sortedValues, weights: sortedWeights, length }
  const found = percentiles.map((p) => weightedQuantile(sorted, totals.count, p))
  return statisticsFromQuantiles(found, totals)
}

/**
 * Returns the values at these fractions of 1 of at least one observation, in their order, at
 * positions as `statisticsOfWeighted` has them.
 */
export function quantilesOfWeighted(
  { values, weights }: Pick<Observations, "values" | "weights">,
  fractions: readonly number[],
): number[] {
  const { length } = values
  assert(length > 0 && weights.length === length, "Expected a weight of each value")
  const sorted = { values: values.slice(), weights: weights.slice(), length }
  sortPairs(sorted.values, sorted.weights, length)
  const count = sorted.weights.reduce((sum, weight) => sum + weight, 0)
  return fractions.map((fraction) => weightedQuantile(sorted, count, fraction))
}

/** As `statisticsOfWeighted`, with estimated `quantiles` for `percentiles`. */
export function statisticsFromQuantiles(quantiles: Float64Array, totals: Totals): Statistics {
  const { min, max } = totals
  return statisticsWith(totals, (index) => Math.min(max, Math.max(min, quantiles[index]!)))
}

/** A position beyond the ends of the population yields the first or last value. */
function weightedQuantile(
  {
    values,
    weights,
    length,
  }: {
    readonly values: Float64Array
    readonly weights: Float64Array
    readonly length: number
  },
  count: number,
  p: number,
): number {
  const position = (count + 1) * p
  if (position < 1) return values[0]!
  if (position >= count) return values[length - 1]!
  const whole = Math.floor(position)
  let at = 0
  let until = weights[0]!
  while (until < whole && at < length - 1) until += weights[++at]!
  const low = values[at]!
  // The next observation has another value only if this value has no more observations.
  const high = until < whole + 1 && at < length - 1 ? values[at + 1]! : low
  return interpolate(low, high, position - whole)
}
