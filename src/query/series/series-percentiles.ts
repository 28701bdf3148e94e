/**
 * Percentiles of the raw samples of each column, each sample with the number of its observations:
 * exact, at position (n + 1) · p as all percentiles (spec/statistics §3).
 */

import type { QueryContext } from "../core/query-context.ts"
import { quantilesOfWeighted } from "../../rollup/weighted-values.ts"
import type { SeriesStatistics } from "../../store/query-store.ts"
import { percentileFractions, type PercentileField } from "../../wire/series/series-query-body.ts"
import type { ColumnGrid } from "../../wire/series/series-query-result.ts"
import { rawSeriesPerRead, shiftedBack } from "./series-reader.ts"
import type { UnitRead } from "./unit-reader.ts"

export type ColumnsByName = Map<string, Float64Array>

export interface PercentilesRead extends UnitRead {
  readonly percentiles: readonly PercentileField[]
  readonly isOver: () => boolean
}

/** Fewer than of values alone: observations come with weights. */
const seriesPerStep = 64

/** Adds the columns of the percentiles; those of series that were not read in time are missing. */
export async function readPercentiles(
  { store, budget }: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  read: PercentilesRead,
): Promise<void> {
  const { percentiles, unflushed, units } = read
  const span = shiftedBack(read)
  if (percentiles.length === 0 || span.startMs >= span.endMs) return
  const { series, unitOf } = units.singles(byUnit.keys())
  const perStep = rawSeriesPerRead(seriesPerStep, span)
  for (let from = 0; from < series.length && !read.isOver(); from += perStep) {
    budget.check()
    const step = series.subarray(from, from + perStep)
    const asked = { series: step, span, resolution: "ZERO", exact: false } as const
    const all = { withValues: true, withObservations: true }
    for (const found of await store.statistics({ ...asked, ...all }, unflushed)) {
      const columns = percentileColumns(found, read)
      percentiles.forEach((name, i) => byUnit.get(unitOf(found.series))!.set(name, columns[i]!))
    }
  }
}

/** The columns of each percentile. */
function percentileColumns(
  { observations, timesMs }: SeriesStatistics,
  { grid, shiftMs, percentiles }: PercentilesRead,
): Float64Array[] {
  const { values, weights } = observations!
  const times = timesMs!
  const fractions = percentiles.map((name) => percentileFractions[name])
  const columns = percentiles.map(() => new Float64Array(grid.count).fill(NaN))
  let from = 0
  while (from < times.length) {
    const column = columnAt(times[from]! + shiftMs, grid)
    let to = from + 1
    while (to < times.length && columnAt(times[to]! + shiftMs, grid) === column) to++
    if (column >= 0 && column < grid.count) {
      const there = { values: values.subarray(from, to), weights: weights.subarray(from, to) }
      quantilesOfWeighted(there, fractions).forEach((value, i) => (columns[i]![column] = value))
    }
    from = to
  }
  return columns
}

function columnAt(timeMs: number, { startMs, stepMs }: ColumnGrid): number {
  return Math.floor((timeMs - startMs) / stepMs)
}
