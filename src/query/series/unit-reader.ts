/** Reads one field of units (series-units.ts): of a series its values, of a group what they make. */

import { groupedBucketsMax, seriesPerReadMax } from "../../base/limits/series.ts"
import type { BucketField } from "../../store/query-store.ts"
import type { SeriesAggregation } from "../../wire/series/series-query-body.ts"
import type { ColumnGrid } from "../../wire/series/series-query-result.ts"
import type { QueryContext } from "../core/query-context.ts"
import { bucketMsOf } from "./column-grid.ts"
import { toColumns, type TimedValues } from "./column-values.ts"
import { createAggregator, type ValueAggregator } from "./group-values.ts"
import { rawSeriesPerRead, readSeries, type SeriesRead } from "./series-reader.ts"
import type { SeriesUnits } from "./series-units.ts"

export interface UnitRead extends SeriesRead {
  readonly units: SeriesUnits
  readonly aggregation: SeriesAggregation
  readonly grid: ColumnGrid
}

/** The values are scratch memory: read during the call only. */
export type UnitConsumer = (unit: number, found: TimedValues) => void

/** Units that are read together; between two such reads the time is looked at. */
export function unitsPerRead(read: UnitRead): number {
  if (read.units.isGrouped) return unitsHeldMax(read)
  return read.resolution === "ZERO"
    ? rawSeriesPerRead(seriesPerReadMax, read.span)
    : seriesPerReadMax
}

/** Units of whose buckets as many are held as the memory of groups allows. */
export function unitsHeldMax(read: Pick<UnitRead, "grid" | "span" | "resolution">): number {
  return Math.max(1, Math.floor(groupedBucketsMax / bucketsOf(read)))
}

/** Calls `consume` once for each of these units that has values, in any order. */
export async function readUnits(
  context: QueryContext,
  wanted: readonly number[],
  read: UnitRead & { readonly field: BucketField },
  consume: UnitConsumer,
): Promise<void> {
  const { units } = read
  if (units.isGrouped) {
    const perRead = unitsHeldMax(read)
    for (let from = 0; from < wanted.length; from += perRead) {
      await readGroups(context, wanted.slice(from, from + perRead), read, consume)
    }
    return
  }
  const { series, unitOf } = units.singles(wanted)
  await readSeries(context, series, read, (one, found) => consume(unitOf(one), found))
}

/** Buckets of a group: of raw samples the columns, since they have no times in common. */
function bucketsOf({ grid, span, resolution }: Pick<UnitRead, "grid" | "span" | "resolution">) {
  if (resolution === "ZERO") return Math.max(1, grid.count)
  return Math.max(1, Math.ceil((span.endMs - span.startMs) / bucketMsOf(resolution)))
}

async function readGroups(
  context: QueryContext,
  wanted: readonly number[],
  read: UnitRead & { readonly field: BucketField },
  consume: UnitConsumer,
): Promise<void> {
  const { units, grid, span, resolution } = read
  const buckets = bucketsOf(read)
  const isRaw = resolution === "ZERO"
  const axis = isRaw
    ? { startMs: grid.startMs, stepMs: grid.stepMs }
    : { startMs: span.startMs, stepMs: bucketMsOf(resolution) }
  const firstOf = new Map<number, number>()
  wanted.forEach((unit, at) => {
    for (const one of units.seriesOf(unit)) firstOf.set(one, at * buckets)
  })
  const group = createAggregator(read.aggregation)
  try {
    const all = Int32Array.from(firstOf.keys())
    await readSeries(context, all, read, (one, found) => {
      const values = isRaw ? columnValues(found, grid) : found
      add(group, values, firstOf.get(one)!, axis)
    })
    wanted.forEach((unit, at) => {
      const found = valuesOf(group, { first: at * buckets, buckets, ...axis })
      if (found.values.length > 0) consume(unit, found)
    })
  } finally {
    group.release()
  }
}

interface TimeAxis {
  readonly startMs: number
  readonly stepMs: number
}

/** The mean of the raw values of each column, at its start. */
function columnValues(found: TimedValues, grid: ColumnGrid): TimedValues {
  const columns = toColumns(found, grid, "mean")
  const timesMs = columns.map((value, i) =>
    Number.isNaN(value) ? NaN : grid.startMs + i * grid.stepMs,
  )
  const isThere = (value: number): boolean => !Number.isNaN(value)
  return { timesMs: timesMs.filter(isThere), values: columns.filter(isThere) }
}

function add(
  group: ValueAggregator,
  { timesMs, values }: TimedValues,
  first: number,
  { startMs, stepMs }: TimeAxis,
): void {
  const { length } = timesMs
  if (length === 0) return
  const indexOf = (timeMs: number): number => first + Math.floor((timeMs - startMs) / stepMs)
  const from = indexOf(timesMs[0]!)
  if (indexOf(timesMs[length - 1]!) - from === length - 1) group.addRun(from, values)
  else group.add(Int32Array.from(timesMs, indexOf), values)
}

function valuesOf(
  group: ValueAggregator,
  axis: TimeAxis & { readonly first: number; readonly buckets: number },
): TimedValues {
  const { first, buckets, startMs, stepMs } = axis
  const timesMs: number[] = []
  const values: number[] = []
  for (let i = 0; i < buckets && first + i < group.length; i++) {
    if (!group.has(first + i)) continue
    timesMs.push(startMs + i * stepMs)
    values.push(group.value(first + i))
  }
  return { timesMs: Float64Array.from(timesMs), values: Float64Array.from(values) }
}
