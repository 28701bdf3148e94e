/**
 * Samples of one group of requests, column by column: written by the scanner, stored in the WAL,
 * and kept in the memtable until they are flushed.
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

/** The state before a request, restored if the request is invalid; made by `startRequest`. */
export interface ColumnsCheckpoint {
  readonly count: number
  readonly runCount: number
  readonly requestCount: number
  readonly aggregateCount: number
}

export class SampleBatchBuilder {
  count = 0
  series = new Int32Array(1024)
  values = new Float64Array(1024)

  runCount = 0
  /** Index of the first sample of each run. */
  runStarts = new Int32Array(64)
  runTimesMs = new Float64Array(64)
  /**
   * Ordinal of the request, from 0, in this group; the samples of one request form a multiset
   * (spec/samples §1).
   */
  runRequests = new Int32Array(64)
  requestCount = 0

  aggregateCount = 0
  /** Index of the sample of each aggregate entry, ascending. */
  aggregateSamples = new Int32Array(16)
  /** Bit `1 << field` is set if the client sent that field. */
  aggregateMasks = new Uint8Array(16)
  /** Six fields an entry, in the order of `sampleFields`; 0 if the mask has no bit. */
  aggregateFields = new Float64Array(16 * fieldCount)

  /** Starts the next request; all samples pushed from now on belong to it. */
  startRequest(): ColumnsCheckpoint {
    const mark = {
      count: this.count,
      runCount: this.runCount,
      requestCount: this.requestCount,
      aggregateCount: this.aggregateCount,
    }
    this.requestCount++
    return mark
  }

  /** Removes everything since `mark`, including the request that it started. */
  rollback(mark: ColumnsCheckpoint): void {
    this.count = mark.count
    this.runCount = mark.runCount
    this.requestCount = mark.requestCount
    this.aggregateCount = mark.aggregateCount
  }

  /** Adds one sample. `value` is finite; `timeMs` whole epoch milliseconds. */
  push(series: number, timeMs: number, value: number): void {
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
    series: number,
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

  /** Empties the columns and keeps their memory. */
  clear(): void {
    this.count = 0
    this.runCount = 0
    this.requestCount = 0
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

type Column = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

function grown<T extends Column>(column: T, kind: new (length: number) => T): T {
  const larger = new kind(column.length * 2)
  larger.set(column as never)
  return larger
}
