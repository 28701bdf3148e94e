/**
 * Reads one field of many series: buckets, or raw samples by the same names. Times come as those of
 * the columns, after the shift of the query.
 */

import { rawWindowMsMax } from "../../base/limits/series.ts"
import type { SeriesIndex } from "../../model/ids.ts"
import type { Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { BucketField, SampleRecord } from "../../store/query-store.ts"
import type { QueryContext } from "../core/query-context.ts"
import { RawSampleReader } from "../statistics/cross-element-statistic.ts"
import type { TimedValues } from "./column-values.ts"

/** The values are scratch memory: read during the call only. */
export type SeriesConsumer = (series: SeriesIndex, found: TimedValues) => void

export interface SeriesRead {
  /** Of the columns. */
  readonly span: Span
  readonly resolution: Resolution
  readonly shiftMs: number
  readonly unflushed: UnflushedSamples | null
}

/** Of `most` series, how many raw samples are read together: fewer in a longer window. */
export function rawSeriesPerRead(most: number, { startMs, endMs }: Span): number {
  return Math.max(1, Math.floor(most * Math.min(1, rawWindowMsMax / (endMs - startMs))))
}

/** Series whose raw samples are read together for a window of `rawWindowMsMax`. */
const rawSeriesPerStep = 256
/** Fewer, because a record takes twenty times the memory of a value. */
export const recordSeriesPerStep = 16

/** Calls `consume` once for each series that has the field, in any order. */
export async function readSeries(
  context: QueryContext,
  series: Int32Array,
  read: SeriesRead & { readonly field: BucketField },
  consume: SeriesConsumer,
): Promise<void> {
  const { store, budget } = context
  const { field, resolution, shiftMs, unflushed } = read
  const span = shiftedBack(read)
  if (series.length === 0 || span.startMs >= span.endMs) return
  budget.check()
  if (resolution === "ZERO") return readRaw(context, series, read, consume)
  const asked = { series, span, resolution, field }
  await store.bucketValues(asked, unflushed, (one, timesMs, values) => {
    budget.step()
    consume(one, { timesMs: shifted(timesMs, shiftMs), values })
  })
}

/** The span of the samples that are read. */
export function shiftedBack({ span, shiftMs }: Pick<SeriesRead, "span" | "shiftMs">): Span {
  return { startMs: span.startMs - shiftMs, endMs: span.endMs - shiftMs }
}

function shifted(timesMs: Float64Array, shiftMs: number): Float64Array {
  return shiftMs === 0 ? timesMs : timesMs.map((timeMs) => timeMs + shiftMs)
}

async function readRaw(
  context: QueryContext,
  series: Int32Array,
  read: SeriesRead & { readonly field: BucketField },
  consume: SeriesConsumer,
): Promise<void> {
  const { span, field } = read
  const isValue = field === "actual"
  const most = isValue ? rawSeriesPerStep : recordSeriesPerStep
  const perStep = rawSeriesPerRead(most, span)
  for (let from = 0; from < series.length; from += perStep) {
    const step = series.subarray(from, from + perStep)
    if (isValue) await readRawValues(context, step, read, consume)
    else await readRawFields(context, step, read, consume)
  }
}

async function readRawValues(
  { store, budget }: QueryContext,
  series: Int32Array,
  read: SeriesRead,
  consume: SeriesConsumer,
): Promise<void> {
  const { shiftMs, unflushed } = read
  const span = shiftedBack(read)
  budget.check()
  const asked = { series, span, resolution: "ZERO", withValues: true, exact: false } as const
  for (const found of await store.statistics(asked, unflushed)) {
    consume(found.series, { timesMs: shifted(found.timesMs!, shiftMs), values: found.values! })
  }
}

async function readRawFields(
  context: QueryContext,
  series: Int32Array,
  read: SeriesRead & { readonly field: BucketField },
  consume: SeriesConsumer,
): Promise<void> {
  const reader = new RawSampleReader(read.field)
  await readRecords(context, series, read, ({ fields }) => reader.value(fields), consume)
}

/** One number of each record of some series; records without one are left out. */
export async function readRecords(
  { store, budget }: QueryContext,
  series: Int32Array,
  read: SeriesRead,
  valueOf: (record: SampleRecord) => number | null | undefined,
  consume: SeriesConsumer,
): Promise<void> {
  const { resolution, shiftMs, unflushed } = read
  budget.check()
  const found = await store.samples(series, { span: shiftedBack(read), resolution }, unflushed)
  for (const [i, records] of found.entries()) {
    const points = records.flatMap((record) => {
      const value = valueOf(record)
      return value === null || value === undefined ? [] : [{ timeMs: record.timeMs, value }]
    })
    if (points.length === 0) continue
    const timesMs = Float64Array.from(points, ({ timeMs }) => timeMs + shiftMs)
    consume(series[i]!, { timesMs, values: Float64Array.from(points, ({ value }) => value) })
  }
}
