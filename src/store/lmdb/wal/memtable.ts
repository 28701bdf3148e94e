/**
 * Memtable: the batches that are durable in the WAL and not yet flushed.
 *
 *   active   batches since the last flush began          ← append
 *   frozen   batches that the running flush works on     → buckets
 *
 * Both hold unflushed samples: a query sees both until the flush has dropped its frozen batches.
 */

import { assert } from "../../../base/assert.ts"
import { IntColumn } from "../../../catalogue/catalogue.ts"
import { runEnd, SampleBatchBuilder } from "../../../model/sample-batch.ts"
import type { Span } from "../../../model/span.ts"
import { isObserved } from "../../../rollup/contribution.ts"
import type { UnflushedSamples } from "../../append-store.ts"
import type { BatchRecord } from "../encoding/batch-record.ts"
import type { SeriesIndex } from "../../../model/ids.ts"

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
   * A copy of the samples of the wanted series in `span`, in order of arrival. For counters also
   * those before the span, because the first cycle depends on them.
   */
  select(
    series: Int32Array,
    span: Span,
    isCounter: (series: SeriesIndex) => boolean = () => false,
  ): UnflushedSamples {
    const wanted = new IntColumn()
    for (const one of series) wanted.set(one, isCounter(one) ? wantedEarlier : 1)
    const found = new SampleBatchBuilder()
    for (const { batch } of [...this.frozen, ...this.active]) {
      addWanted(batch, { wanted, span }, found)
    }
    return found.copy()
  }

  /**
   * Of each wanted series the newest observation in `span`, and those that arrived after it. Those
   * that arrived last are looked at first, as hardly any is older than one before it.
   */
  selectNewest(series: Int32Array, span: Span): UnflushedSamples {
    const newest = new NewestTimes(series)
    const found = new SampleBatchBuilder()
    for (const { batch } of [...this.frozen, ...this.active].reverse()) {
      addNewer(batch, { newest, span }, found)
    }
    return found.copy()
  }
}

/** In `wanted`: samples before the span too. */
const wantedEarlier = 2

interface SelectionQuery {
  /** By series: 1 in the span, 2 before it as well. */
  readonly wanted: IntColumn
  readonly span: Span
}

/** Adds the wanted samples of one batch to `found`; a request without any gets no number. */
function addWanted(batch: BatchRecord, query: SelectionQuery, found: SampleBatchBuilder): void {
  const { wanted, span } = query
  let request = -1
  for (let run = 0; run < batch.runCount; run++) {
    const timeMs = batch.runTimesMs[run]!
    if (timeMs >= span.endMs) continue
    const least = timeMs < span.startMs ? wantedEarlier : 1
    const end = runEnd(batch, run)
    for (let at = batch.runStarts[run]!; at < end; at++) {
      if (wanted.get(batch.series[at]!) < least) continue
      if (batch.runRequests[run] !== request) {
        request = batch.runRequests[run]!
        found.startRequest()
      }
      found.pushFrom(batch, at, timeMs)
    }
  }
}

/** The newest time that was found of each wanted series. */
class NewestTimes {
  private readonly positions = new IntColumn()
  private readonly timesMs: Float64Array

  constructor(series: Int32Array) {
    series.forEach((one, i) => this.positions.set(one, i))
    this.timesMs = new Float64Array(series.length).fill(-Infinity)
  }

  /** Whether the series is wanted, and the time newer than what was found of it. */
  isNewer(series: SeriesIndex, timeMs: number): boolean {
    const position = this.positions.get(series)
    return position >= 0 && timeMs > this.timesMs[position]!
  }

  set(series: SeriesIndex, timeMs: number): void {
    this.timesMs[this.positions.get(series)] = timeMs
  }
}

interface NewestQuery {
  readonly newest: NewestTimes
  readonly span: Span
}

/** Adds the observations that are newer than what was found; each run is a request of its own. */
function addNewer(
  batch: BatchRecord,
  { newest, span }: NewestQuery,
  found: SampleBatchBuilder,
): void {
  for (let run = batch.runCount - 1; run >= 0; run--) {
    const timeMs = batch.runTimesMs[run]!
    if (timeMs < span.startMs || timeMs >= span.endMs) continue
    let hasRequest = false
    const end = runEnd(batch, run)
    for (let at = batch.runStarts[run]!; at < end; at++) {
      const series = batch.series[at]!
      if (!newest.isNewer(series, timeMs) || !isObserved(batch, at)) continue
      newest.set(series, timeMs)
      if (!hasRequest) found.startRequest()
      hasRequest = true
      found.pushFrom(batch, at, timeMs)
    }
  }
}
