/** Rest: what the writing half gives back when no job is left to do. */

import type { MaintenanceOptions } from "../../store.ts"
import type { JobDeps } from "./job.ts"

/**
 * So long after the last fold the journal gives back the segments of a burst, one a step: agents
 * post once a minute, and those that post again should find them. A later burst makes them anew, in
 * 1 % of the CPU that its samples take.
 */
const walTrimDelayMs = 90_000
/**
 * How often scratch memory is given back that a crowded block needed. After each fold it would be
 * worse: the next one made it anew before the old was collected (984 MB instead of 781).
 */
const scratchTrimPauseMs = 90_000

export class IdleCleanup {
  private readonly context: JobDeps
  private lastShrinkMs = -Infinity

  constructor(context: JobDeps) {
    this.context = context
  }

  /** Gives back what only work needs. `lastFoldMs`: elapsed time when the newest fold began. */
  run({ nowMs, idle }: MaintenanceOptions, lastFlushMs: number): void {
    const elapsedMs = this.context.elapsedMs()
    if (elapsedMs - lastFlushMs >= walTrimDelayMs) this.trimWal(nowMs)
    // While samples come, the next fold takes it again.
    if (idle) this.context.groups.clear()
    if (elapsedMs - this.lastShrinkMs >= scratchTrimPauseMs) this.shrink(elapsedMs)
  }

  /** Else a burst would leave 72 MiB for good, as much as 20 million sealed samples take. */
  private trimWal(nowMs: number): void {
    const { wal } = this.context
    if (wal.hasSpareSegment && !wal.areSegmentsRetained(nowMs)) wal.removeSpareSegment()
  }

  private shrink(elapsedMs: number): void {
    const { cycleMerger, windowMerger, compactedWindows } = this.context
    this.lastShrinkMs = elapsedMs
    for (const scratch of [cycleMerger, windowMerger, compactedWindows]) scratch.shrink()
  }
}
