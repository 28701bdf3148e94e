/** Background jobs: what they share, and the form they have. */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import type { Resolution } from "../../../model/resolution.ts"
import type { ClockJumpGuard } from "./clock-guard.ts"
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
 * A job in small steps: each `next` does one step of at most some milliseconds. What it put into
 * the write buffer may be committed after any step, and must be a valid state then: a crash between
 * two steps leaves the job to be begun anew, with the same end.
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
  /** Scratch memory of the jobs, of which one runs at a time. */
  readonly compactedWindows: CompactedWindows
  readonly cycleMerger: CycleMerger
  readonly windowMerger: WindowMerger
  readonly previousValues: PreviousCounterValues
  /** How long after its end a cycle counts as closed. */
  readonly cycleGraceMs: number
  readonly retentionMs: Readonly<Record<Resolution, number>>
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void
  readonly clockGuard: ClockJumpGuard
  /** The day that is being sealed, -1 when none is: what it read must not change meanwhile. */
  readonly compacting: { day: number }
  readonly counters: { flushed: number; compacted: number; dropped: number }
}
