/** Background jobs: their form and their dependencies. */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import type { Resolution } from "../../../model/resolution.ts"
import type { ClockJumpGuard } from "./clock-guard.ts"
import type { ClosingWorkspace, CompactionWorkspace } from "./compaction-workspace.ts"
import type { PreviousCounterValues } from "../tiers/previous-counter-value.ts"
import type { SampleLimiter } from "./sample-limiter.ts"
import type { CycleMerger } from "../merge/cycle-merge.ts"
import type { ActualKinds } from "../metadata/actual-kinds.ts"
import type { GroupWorkspace } from "../merge/group-by-block.ts"
import type { Wal } from "../wal/wal.ts"
import type { Memtable } from "../wal/memtable.ts"
import type { CompactionQueue } from "./compaction-queue.ts"
import type { CompactedWindows } from "../tiers/compacted-windows.ts"
import type { Tables } from "../disk/tables.ts"
import type { WindowMerger } from "../merge/window-merge.ts"
import type { WriteBuffer } from "../disk/write-buffer.ts"

/**
 * A job in small steps: each `next` runs one step of at most some milliseconds. The write buffer
 * may be committed after any step, so its content must be a valid state: after a crash between two
 * steps the job runs again from the start, with the same result.
 */
export type Job = Generator<void, void>

export interface JobDeps {
  readonly tables: Tables
  readonly catalogue: Catalogue
  readonly actualKinds: ActualKinds
  readonly sampleLimiter: SampleLimiter
  readonly memtable: Memtable
  readonly wal: Wal
  readonly groups: GroupWorkspace
  readonly compactionQueue: CompactionQueue
  readonly writes: WriteBuffer
  /** Workspaces of the jobs, of which one runs at a time. */
  readonly compactedWindows: CompactedWindows
  readonly cycleMerger: CycleMerger
  readonly windowMerger: WindowMerger
  readonly previousValues: PreviousCounterValues
  readonly compaction: CompactionWorkspace
  readonly closing: ClosingWorkspace
  /** How long after its end a cycle counts as closed. */
  readonly cycleGraceMs: number
  readonly retentionMs: Readonly<Record<Resolution, number>>
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void
  readonly clockGuard: ClockJumpGuard
  /** Forgets the series that have no value in the days that retention keeps. */
  readonly forgetting: (nowMs: number) => Job
  /** Marks the series that do not count towards the limits at this time. */
  readonly dormancy: (nowMs: number) => Job
  /**
   * The day that is being compacted, or -1: the records that it read must not change until then.
   */
  readonly compacting: { day: number }
  readonly counters: { flushed: number; compacted: number; dropped: number }
}
