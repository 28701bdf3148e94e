/**
 * Background jobs: one at a time, in steps. Which comes next: a flush that is due, otherwise the
 * compaction of a day, otherwise retention once an hour, otherwise dormancy once a day. Until as
 * many samples are compacted as the last flush had, a compaction goes before a flush for which no
 * caller waits.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { dayMs } from "../../../model/resolution.ts"
import type { MaintenanceOptions } from "../../maintenance-store.ts"
import type { BlockIndex } from "../disk/tables.ts"
import { compactedSamples, isCompacted, type DayOfBlock } from "../tiers/compacted-cells.ts"
import { compactionJob, type DayOfBlocks } from "./compact.ts"
import { compactionClockMs } from "./compaction-queue.ts"
import type { FlushPolicy } from "./flush-policy.ts"
import { flushJob } from "./flush.ts"
import type { Job, JobDeps } from "./job.ts"
import { retentionJob } from "./retention.ts"

/** Pause between two retention runs. */
const retentionPauseMs = 3_600_000

/**
 * Blocks that one job compacts, at most, and at most as many series as one full block has: the
 * next flush waits for its end.
 */
const blocksTogetherMax = 32

interface NextCompaction extends DayOfBlocks {
  readonly blocks: BlockIndex[]
  /** True if each of them was compacted before; false if none was. */
  readonly isCompacted: boolean
}

export interface JobHooks {
  /** Called before and after each commit (`FaultHooks`). */
  readonly onPoint: (name: string) => void
  /** Called before a flush begins, which releases WAL segments. */
  readonly beforeFlush: () => void
  /** Called with the name of a job before each of its steps. */
  readonly onStep: (name: string) => void
  /** Called with the name of a job once it is done and committed. */
  readonly onDone: (name: string) => void
}

export class BackgroundJobs {
  private readonly deps: JobDeps
  private readonly flushPolicy: FlushPolicy
  private readonly hooks: JobHooks
  /** The job that runs. */
  private job: Job | null = null
  /** Its name, or that of the last one. */
  private name = ""
  private lastRetentionMs = -Infinity
  /** UTC day of the last search for dormant series; a step of the clock begins another. */
  private dormancyDay = -1

  constructor(deps: JobDeps, flushPolicy: FlushPolicy, hooks: JobHooks) {
    this.deps = deps
    this.flushPolicy = flushPolicy
    this.hooks = hooks
  }

  get isRunning(): boolean {
    return this.job !== null
  }

  /** Runs at least one step, and more until `deadlineMs` of elapsed time or nothing is due. */
  run(moment: MaintenanceOptions, deadlineMs: number): void {
    do {
      this.job ??= this.next(moment)
      if (this.job === null) return
      this.hooks.onStep(this.name)
      this.step(this.job)
    } while (this.deps.elapsedMs() < deadlineMs)
  }

  /** True if a job runs, or a flush or a compaction waits. */
  isDue(moment: MaintenanceOptions): boolean {
    if (this.job !== null || this.isFlushDue(moment)) return true
    return this.readyToCompact(moment).next().done !== true
  }

  /** Ends a compaction of this day, whose records must not change, and commits what is buffered. */
  settle(day: number): void {
    const { writes, compacting } = this.deps
    while (this.job !== null && compacting.day === day) this.step(this.job)
    if (!writes.isEmpty) this.commit()
    assert(writes.isEmpty, "Expected no uncommitted records of a job")
  }

  /** Forgets the job that runs, since its records were lost; it runs again from the start. */
  abort(): void {
    this.job = null
  }

  private step(job: Job): void {
    const isDone = job.next().done === true
    // A job reads the records of the previous one, so the buffer is empty between jobs.
    if (isDone || this.deps.writes.isFull) this.commit()
    if (!isDone) return
    // Not before: if the commit fails, the job did not run.
    this.job = null
    this.hooks.onDone(this.name)
  }

  private commit(): void {
    const { tables, writes } = this.deps
    this.hooks.onPoint(`${this.name}.commit`)
    writes.commit(tables)
    this.hooks.onPoint(`${this.name}.committed`)
  }

  private next(moment: MaintenanceOptions): Job | null {
    const { deps, flushPolicy } = this
    assert(deps.writes.isEmpty, "Expected the records of the previous job to be committed")
    const elapsedMs = deps.elapsedMs()
    const isFlushDue = this.isFlushDue(moment)
    const isFlushFirst = flushPolicy.isGoalPending() || !deps.compactionQueue.isBehind
    const next = isFlushDue && isFlushFirst ? null : this.nextToCompact(moment)
    if (isFlushDue && next === null) {
      this.hooks.beforeFlush()
      flushPolicy.lastFlushMs = elapsedMs
      this.name = "flush"
      return flushJob(deps, moment.nowMs, compactionClockMs(moment))
    }
    deps.compacting.day = -1
    if (next !== null) {
      this.name = next.isCompacted ? "recompaction" : "compaction"
      return compactionJob(deps, next)
    }
    if (this.isRetentionDue(moment, elapsedMs)) {
      this.lastRetentionMs = elapsedMs
      this.name = "retention"
      return retentionJob(deps, moment.nowMs)
    }
    const day = Math.floor(moment.nowMs / dayMs)
    if (day !== this.dormancyDay) {
      this.dormancyDay = day
      this.name = "dormancy"
      return deps.dormancy(moment.nowMs)
    }
    return null
  }

  /** Not during a backup, which combines a snapshot with records that are newer. */
  private isRetentionDue({ keepsAll, nowMs }: MaintenanceOptions, elapsedMs: number): boolean {
    if (keepsAll === true || elapsedMs - this.lastRetentionMs < retentionPauseMs) return false
    return !this.deps.wal.areSegmentsRetained(nowMs)
  }

  private isFlushDue(moment: MaintenanceOptions): boolean {
    return this.flushPolicy.isDue(moment, this.deps.elapsedMs())
  }

  /** The next blocks to compact, which one job can take; null if none is ready. */
  private nextToCompact(moment: MaintenanceOptions): NextCompaction | null {
    const { catalogue, tables } = this.deps
    let next: NextCompaction | null = null
    let slots = 0
    for (const { day, block } of this.readyToCompact(moment)) {
      const wasCompacted = isCompacted(tables, day, block)
      next ??= { day, blocks: [], isCompacted: wasCompacted }
      slots += catalogue.partitionSeries(block).length
      const isAlike = next.day === day && next.isCompacted === wasCompacted
      if (next.blocks.length > 0 && (!isAlike || slots > seriesPerBlock)) return next
      if (next.blocks.push(block) === blocksTogetherMax) return next
    }
    return next
  }

  private readyToCompact(moment: MaintenanceOptions): Generator<DayOfBlock, void> {
    const { compactionQueue, tables, elapsedMs } = this.deps
    return compactionQueue.ready(
      { nowMs: compactionClockMs(moment), elapsedMs: elapsedMs() },
      (day, block) => compactedSamples(tables, day, block),
    )
  }
}
