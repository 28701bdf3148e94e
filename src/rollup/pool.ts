/** Statistics of several populations taken together as one. */

import type { Statistics } from "../model/statistics.ts"
import { averageBetween, statisticsOf, stddevOf, type StatisticsScratch } from "./statistics.ts"
import { exactSum } from "./sum.ts"

export interface PoolPart {
  readonly statistics: Statistics
  /** All of its values; fewer than its count where some stand for several observations. */
  readonly values: Float64Array
}

/**
 * Of at least one part. Percentiles are those of the values; everything else counts each value as
 * often as it was observed.
 */
export function pooledStatistics(
  parts: readonly PoolPart[],
  scratch: StatisticsScratch,
): Statistics {
  const length = parts.reduce((sum, { values }) => sum + values.length, 0)
  const values = new Float64Array(length)
  let at = 0
  for (const part of parts) {
    values.set(part.values, at)
    at += part.values.length
  }
  const plain = statisticsOf(values, length, scratch)
  const each = (name: keyof Statistics) =>
    Float64Array.from(parts, ({ statistics }) => statistics[name])
  const count = exactSum(each("count"), 0, parts.length)
  if (count === length) return plain
  const sum = exactSum(each("sum"), 0, parts.length)
  const min = each("min").reduce((least, one) => Math.min(least, one))
  const max = each("max").reduce((most, one) => Math.max(most, one))
  const avg = averageBetween(sum, count, min, max)
  return { ...plain, count, sum, min, max, avg, stddev: stddevOf(squaresOf(parts, avg), count) }
}

/** Squared deviations from the common average: those inside the parts and those of their averages. */
function squaresOf(parts: readonly PoolPart[], avg: number): number {
  const squares = parts.map(({ statistics }) => {
    const { count, stddev } = statistics
    return stddev * stddev * Math.max(0, count - 1) + count * (statistics.avg - avg) ** 2
  })
  return exactSum(Float64Array.from(squares), 0, squares.length)
}
