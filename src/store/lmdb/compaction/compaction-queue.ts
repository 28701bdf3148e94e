/**
 * Open days: which blocks have recent records of which day, and so must be sealed. Kept in memory,
 * with a marker on disk for each, written by the fold that first touches it and removed by the
 * seal.
 */

import { smallestOf } from "../../../base/iterables.ts"
import { dayMs } from "../../../model/resolution.ts"
import { packMarker } from "../disk/marker.ts"
import { keyToPeriod, periodKey, type Tables } from "../disk/tables.ts"
import type { WriteBuffer } from "../disk/write-buffer.ts"

/** How long after its end a day stays open for ordinary lateness before it is sealed first. */
const compactionDelayMs = 3_600_000
/**
 * Quiet that must precede a seal. A backfill pauses between its batches, and each seal of a block's
 * day rewrites it: 5 ms and 0.4 µs a sample.
 */
const quietMs = 10_000
/**
 * A day that was sealed before collects late samples this long, as each seal rewrites its block.
 */
const quietRecompactMs = 600_000
/** Folds that passed a day by: a backfill in time order has left it behind. */
const flushesWithout = 2

interface QueuedDay {
  /** Elapsed time and number of the last fold that touched it. */
  touchedMs: number
  touchedFlush: number
  readonly sinceMs: number
}

export interface CompactionMoment {
  readonly nowMs: number
  readonly elapsedMs: number
}

/**
 * The clock that seals go by: that of the world, held back where cycles are still to be closed
 * (`MaintenanceOptions.closedUpToMs`).
 */
export function compactionClockMs(moment: {
  readonly nowMs: number
  readonly closedUpToMs?: number
}): number {
  const { nowMs, closedUpToMs = Infinity } = moment
  return Math.min(nowMs, closedUpToMs + compactionDelayMs)
}

/** True where a day has been over for so long that it may be sealed. */
export function isDayOver(day: number, nowMs: number): boolean {
  return (day + 1) * dayMs + compactionDelayMs <= nowMs
}

export class CompactionQueue {
  private readonly days = new Map<number, Map<number, QueuedDay>>()
  private flushNumber = 0

  /** Reads the markers, and only those; what they name counts as touched long ago. */
  load(tables: Tables): void {
    this.days.clear()
    for (const key of tables.openDays.getKeys({})) {
      const { period, block } = keyToPeriod(key)
      this.blocksOf(period).set(block, {
        touchedMs: -Infinity,
        touchedFlush: -2,
        sinceMs: -Infinity,
      })
    }
  }

  beginFlush(): void {
    this.flushNumber++
  }

  /** Notes that a fold writes recent records of (day, block). */
  touch(
    day: number,
    block: number,
    to: { tables: Tables; writes: WriteBuffer; elapsedMs: number },
  ) {
    const blocks = this.blocksOf(day)
    const known = blocks.get(block)
    if (known !== undefined) {
      known.touchedMs = to.elapsedMs
      known.touchedFlush = this.flushNumber
      return
    }
    blocks.set(block, {
      touchedMs: to.elapsedMs,
      touchedFlush: this.flushNumber,
      sinceMs: to.elapsedMs,
    })
    const key = periodKey(day, block)
    to.writes.put(to.tables.openDays, key, packMarker(key))
  }

  /** Forgets (day, block): it was sealed. */
  remove(day: number, block: number): void {
    const blocks = this.days.get(day)
    blocks?.delete(block)
    if (blocks?.size === 0) this.days.delete(day)
  }

  /** The oldest day's next block that is ready to be sealed, or null. */
  next(
    moment: CompactionMoment,
    isSealed: (day: number, block: number) => boolean,
  ): { day: number; block: number } | null {
    for (const day of [...this.days.keys()].sort((left, right) => left - right)) {
      if (!isDayOver(day, moment.nowMs)) break
      for (const [block, open] of this.days.get(day)!) {
        if (this.isReady(open, moment, () => isSealed(day, block))) return { day, block }
      }
    }
    return null
  }

  /** Number of the oldest open day; Infinity when there is none. */
  oldestDay(): number {
    return smallestOf(this.days.keys())
  }

  get size(): number {
    let size = 0
    for (const blocks of this.days.values()) size += blocks.size
    return size
  }

  private isReady(open: QueuedDay, moment: CompactionMoment, isSealed: () => boolean): boolean {
    const untouchedMs = moment.elapsedMs - open.touchedMs
    const passedBy = this.flushNumber - open.touchedFlush >= flushesWithout
    if (untouchedMs < quietMs && !passedBy) return false
    return moment.elapsedMs - open.sinceMs >= quietRecompactMs || !isSealed()
  }

  private blocksOf(day: number): Map<number, QueuedDay> {
    let blocks = this.days.get(day)
    if (blocks === undefined) this.days.set(day, (blocks = new Map()))
    return blocks
  }
}
