/**
 * Samples in order of arrival, column by column: filled by the scanner (`SampleBatchBuilder`),
 * stored in the WAL and kept in the memtable (`BatchRecord` in store/lmdb/encoding/), and what a
 * reader receives of the memtable. It has data only, so that it can be posted to another thread.
 *
 *   series  values          run 0: request 0, time t0          run 1: request 0, time t1
 *   ┌──┬──┬──┬──┬──┬──┐     ├─ samples [0, 3) ─┤               ├─ samples [3, 6) ─┤
 *   │s0│s1│s2│s0│s1│s2│
 *   └──┴──┴──┴──┴──┴──┘
 *
 * Consecutive samples of one request with one timestamp share a run, so an agent's request costs
 * twelve bytes a sample and one run. A sample that a client aggregated has an entry in the
 * aggregate columns; its entry in `values` is then its mean (see sampleMean in
 * rollup/contribution.ts).
 */

import { assert } from "../base/assert.ts"
import type { SeriesIndex } from "./ids.ts"

/** Bits of `aggregateMasks`, and positions in the six fields of an aggregate. */
export const sampleFields = ["val", "min", "max", "avg", "cnt", "sum"] as const
export type SampleField = (typeof sampleFields)[number]
export const fieldVal = 0
export const fieldMin = 1
export const fieldMax = 2
export const fieldAvg = 3
export const fieldCnt = 4
export const fieldSum = 5
export const fieldCount = 6

/** Columns may be longer than their count says. */
export interface SampleBatch {
  readonly count: number
  readonly series: Int32Array
  /** Finite; the mean of an aggregate. */
  readonly values: Float64Array

  readonly runCount: number
  /** Index of the first sample of each run; the first run starts at 0. */
  readonly runStarts: Int32Array
  readonly runTimesMs: Float64Array
  /**
   * Ordinal of the request, ascending; the samples of one request form a multiset
   * (spec/samples §1). Requests whose samples have the server's time share one.
   */
  readonly runRequests: Int32Array
  readonly requestCount: number

  readonly aggregateCount: number
  /** Index of the sample of each aggregate entry, ascending. */
  readonly aggregateSamples: Int32Array
  /** Bit `1 << field` is set if the client sent that field. */
  readonly aggregateMasks: Uint8Array
  /** Six fields an entry, in the order of `sampleFields`; 0 if the mask has no bit. */
  readonly aggregateFields: Float64Array
}

/** The memory of a copy's columns, which can be moved to another thread. */
export function buffersOfBatch(batch: SampleBatch): ArrayBuffer[] {
  const columns = Object.values(batch).filter((column) => ArrayBuffer.isView(column))
  return columns.map(({ buffer }) => buffer as ArrayBuffer)
}

/** Returns the index after the last sample of a run. */
export function runEnd({ runStarts, runCount, count }: SampleBatch, run: number): number {
  return run + 1 < runCount ? runStarts[run + 1]! : count
}

/**
 * Returns the run of a sample that is not before run `from`. Gallops, since in a bulk each sample
 * has a run of its own and most are skipped.
 */
export function runOf({ runStarts, runCount }: SampleBatch, sample: number, from = 0): number {
  let run = from
  let step = 1
  for (; run + step < runCount && runStarts[run + step]! <= sample; step *= 2) run += step
  for (; step >= 1; step >>= 1) {
    if (run + step < runCount && runStarts[run + step]! <= sample) run += step
  }
  return run
}

/** Returns the latest time of the samples from `from` on; -Infinity if there are none. */
export function latestTimeMs(batch: SampleBatch, from: number): number {
  const { runStarts, runTimesMs, runCount, count } = batch
  let latestMs = -Infinity
  if (from === count) return latestMs
  for (let run = runCount - 1; run >= 0; run--) {
    if (runTimesMs[run]! > latestMs) latestMs = runTimesMs[run]!
    if (runStarts[run]! <= from) break
  }
  return latestMs
}

