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
   * A copy of the samples of the wanted series in `span`, in order of arrival; or the first one of
   * each. For counters also those before the span, because the first cycle depends on them.
   */
  select(
    series: Int32Array,
    span: Span,
    options: { onlyFirst?: boolean; isCounter?: (series: SeriesIndex) => boolean } = {},
  ): UnflushedSamples {
    const { onlyFirst = false, isCounter } = options
    const wanted = new IntColumn()
    for (const one of series) {
      wanted.set(one, isCounter?.(one) && !onlyFirst ? wantedEarlier : 1)
    }
    const query = { wanted, span, onlyFirst }
    const found = new SampleBatchBuilder()
    for (const { batch } of [...this.frozen, ...this.active]) addWanted(batch, query, found)
    return found.copy()
  }
}

/** In `wanted`: samples before the span too. */
const wantedEarlier = 2

interface SelectionQuery {
  /** By series: 1 in the span, 2 before it as well. */
  readonly wanted: IntColumn
  readonly span: Span
  /** True if a series is no longer wanted after its first sample. */
  readonly onlyFirst: boolean
}

/** Adds the wanted samples of one batch to `found`; a request without any gets no number. */
function addWanted(batch: BatchRecord, query: SelectionQuery, found: SampleBatchBuilder): void {
  const { wanted, span, onlyFirst } = query
  let request = -1
  for (let run = 0; run < batch.runCount; run++) {
    const timeMs = batch.runTimesMs[run]!
    if (timeMs >= span.endMs) continue
    const least = timeMs < span.startMs ? wantedEarlier : 1
    const end = runEnd(batch, run)
    for (let at = batch.runStarts[run]!; at < end; at++) {
      if (wanted.get(batch.series[at]!) < least) continue
      if (onlyFirst && isObserved(batch, at)) wanted.remove(batch.series[at]!)
      if (batch.runRequests[run] !== request) {
        request = batch.runRequests[run]!
        found.startRequest()
      }
      found.pushFrom(batch, at, timeMs)
    }
  }
}
