/**
 * Memtable: the batches that are durable in the WAL and not yet flushed.
 *
 *   active   batches since the last flush began          ← append
 *   frozen   batches that the running flush works on     → buckets
 *
 * Both hold unflushed samples: a query sees both until the flush has dropped its frozen batches.
 */

import { assert } from "../../../base/assert.ts"
import { fieldCount } from "../../../model/sample-batch.ts"
import type { Span } from "../../../model/span.ts"
import { sampleCount } from "../../../rollup/contribution.ts"
import type { UnflushedSamples } from "../../append-store.ts"
import type { BatchRecord } from "../encoding/batch-record.ts"

export interface PendingBatch {
  readonly sequence: number
  readonly batch: BatchRecord
}

export class Memtable {
  active: PendingBatch[] = []
  frozen: PendingBatch[] = []
  activeSamples = 0
  frozenSamples = 0
  bytes = 0
  /** Oldest sample time in the active batches; Infinity if there are none. */
  activeOldestMs = Infinity

  get sampleCount(): number {
    return this.activeSamples + this.frozenSamples
  }

  add(held: PendingBatch): void {
    const { batch } = held
    const last = this.active.at(-1)
    assert(last === undefined || last.sequence < held.sequence, "Expected batches by their numbers")
    this.active.push(held)
    this.activeSamples += batch.count
    this.bytes += batch.bytes.length
    for (let run = 0; run < batch.runCount; run++) {
      if (batch.runTimesMs[run]! < this.activeOldestMs) this.activeOldestMs = batch.runTimesMs[run]!
    }
  }

  /** Hands the active batches to a flush. */
  freeze(): readonly PendingBatch[] {
    assert(this.frozen.length === 0, "Expected one flush at a time")
    this.frozen = this.active
    this.frozenSamples = this.activeSamples
    this.active = []
    this.activeSamples = 0
    this.activeOldestMs = Infinity
    return this.frozen
  }

  /** Drops the frozen batches: their samples are in buckets now. */
  dropFrozen(): void {
    for (const { batch } of this.frozen) this.bytes -= batch.bytes.length
    assert(this.bytes >= 0, "Expected to drop batches that were added")
    this.frozen = []
    this.frozenSamples = 0
  }

  /** Makes the frozen batches active again after their flush failed. */
  unfreeze(): void {
    const { sampleCount: count } = this
    const later = this.active
    const frozen = this.frozen
    this.active = []
    this.activeSamples = 0
    this.frozen = []
    this.frozenSamples = 0
    this.bytes = 0
    for (const held of [...frozen, ...later]) this.add(held)
    assert(this.sampleCount === count, "Expected to lose no sample")
  }

  /**
   * Samples of the wanted series in `span`, in order of arrival; or the first one of each. For
   * counters also those before the span, because the first cycle depends on them.
   */
  select(
    series: Int32Array,
    span: Span,
    seriesCount: number,
    options: { onlyFirst?: boolean; isCounter?: (series: number) => boolean } = {},
  ): UnflushedSamples {
    const { onlyFirst = false, isCounter } = options
    const wanted = new Uint8Array(seriesCount)
    for (const one of series) {
      if (one < seriesCount) wanted[one] = isCounter?.(one) && !onlyFirst ? wantedEarlier : 1
    }
    const selection = new Selection()
    let requests = 0
    for (const { batch } of [...this.frozen, ...this.active]) {
      selection.addBatch(batch, { wanted, span, firstRequest: requests, onlyFirst })
      requests += batch.requestCount
    }
    return selection.toUnflushedSamples()
  }
}

/** In `wanted`: samples before the span too. */
const wantedEarlier = 2

interface SelectionQuery {
  /** By series: 0 none, 1 in the span, 2 before it as well. */
  readonly wanted: Uint8Array
  readonly span: Span
  readonly firstRequest: number
  /** True if a series is no longer wanted after its first sample. */
  readonly onlyFirst: boolean
}

/** Growing columns of the selected samples. */
class Selection {
  private readonly series: number[] = []
  private readonly timesMs: number[] = []
  private readonly values: number[] = []
  private readonly requests: number[] = []
  private readonly aggregates: number[] = []
  private readonly aggregateMasks: number[] = []
  private readonly aggregateFields: number[] = []

  addBatch(batch: BatchRecord, query: SelectionQuery): void {
    for (let run = 0; run < batch.runCount; run++) {
      const timeMs = batch.runTimesMs[run]!
      if (timeMs >= query.span.endMs) continue
      const least = timeMs < query.span.startMs ? wantedEarlier : 1
      const end = run + 1 < batch.runCount ? batch.runStarts[run + 1]! : batch.count
      for (let at = batch.runStarts[run]!; at < end; at++) {
        if (!(query.wanted[batch.series[at]!]! >= least)) continue
        if (query.onlyFirst && isObserved(batch, at)) query.wanted[batch.series[at]!] = 0
        this.add(batch, at, { timeMs, request: query.firstRequest + batch.runRequests[run]! })
      }
    }
  }

  private add(batch: BatchRecord, at: number, sample: { timeMs: number; request: number }): void {
    this.series.push(batch.series[at]!)
    this.timesMs.push(sample.timeMs)
    this.values.push(batch.values[at]!)
    this.requests.push(sample.request)
    const entry = batch.aggregateCount > 0 ? findAggregate(batch, at) : -1
    this.aggregates.push(entry < 0 ? -1 : this.aggregateMasks.length)
    if (entry < 0) return
    this.aggregateMasks.push(batch.aggregateMasks[entry]!)
    for (let f = 0; f < fieldCount; f++) {
      this.aggregateFields.push(batch.aggregateFields[entry * fieldCount + f]!)
    }
  }

  toUnflushedSamples(): UnflushedSamples {
    return {
      series: Int32Array.from(this.series),
      timesMs: Float64Array.from(this.timesMs),
      values: Float64Array.from(this.values),
      requests: Int32Array.from(this.requests),
      aggregates: Int32Array.from(this.aggregates),
      aggregateMasks: Uint8Array.from(this.aggregateMasks),
      aggregateFields: Float64Array.from(this.aggregateFields),
    }
  }
}

/** False for an aggregate without observations (`cnt` 0), which is no data. */
function isObserved(batch: BatchRecord, at: number): boolean {
  const entry = batch.aggregateCount > 0 ? findAggregate(batch, at) : -1
  if (entry < 0) return true
  return sampleCount(batch.aggregateMasks[entry]!, batch.aggregateFields, entry) > 0
}

/** Index of the aggregate of a sample, or -1; aggregates are in order of their samples. */
export function findAggregate(batch: BatchRecord, sample: number): number {
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
