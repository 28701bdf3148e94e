/**
 * Statistics of several populations combined into one.
 *
 *   buckets       one value each                         the statistics of all values
 *   raw samples   observations, some of which represent  percentiles of all observations;
 *                 several and have sums of their own     all else merged like cells (merge.ts)
 */

import { assert } from "../base/assert.ts"
import type { Statistics } from "../model/statistics.ts"
import { CellColumns } from "./cell.ts"
import { mergeCells, mergedCellsMax, MergeWorkspace } from "./merge.ts"
import { statisticsOfObservations, type Observations } from "./weighted-values.ts"
import { statisticsOf, type StatisticsWorkspace, type Totals } from "./statistics.ts"

/** One population: its statistics, and its values or its observations. */
export interface PooledPopulation {
  readonly statistics: Statistics
  readonly values?: Float64Array
  readonly observations?: Observations
}

/**
 * Returns the statistics of at least one population. Either all of them have values or all of them
 * have observations. The result is that of one metric with all of the samples.
 */
export function pooledStatistics(
  parts: readonly PooledPopulation[],
  workspace: StatisticsWorkspace,
): Statistics {
  assert(parts.length > 0, "Expected a population")
  if (parts.some(({ observations }) => observations === undefined)) {
    const values = concatenated(parts.map((part) => part.values!))
    return statisticsOf(values, values.length, workspace)
  }
  const observed = parts.map((part) => part.observations!)
  const values = concatenated(observed.map((one) => one.values))
  const weights = concatenated(observed.map((one) => one.weights))
  return statisticsOfObservations({ values, weights }, values.length, totalsOf(parts), workspace)
}

function concatenated(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const column of columns) {
    all.set(column, at)
    at += column.length
  }
  return all
}

/** Returns count, sum, min, max and m2 of all populations. */
function totalsOf(parts: readonly PooledPopulation[]): Totals {
  const workspace = new MergeWorkspace()
  let totals: Totals[] = parts.map(({ statistics: { count, sum, min, max }, observations }) => ({
    count,
    sum,
    min,
    max,
    m2: observations!.m2,
  }))
  while (totals.length > 1) {
    const merged: Totals[] = []
    for (let from = 0; from < totals.length; from += mergedCellsMax) {
      merged.push(mergedTotals(totals.slice(from, from + mergedCellsMax), workspace))
    }
    totals = merged
  }
  return totals[0]!
}

function mergedTotals(totals: readonly Totals[], workspace: MergeWorkspace): Totals {
  const cells = new CellColumns(totals.length + 1)
  for (const [at, one] of totals.entries()) {
    cells.count[at] = one.count
    cells.sum[at] = one.sum
    cells.min[at] = one.min
    cells.max[at] = one.max
    cells.m2[at] = one.m2
  }
  const at = totals.length
  mergeCells(cells, 0, at, cells, at, workspace)
  const { count, sum, min, max, m2 } = cells
  return { count: count[at]!, sum: sum[at]!, min: min[at]!, max: max[at]!, m2: m2[at]! }
}
