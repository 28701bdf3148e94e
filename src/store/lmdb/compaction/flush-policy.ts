/**
 * Flush policy: decides when the memtable is flushed, and whether a requested flush is complete.
 */

import { assert } from "../../../base/assert.ts"
import { cycleMs } from "../../../model/resolution.ts"
import type { MaintenanceOptions } from "../../maintenance-store.ts"
import type { Memtable } from "../wal/memtable.ts"

/**
 * Unflushed samples that start a flush at any time: 26 MB of batches, and twice that to group them.
 */
const flushSamplesDefault = 2_000_000
/**
 * Unflushed batches that start a flush: 200 a second for a cycle. Batches that hold only new series
 * would otherwise never be due, and the WAL would grow without bound.
 */
const flushBatchesMax = 65_536
/**
 * Minimum pause between flushes during ingest, so that each block is written once for several
 * cycles.
 */
const flushPauseMs = 10_000

export class FlushPolicy {
  /** Elapsed time when the newest flush began. */
  lastFlushMs = -Infinity
  private readonly memtable: Memtable
  private readonly cycleGraceMs: number
  private readonly flushSamplesMax: number
  /** Requested flush: samples before `upToMs`, in batches before `sequence`. */
  private goal = { upToMs: -Infinity, sequence: 0 }

  constructor(memtable: Memtable, cycleGraceMs: number, flushSamplesMax = flushSamplesDefault) {
    assert(flushSamplesMax > 0, "Expected a flush to have samples")
    this.flushSamplesMax = flushSamplesMax
    this.memtable = memtable
    this.cycleGraceMs = cycleGraceMs
  }

  isDue(moment: MaintenanceOptions, elapsedMs: number): boolean {
    const { active, activeSamples, activeOldestMs } = this.memtable
    if (activeSamples >= this.flushSamplesMax || active.length >= flushBatchesMax) return true
    if (this.isGoalActive()) return true
    const cycleEndMs = Math.floor(activeOldestMs / cycleMs) * cycleMs + cycleMs
    if (cycleEndMs + this.cycleGraceMs > moment.nowMs) return false
    return moment.idle || elapsedMs - this.lastFlushMs >= flushPauseMs
  }

  /**
   * Sets the requested flush, of batches before `nextSequence`. Returns true if it is a new one.
   */
  setGoal(upToMs = -Infinity, nextSequence: number): boolean {
    assert(nextSequence > 0, "Expected the number of the next batch")
    if (upToMs === this.goal.upToMs) return false
    this.goal = { upToMs, sequence: nextSequence }
    return upToMs > -Infinity
  }

  /** True if samples of the requested flush may not be in buckets yet. */
  isGoalPending(): boolean {
    const { frozen } = this.memtable
    return this.isGoalActive() || (frozen.length > 0 && frozen[0]!.sequence < this.goal.sequence)
  }

  /** True if batches of the requested flush are in the active memtable. */
  private isGoalActive(): boolean {
    const { active, activeOldestMs } = this.memtable
    const { upToMs, sequence } = this.goal
    return activeOldestMs < upToMs && active[0]!.sequence < sequence
  }
}
