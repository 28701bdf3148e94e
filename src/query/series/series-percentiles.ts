/**
 * Percentiles of the raw samples of each column, each sample with the number of its observations:
 * exact, at position (n + 1) · p as all percentiles (spec/statistics §3). Of columns of which
 * retention has dropped raw samples they come from the digests that outlive these.
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
  /** Start of what retention has kept of raw samples. */
  readonly rawFromMs: number
  readonly isOver: () => boolean
}

/** Fewer than of values alone: observations come with weights. */
const seriesPerStep = 64

/** Adds the columns of the percentiles; those of series that were not read in time are missing. */
export async function readPercentiles(
  context: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  asked: PercentilesRead,
): Promise<void> {
  const read = { ...asked, percentiles: ascending(asked.percentiles) }
  const span = shiftedBack(read)
  if (read.percentiles.length === 0 || span.startMs >= span.endMs) return
  const { series } = read.units.singles(byUnit.keys())
  const perStep = rawSeriesPerRead(seriesPerStep, span)
  for (let from = 0; from < series.length && !read.isOver(); from += perStep) {
    context.budget.check()
    const step = series.subarray(from, from + perStep)
    await readRaw(context, byUnit, step, read)
    await readDigests(context, byUnit, step, read)
  }
}

/** As the store takes them. */
function ascending(percentiles: readonly PercentileField[]): PercentileField[] {
  const fractionOf = (name: PercentileField): number => percentileFractions[name]
  return [...percentiles].sort((left, right) => fractionOf(left) - fractionOf(right))
}

async function readRaw(
  { store }: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  series: Int32Array,
  read: PercentilesRead,
): Promise<void> {
  const { percentiles, unflushed, units, rawFromMs } = read
  const { startMs, endMs } = shiftedBack(read)
  const span = { startMs: Math.max(startMs, rawFromMs), endMs }
  if (span.startMs >= span.endMs) return
  const { unitOf } = units.singles(byUnit.keys())
  const asked = { series, span, resolution: "ZERO", exact: false } as const
  const all = { withValues: true, withObservations: true }
  for (const found of await store.statistics({ ...asked, ...all }, unflushed)) {
    const columns = percentileColumns(found, read)
    percentiles.forEach((name, i) => byUnit.get(unitOf(found.series))!.set(name, columns[i]!))
  }
}

/** Sets the columns of which raw samples are dropped, also those of which some are left. */
async function readDigests(
  { store }: QueryContext,
  byUnit: ReadonlyMap<number, ColumnsByName>,
  series: Int32Array,
  read: PercentilesRead,
): Promise<void> {
  const { percentiles, unflushed, units, shiftMs } = read
  const { stepMs, count } = read.grid
  const startMs = read.grid.startMs - shiftMs
  if (startMs >= read.rawFromMs) return
  const fractions = Float64Array.from(percentiles, (name) => percentileFractions[name])
  const { unitOf } = units.singles(byUnit.keys())
  const asked = { series, startMs, stepMs, count, fractions }
  clearDropped(byUnit, series, read)
  await store.columnQuantiles(asked, unflushed, (one, column, quantiles) => {
    const columns = byUnit.get(unitOf(one))!
    percentiles.forEach((name, i) => (columnOf(columns, name, count)[column] = quantiles[i]!))
  })
}

/** Removes what is of a part of a column only. */
function clearDropped(
  byUnit: ReadonlyMap<number, ColumnsByName>,
  series: Int32Array,
  { percentiles, units, grid, shiftMs, rawFromMs }: PercentilesRead,
): void {
  const dropped = Math.ceil((rawFromMs + shiftMs - grid.startMs) / grid.stepMs)
  const { unitOf } = units.singles(byUnit.keys())
  for (const one of series) {
    const columns = byUnit.get(unitOf(one))!
    for (const name of percentiles) columns.get(name)?.fill(NaN, 0, Math.min(dropped, grid.count))
  }
}

function columnOf(columns: ColumnsByName, name: PercentileField, count: number): Float64Array {
  const known = columns.get(name) ?? new Float64Array(count).fill(NaN)
  columns.set(name, known)
  return known
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
