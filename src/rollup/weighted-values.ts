/**
 * Populations that are not a plain list of values: weighted values, each of which stands for many
 * observations, and digests.
 */

import { assert } from "../base/assert.ts"
import { sortPairs } from "../digest/sort-pairs.ts"
import type { Statistics } from "../model/statistics.ts"
import {
  clampedAverage,
  interpolate,
  percentiles,
  statisticsOf,
  stddevOf,
  type StatisticsScratch,
} from "./statistics.ts"
import { averageOfOverflowed, isOverflowed } from "./sum.ts"

/** What is known exactly of a population beside its order. */
export interface Totals {
  readonly count: number
  readonly sum: number
  /** Sum of squared deviations from the mean. */
  readonly m2: number
  readonly min: number
  readonly max: number
}

/**
 * Samples as percentiles take them. Each value may stand for several observations, and those may
 * have another sum and other ends than the value says: an aggregate has its own.
 */
export interface Observations {
  /** A plain value, or an aggregate's average inside its own [min, max]; in any order. */
  readonly values: Float64Array
  /** Observations that each value stands for, above 0. */
  readonly weights: Float64Array
  /** Sum of squared deviations of all observations from their average. */
  readonly m2: number
}

let sortedValues = new Float64Array(1024)
let sortedWeights = new Float64Array(1024)

/**
 * Statistics of the first `length` samples, at least one: percentiles of the observations, all else
 * from `totals`.
 */
export function statisticsOfObservations(
  { values, weights }: Pick<Observations, "values" | "weights">,
  length: number,
  totals: Totals,
  scratch: StatisticsScratch,
): Statistics {
  const { sum, m2, min, max } = totals
  for (let i = 0; i < length; i++) {
    if (weights[i] === 1) continue
    const weighted = statisticsOfWeighted(values, weights, length, totals)
    if (!isOverflowed(sum)) return weighted
    const avg = averageOfOverflowed(values, weights, 0, length)
    return { ...weighted, avg: Math.min(max, Math.max(min, avg)) }
  }
  const found = statisticsOf(values, length, scratch)
  // Of an aggregate that stands for one observation, the ends and the sum are its own.
  const avg = isOverflowed(sum) ? found.avg : clampedAverage(sum, length, min, max)
  return { ...found, min, max, sum, avg, stddev: stddevOf(m2, length) }
}

/**
 * Statistics of `values[0..length)`, each `weights[i]` (above 0) times: the percentiles are those
 * of the population in which every value stands that often. Everything else is in `totals`.
 */
export function statisticsOfWeighted(
  values: Float64Array,
  weights: Float64Array,
  length: number,
  totals: Totals,
): Statistics {
  assert(length > 0, "Expected a population")
  if (sortedValues.length < length) {
    sortedValues = new Float64Array(length * 2)
    sortedWeights = new Float64Array(length * 2)
  }
  sortedValues.set(values.subarray(0, length))
  sortedWeights.set(weights.subarray(0, length))
  sortPairs(sortedValues, sortedWeights, length)
  const found = percentiles.map((p) => weightedQuantile(length, totals.count, p))
  return statisticsFromQuantiles(found, totals)
}

/**
 * The same where `quantiles`, those of `percentiles`, are estimates; everything else is in
 * `totals`.
 */
export function statisticsFromQuantiles(quantiles: Float64Array, totals: Totals): Statistics {
  const { count, sum, m2, min, max } = totals
  const at = (index: number) => Math.min(max, Math.max(min, quantiles[index]!))
  return {
    avg: clampedAverage(sum, count, min, max),
    min,
    median: at(2),
    max,
    percentile5: at(0),
    percentile25: at(1),
    percentile75: at(3),
    percentile95: at(4),
    count,
    sum,
    stddev: stddevOf(m2, count),
  }
}

/** Beyond the ends of the population it is the end: of the values, not of what they stand for. */
function weightedQuantile(length: number, count: number, p: number): number {
  const position = (count + 1) * p
  if (position < 1) return sortedValues[0]!
  if (position >= count) return sortedValues[length - 1]!
  const whole = Math.floor(position)
  let at = 0
  let until = sortedWeights[0]!
  while (until < whole && at < length - 1) until += sortedWeights[++at]!
  const low = sortedValues[at]!
  // The next observation is another value only where this one's are used up.
  const high = until < whole + 1 && at < length - 1 ? sortedValues[at + 1]! : low
  return interpolate(low, high, position - whole)
}
