/** Puts the values of buckets into columns, and computes what a summary says of them. */

import type { Span } from "../../model/span.ts"
import { clampedAverage, statisticsOf, type StatisticsWorkspace } from "../../rollup/statistics.ts"
import { exactSum } from "../../rollup/sum.ts"
import type { ColumnGrid, SeriesSummary } from "../../wire/series/series-query-result.ts"

/** Values with their times, ascending. */
export interface TimedValues {
  readonly timesMs: Float64Array
  readonly values: Float64Array
}

export const noValues: TimedValues = {
  timesMs: new Float64Array(0),
  values: new Float64Array(0),
}

/** Copies of scratch memory. */
export function copied({ timesMs, values }: TimedValues): TimedValues {
  return { timesMs: timesMs.slice(), values: values.slice() }
}

/** How the values of one column become one. */
export type Reduction = "mean" | "least" | "greatest" | "total"

/**
 * One value a column; NaN if it has none. Values outside of all columns are left out.
 *
 * @example
 * const timesMs = Float64Array.of(0, 5, 10, 35)
 * const given = { timesMs, values: Float64Array.of(1, 3, 7, 9) }
 * const grid = { startMs: 0, stepMs: 10, count: 4 }
 * assert.deepEqual([...toColumns(given, grid, "mean")], [2, 7, NaN, 9])
 * assert.deepEqual([...toColumns(given, grid, "greatest")], [3, 7, NaN, 9])
 */
export function toColumns(
  { timesMs, values }: TimedValues,
  { startMs, stepMs, count }: ColumnGrid,
  reduction: Reduction,
): Float64Array {
  const columns = new Float64Array(count).fill(NaN)
  for (let from = firstFrom(timesMs, startMs); from < timesMs.length;) {
    const column = Math.floor((timesMs[from]! - startMs) / stepMs)
    if (column >= count) break
    let to = from + 1
    while (to < timesMs.length && timesMs[to]! < startMs + (column + 1) * stepMs) to++
    columns[column] = to === from + 1 ? values[from]! : reduced(values, from, to, reduction)
    from = to
  }
  return columns
}

function reduced(values: Float64Array, from: number, to: number, reduction: Reduction): number {
  if (reduction === "total") return exactSum(values, from, to)
  let least = Infinity
  let greatest = -Infinity
  for (let i = from; i < to; i++) {
    const value = values[i]!
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  if (reduction === "least") return least
  if (reduction === "greatest") return greatest
  return clampedAverage(exactSum(values, from, to), to - from, least, greatest)
}

/** Averages weighted by their counts, of the buckets that have both. */
export function weightedColumnsOf(
  averages: TimedValues,
  counts: TimedValues,
  grid: ColumnGrid,
): Float64Array {
  const columns = new Float64Array(grid.count).fill(NaN)
  const weights = new Float64Array(grid.count)
  let at = 0
  for (let i = 0; i < averages.timesMs.length; i++) {
    const timeMs = averages.timesMs[i]!
    while (at < counts.timesMs.length && counts.timesMs[at]! < timeMs) at++
    if (counts.timesMs[at] !== timeMs) continue
    const column = Math.floor((timeMs - grid.startMs) / grid.stepMs)
    if (column < 0 || column >= grid.count) continue
    const value = averages.values[i]!
    const weight = (weights[column]! += counts.values[at]!)
    // By steps of its distance: a sum of products may overflow.
    const before = columns[column]!
    const isFirst = Number.isNaN(before)
    columns[column] = isFirst ? value : before + ((value - before) * counts.values[at]!) / weight
  }
  return columns
}

/** The values of a window, as views. */
export function inWindow({ timesMs, values }: TimedValues, { startMs, endMs }: Span): TimedValues {
  const from = firstFrom(timesMs, startMs)
  const to = firstFrom(timesMs, endMs)
  return { timesMs: timesMs.subarray(from, to), values: values.subarray(from, to) }
}

/** The summary of the values of a window, as `/metrics/statistics` has it. */
export function summaryOf(
  { timesMs, values }: TimedValues,
  workspace: StatisticsWorkspace,
): SeriesSummary {
  const count = values.length
  if (count === 0) return emptySummary
  const { min, avg, max, sum, percentile95 } = statisticsOf(values, count, workspace)
  const lastTime = timesMs[count - 1]!
  return { min, avg, max, last: values[count - 1]!, lastTime, sum, count, p95: percentile95 }
}

const emptySummary: SeriesSummary = {
  min: null,
  avg: null,
  max: null,
  last: null,
  lastTime: null,
  sum: null,
  count: 0,
  p95: null,
}

/** The middle distance of neighbours, 0 with fewer than two values. */
export function spacingOf({ timesMs }: TimedValues): number {
  if (timesMs.length < 2) return 0
  const distances = new Float64Array(timesMs.length - 1)
  for (let i = 0; i < distances.length; i++) distances[i] = timesMs[i + 1]! - timesMs[i]!
  return distances.sort()[distances.length >> 1]!
}

/** Index of the first time that is not before `timeMs`. */
function firstFrom(timesMs: Float64Array, timeMs: number): number {
  let low = 0
  let high = timesMs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (timesMs[middle]! < timeMs) low = middle + 1
    else high = middle
  }
  return low
}
