/**
 * Compaction queue: the days and blocks that have recent records and must be compacted. Held in
 * memory, with a marker on disk for each, written by the first flush that touches the day and
 * removed by the compaction.
 */

import { assert } from "../../../base/assert.ts"
import { smallestOf } from "../../../base/iterables.ts"
import { dayMs } from "../../../model/resolution.ts"
import { packMarker } from "../disk/marker.ts"
import type { DayOfBlock } from "../tiers/compacted-cells.ts"
import { keyToPeriod, periodKey, type Tables, type BlockIndex } from "../disk/tables.ts"
import type { WriteBuffer } from "../disk/write-buffer.ts"

/** Time after the end of a day before its first compaction: covers ordinary late samples. */
const compactionDelayMs = 3_600_000
/**
 * Time without writes before a compaction. A backfill pauses between its batches, and each
 * compaction rewrites the block's day: 5 ms and 0.25 µs per sample.
 */
const quietMs = 10_000
/**
 * A compacted day collects late samples for this long, because each compaction rewrites it, or
 * until they are more than it has.
 */
const quietRecompactMs = 600_000
/** Flushes that did not touch a day: a backfill in time order is past it. */
const flushesWithout = 2

interface QueuedDay {
  /** Elapsed time and number of the last flush that touched the day. */
  touchedMs: number
  touchedFlush: number
  readonly sinceMs: number
  /** Samples that flushes have written since then. */
  samples: number
  /**
   * Samples that are compacted of the day, -1 if it is not; undefined until looked up. Kept, as
   * each step of maintenance asks: only a compaction changes it, and ends this entry.
   */
  compactedSamples?: number
}

export interface CompactionMoment {
  readonly nowMs: number
  readonly elapsedMs: number
}

/**
 * Returns the clock for compactions: the system clock, limited if cycles are still to be closed
 * (`MaintenanceOptions.closedUpToMs`).
 */
export function compactionClockMs(moment: {
  readonly nowMs: number
  readonly closedUpToMs?: number
}): number {
  const { nowMs, closedUpToMs = Infinity } = moment
  return Math.min(nowMs, closedUpToMs + compactionDelayMs)
}

/** True if the day ended long enough ago to be compacted. */
export function isDayOver(day: number, nowMs: number): boolean {
  return (day + 1) * dayMs + compactionDelayMs <= nowMs
}

export class CompactionQueue {
  private readonly days = new Map<number, Map<number, QueuedDay>>()
  private flushNumber = 0
  /** Samples that compactions take before the next flush. */
  private owedSamples = 0

  /**
   * Replaces the queue by the markers on disk; their days count as touched long ago. A compaction
   * may have failed, so the next flush goes first.
   */
  load(tables: Tables): void {
    this.owedSamples = 0
    this.days.clear()
    for (const key of tables.openDays.getKeys({})) {
      const { period, block } = keyToPeriod(key)
      this.blocksOf(period).set(block, {
        touchedMs: -Infinity,
        touchedFlush: -2,
        sinceMs: -Infinity,
        samples: 0,
      })
    }
  }

  beginFlush(samples: number): void {
    assert(samples >= 0, "Expected the samples of the flush")
    this.flushNumber++
    this.owedSamples = samples
  }

  /**
   * True until as many samples as the last flush had were compacted. Then a day that is ready goes
   * before the next flush: a long import leaves about a day in recent records, and not all of it.
   */
  get isBehind(): boolean {
    return this.owedSamples > 0
  }

  /** Notes that a flush or a closing writes recent records of (day, block), of `samples`. */
  touch(
    day: number,
    block: BlockIndex,
    to: { tables: Tables; writes: WriteBuffer; elapsedMs: number },
    samples = 0,
  ) {
    assert(Number.isSafeInteger(day) && block >= 0, "Expected a day and a block")
    const blocks = this.blocksOf(day)
    const known = blocks.get(block)
    if (known !== undefined) {
      known.touchedMs = to.elapsedMs
      known.touchedFlush = this.flushNumber
      known.samples += samples
      return
    }
    blocks.set(block, {
      touchedMs: to.elapsedMs,
      touchedFlush: this.flushNumber,
      sinceMs: to.elapsedMs,
      samples,
    })
    const key = periodKey(day, block)
    to.writes.put(to.tables.openDays, key, packMarker(key))
  }

  /** Removes (day, block), which is compacted and has `samples` raw samples. */
  remove(day: number, block: BlockIndex, samples: number): void {
    this.owedSamples -= samples
    const blocks = this.days.get(day)
    blocks?.delete(block)
    if (blocks?.size === 0) this.days.delete(day)
  }

  /**
   * Yields the blocks that are ready for compaction, those of the oldest day first.
   * `compactedSamples` returns -1 for a day that is not compacted.
   */
  *ready(
    moment: CompactionMoment,
    compactedSamples: (day: number, block: BlockIndex) => number,
  ): Generator<DayOfBlock, void> {
    for (const day of [...this.days.keys()].sort((left, right) => left - right)) {
      if (!isDayOver(day, moment.nowMs)) break
      for (const [block, open] of this.days.get(day)!) {
        if (this.isReady(open, moment, () => compactedSamples(day, block))) yield { day, block }
      }
    }
  }

  /** Returns the oldest day in the queue; Infinity if the queue is empty. */
  oldestDay(): number {
    return smallestOf(this.days.keys())
  }

  get size(): number {
    let size = 0
    for (const blocks of this.days.values()) size += blocks.size
    return size
  }

  private isReady(
    open: QueuedDay,
    moment: CompactionMoment,
    compactedSamples: () => number,
  ): boolean {
    const untouchedMs = moment.elapsedMs - open.touchedMs
    const isPassed = this.flushNumber - open.touchedFlush >= flushesWithout
    if (untouchedMs < quietMs && !isPassed) return false
    if (moment.elapsedMs - open.sinceMs >= quietRecompactMs) return true
    open.compactedSamples ??= compactedSamples()
    return open.samples > open.compactedSamples
  }

  private blocksOf(day: number): Map<number, QueuedDay> {
    let blocks = this.days.get(day)
    if (blocks === undefined) this.days.set(day, (blocks = new Map()))
    return blocks
  }
}
