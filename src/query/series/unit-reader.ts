/** Reads one field of units (series-units.ts): of a series its values, of a group what they make. */

import { partitionSeriesMax } from "../../base/limits.ts"
import { groupedBucketsMax, seriesPerReadMax } from "../../base/limits/series.ts"
import { dayMs } from "../../model/resolution.ts"
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
  /** Whether the time is over: what is left of groups is then not read. */
  readonly isOver: () => boolean
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

/**
 * Calls `consume` once for each of these units that has values, in any order. Resolves to false if
 * the time was over before all series of a group were read: the group then has the values of those
 * that were.
 */
export async function readUnits(
  context: QueryContext,
  wanted: readonly number[],
  read: UnitRead & { readonly field: BucketField },
  consume: UnitConsumer,
): Promise<boolean> {
  const { units } = read
  if (units.isGrouped) {
    const perRead = unitsHeldMax(read)
    for (let from = 0; from < wanted.length; from += perRead) {
      const some = wanted.slice(from, from + perRead)
      if (!(await readGroups(context, some, read, consume))) return false
    }
    return true
  }
  const { series, unitOf } = units.singles(wanted)
  await readSeries(context, series, read, (one, found) => consume(unitOf(one), found))
  return true
}

/** Series of groups that are read together, after which the time is looked at: about 30 ms. */
function membersPerRead({ startMs, endMs }: UnitRead["span"]): number {
  const share = Math.min(1, dayMs / (endMs - startMs))
  return Math.max(partitionSeriesMax, Math.floor(seriesPerReadMax * share))
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
): Promise<boolean> {
  const { units, grid, span, resolution } = read
  const buckets = bucketsOf(read)
  const isRaw = resolution === "ZERO"
  const axis = isRaw
    ? { startMs: grid.startMs, stepMs: grid.stepMs }
    : { startMs: span.startMs, stepMs: bucketMsOf(resolution) }
  const firstsOf = new Map<number, number[]>()
  wanted.forEach((unit, at) => {
    for (const one of units.seriesOf(unit)) {
      const firsts = firstsOf.get(one)
      if (firsts === undefined) firstsOf.set(one, [at * buckets])
      else firsts.push(at * buckets)
    }
  })
  const group = createAggregator(read.aggregation)
  try {
    const all = Int32Array.from(firstsOf.keys())
    const perRead = membersPerRead(span)
    let from = 0
    for (; from < all.length && !(from > 0 && read.isOver()); from += perRead) {
      const some = all.subarray(from, from + perRead)
      await readSeries(context, some, read, (one, found) => {
        const values = isRaw ? columnValues(found, grid) : found
        for (const first of firstsOf.get(one)!) add(group, values, first, axis)
      })
    }
    wanted.forEach((unit, at) => {
      const found = valuesOf(group, { first: at * buckets, buckets, ...axis })
      if (found.values.length > 0) consume(unit, found)
    })
    return from >= all.length
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