/** Returns the index of the aggregate of a sample, or -1 for a plain value. */
export function findAggregate(batch: SampleBatch, sample: number): number {
  let low = 0
  let high = batch.aggregateCount - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = batch.aggregateSamples[middle]!
    if (found === sample) return middle
    if (found < sample) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The state before a request, restored if the request is invalid; made by `startRequest`. */
export interface ColumnsCheckpoint {
  readonly count: number
  readonly runCount: number
  readonly requestCount: number
  readonly isShared: boolean
  readonly aggregateCount: number
}

export class SampleBatchBuilder implements SampleBatch {
  count = 0
  series = new Int32Array(1024)
  values = new Float64Array(1024)
  runCount = 0
  runStarts = new Int32Array(64)
  runTimesMs = new Float64Array(64)
  runRequests = new Int32Array(64)
  requestCount = 0
  aggregateCount = 0
  aggregateSamples = new Int32Array(16)
  aggregateMasks = new Uint8Array(16)
  aggregateFields = new Float64Array(16 * fieldCount)
  /** True if the newest request is shared. */
  private isShared = false

  /**
   * Starts the next request; all samples pushed from now on belong to it. Shared ones that follow
   * each other are one multiset: the server gave their samples one time, so that equal samples are
   * several.
   */
  startRequest(isShared = false): ColumnsCheckpoint {
    const mark = {
      count: this.count,
      runCount: this.runCount,
      requestCount: this.requestCount,
      isShared: this.isShared,
      aggregateCount: this.aggregateCount,
    }
    if (!isShared || !this.isShared) this.requestCount++
    this.isShared = isShared
    return mark
  }

  /** Removes everything since `mark`, including the request that it started. */
  rollback(mark: ColumnsCheckpoint): void {
    this.count = mark.count
    this.runCount = mark.runCount
    this.requestCount = mark.requestCount
    this.isShared = mark.isShared
    this.aggregateCount = mark.aggregateCount
  }

  /** Removes those samples of the last request, which begin at `from`, that are not retained. */
  retain(from: number, isRetained: (series: SeriesIndex) => boolean): void {
    const { count, runCount, aggregateCount } = this
    let run = firstFrom(this.runStarts, runCount, from)
    let entry = firstFrom(this.aggregateSamples, aggregateCount, from)
    this.count = from
    this.runCount = run
    this.aggregateCount = entry
    for (; run < runCount; run++) {
      const end = run + 1 < runCount ? this.runStarts[run + 1]! : count
      const first = this.count
      for (let at = this.runStarts[run]!; at < end; at++) {
        const isAggregate = entry < aggregateCount && this.aggregateSamples[entry] === at
        if (isRetained(this.series[at]!)) this.move(at, isAggregate ? entry : -1)
        if (isAggregate) entry++
      }
      if (this.count === first) continue
      this.runStarts[this.runCount] = first
      this.runTimesMs[this.runCount] = this.runTimesMs[run]!
      this.runRequests[this.runCount++] = this.runRequests[run]!
    }
  }

  /** Moves a sample, and its aggregate unless `entry` is -1, to the end of what is retained. */
  private move(at: number, entry: number): void {
    if (entry >= 0) {
      const to = this.aggregateCount++
      this.aggregateSamples[to] = this.count
      this.aggregateMasks[to] = this.aggregateMasks[entry]!
      const from = entry * fieldCount
      this.aggregateFields.copyWithin(to * fieldCount, from, from + fieldCount)
    }
    this.series[this.count] = this.series[at]!
    this.values[this.count++] = this.values[at]!
  }

  /** Adds one sample. `value` is finite; `timeMs` whole epoch milliseconds. */
  push(series: SeriesIndex, timeMs: number, value: number): void {
    const at = this.count
    if (at === this.series.length) this.growSamples()
    const run = this.runCount - 1
    if (
      run < 0 ||
      this.runTimesMs[run] !== timeMs ||
      this.runRequests[run] !== this.requestCount - 1
    ) {
      this.startRun(timeMs)
    }
    this.series[at] = series
    this.values[at] = value
    this.count = at + 1
  }

  /**
   * Adds one sample with client-side aggregates. `fields` has the six values in the order of
   * `sampleFields`; `mean` becomes its entry in `values`.
   */
  pushAggregate(
    series: SeriesIndex,
    timeMs: number,
    mean: number,
    mask: number,
    fields: ArrayLike<number>,
  ): void {
    this.push(series, timeMs, mean)
    const at = this.aggregateCount
    if (at === this.aggregateSamples.length) this.growAggregates()
    this.aggregateSamples[at] = this.count - 1
    this.aggregateMasks[at] = mask
    for (let f = 0; f < fieldCount; f++) {
      this.aggregateFields[at * fieldCount + f] = (mask >> f) & 1 ? fields[f]! : 0
    }
    this.aggregateCount = at + 1
  }

  /** Adds a copy of sample `at` of another batch, whose run has the time `timeMs`. */
  pushFrom(batch: SampleBatch, at: number, timeMs: number): void {
    const entry = batch.aggregateCount > 0 ? findAggregate(batch, at) : -1
    if (entry < 0) return this.push(batch.series[at]!, timeMs, batch.values[at]!)
    const fields = batch.aggregateFields.subarray(entry * fieldCount, (entry + 1) * fieldCount)
    const mask = batch.aggregateMasks[entry]!
    this.pushAggregate(batch.series[at]!, timeMs, batch.values[at]!, mask, fields)
  }

  /** Returns a copy whose columns have exactly the length needed. */
  copy(): SampleBatch {
    const { count, runCount, requestCount, aggregateCount } = this
    return {
      count,
      series: this.series.slice(0, count),
      values: this.values.slice(0, count),
      runCount,
      runStarts: this.runStarts.slice(0, runCount),
      runTimesMs: this.runTimesMs.slice(0, runCount),
      runRequests: this.runRequests.slice(0, runCount),
      requestCount,
      aggregateCount,
      aggregateSamples: this.aggregateSamples.slice(0, aggregateCount),
      aggregateMasks: this.aggregateMasks.slice(0, aggregateCount),
      aggregateFields: this.aggregateFields.slice(0, aggregateCount * fieldCount),
    }
  }

  /** Empties the columns and keeps their memory. */
  clear(): void {
    this.count = 0
    this.runCount = 0
    this.requestCount = 0
    this.isShared = false
    this.aggregateCount = 0
  }

  private startRun(timeMs: number): void {
    assert(this.requestCount > 0, "Expected startRequest() before the first sample")
    const at = this.runCount
    if (at === this.runStarts.length) {
      this.runStarts = grown(this.runStarts, Int32Array)
      this.runTimesMs = grown(this.runTimesMs, Float64Array)
      this.runRequests = grown(this.runRequests, Int32Array)
    }
    this.runStarts[at] = this.count
    this.runTimesMs[at] = timeMs
    this.runRequests[at] = this.requestCount - 1
    this.runCount = at + 1
  }

  private growSamples(): void {
    this.series = grown(this.series, Int32Array)
    this.values = grown(this.values, Float64Array)
  }

  private growAggregates(): void {
    this.aggregateSamples = grown(this.aggregateSamples, Int32Array)
    this.aggregateMasks = grown(this.aggregateMasks, Uint8Array)
    this.aggregateFields = grown(this.aggregateFields, Float64Array)
  }
}

/** Index of the first of `count` ascending entries that is at least `from`, searched backwards. */
function firstFrom(ascending: Int32Array, count: number, from: number): number {
  let first = count
  while (first > 0 && ascending[first - 1]! >= from) first--
  return first
}

type Column = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

function grown<T extends Column>(column: T, kind: new (length: number) => T): T {
  const larger = new kind(column.length * 2)
  larger.set(column as never)
  return larger
}
