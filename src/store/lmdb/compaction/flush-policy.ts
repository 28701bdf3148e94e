/** FlushPolicy: when the frames that wait should be folded, and whether what somebody waits for is. */

import { cycleMs } from "../../../model/resolution.ts"
import type { MaintenanceOptions } from "../../store.ts"
import type { Memtable } from "../wal/memtable.ts"

/**
 * Open samples that start a fold whatever the time: 26 MB of frames, and twice that to group them.
 */
const flushSamplesMax = 2_000_000
/**
 * Open frames that do the same: 200 a second for a cycle. What has names alone would never be due,
 * and the journal would grow without an end.
 */
const flushBatchesMax = 65_536
/**
 * Closed cycles wait this long for company while ingest goes on, so that blocks are written once.
 */
const flushPauseMs = 10_000

export class FlushPolicy {
  /** Elapsed time when the newest fold began. */
  lastFlushMs = -Infinity
  private readonly memtable: Memtable
  private readonly cycleGraceMs: number
  /** What is to be folded at once: samples before `upToMs`, in frames before `sequence`. */
  private goal = { upToMs: -Infinity, sequence: 0 }

  constructor(memtable: Memtable, cycleGraceMs: number) {
    this.memtable = memtable
    this.cycleGraceMs = cycleGraceMs
  }

  isDue(moment: MaintenanceOptions, elapsedMs: number): boolean {
    const { active, activeSamples, activeOldestMs } = this.memtable
    if (activeSamples >= flushSamplesMax || active.length >= flushBatchesMax) return true
    if (this.isGoalActive()) return true
    const cycleEndMs = Math.floor(activeOldestMs / cycleMs) * cycleMs + cycleMs
    if (cycleEndMs + this.cycleGraceMs > moment.nowMs) return false
    return moment.idle || elapsedMs - this.lastFlushMs >= flushPauseMs
  }

  /** `nextSequence`: that of the first frame that comes later. True where the goal is a new one. */
  setGoal(upToMs = -Infinity, nextSequence: number): boolean {
    if (upToMs === this.goal.upToMs) return false
    this.goal = { upToMs, sequence: nextSequence }
    return upToMs > -Infinity
  }

  /** True where any sample that the goal names may not be in a bucket yet. */
  isGoalPending(): boolean {
    const { frozen } = this.memtable
    return this.isGoalActive() || (frozen.length > 0 && frozen[0]!.sequence < this.goal.sequence)
  }

  /** True where frames that the goal names wait for a fold. */
  private isGoalActive(): boolean {
    const { active, activeOldestMs } = this.memtable
    const { upToMs, sequence } = this.goal
    return activeOldestMs < upToMs && active[0]!.sequence < sequence
  }
}
