/** Idle cleanup: frees WAL segments and workspace memory when the writer has no jobs. */

import type { MaintenanceOptions } from "../../maintenance-store.ts"
import type { JobDeps } from "./job.ts"

/**
 * Time after the last flush before spare WAL segments are removed, one per step: agents post once a
 * minute, and their next posts should find the segments. Creating them again for a later burst
 * takes 1 % of the CPU of its samples.
 */
const walTrimDelayMs = 90_000
/**
 * Pause between two releases of the workspace memory that a block over the sample limit needed. A
 * release after each flush is worse: the next flush allocates it again before the old memory is
 * collected (984 MB instead of 781).
 */
const scratchTrimPauseMs = 90_000

export class IdleCleanup {
  private readonly deps: JobDeps
  private lastShrinkMs = -Infinity

  constructor(deps: JobDeps) {
    this.deps = deps
  }

  /** Frees memory and files. `lastFlushMs`: elapsed time when the newest flush began. */
  run({ nowMs, idle }: MaintenanceOptions, lastFlushMs: number): void {
    const elapsedMs = this.deps.elapsedMs()
    if (elapsedMs - lastFlushMs >= walTrimDelayMs) this.trimWal(nowMs)
    // During ingest the next flush would allocate it again.
    if (idle) this.deps.groups.clear()
    if (elapsedMs - this.lastShrinkMs >= scratchTrimPauseMs) this.shrink(elapsedMs)
  }

  /** Without this, a burst leaves 72 MiB, as much as 20 million compacted samples take. */
  private trimWal(nowMs: number): void {
    const { wal } = this.deps
    if (wal.hasSpareSegment && !wal.areSegmentsRetained(nowMs)) wal.removeSpareSegment()
  }

  private shrink(elapsedMs: number): void {
    const { cycleMerger, windowMerger, compactedWindows } = this.deps
    this.lastShrinkMs = elapsedMs
    for (const scratch of [cycleMerger, windowMerger, compactedWindows]) scratch.shrink()
  }
}
