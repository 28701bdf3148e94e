/**
 * Backups on a schedule, one at a time.
 *
 *   last one of the vault + every ─► due ─► backup ─┬─► due again `every` after it began
 *                                                   └─► failed: again after 1, 2, 4 … 60 minutes
 *
 * However many backups were missed while the server was stopped, one is taken.
 */

import { PeriodicTask, type Delay } from "../base/async.ts"
import type { Clock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"
import type { Logger } from "../base/log.ts"
import type { BackupFigures } from "../model/backup-figures.ts"
import type { VaultBackupReport } from "../store/backup-vault.ts"

export interface BackupScheduleOptions {
  readonly everyMs: number
  /** Looks up the moment of the newest backup of the vault; null without one. */
  readonly newestMs: () => Promise<number | null>
  /** Takes a backup of this moment. */
  readonly backUp: (takenMs: number) => Promise<VaultBackupReport>
  readonly clock: Clock
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly delay: Delay
  readonly log: Logger
}

/** Leaves the first minute of a server to more urgent work. */
const firstPauseMs = 60_000
/** The clock may be set: how long it is not looked at. A timer counts to 24 days at most. */
const pauseMsMax = 600_000
const retryMsMin = 60_000
const retryMsMax = 3_600_000

export class BackupSchedule {
  private readonly options: BackupScheduleOptions
  private readonly task: PeriodicTask
  private state: BackupFigures
  private hasLooked = false
  private failuresInRow = 0
  /** Clock of the newest attempt that succeeded, or of the newest backup found. */
  private lastMs = -Infinity

  constructor(options: BackupScheduleOptions) {
    this.options = options
    const { everyMs } = options
    const none = { lastSuccessMs: null, lastDurationMs: 0, lastBytes: 0, problem: null }
    this.state = { everyMs, ...none, successes: 0, failures: 0, uploadedBytes: 0 }
    this.task = new PeriodicTask({
      delay: options.delay,
      run: () => this.step(),
      onError: (error) => this.noteFailure(error),
    })
  }

  get figures(): BackupFigures {
    return this.state
  }

  start(): void {
    this.task.start(Math.min(firstPauseMs, this.options.everyMs))
  }

  /** Resolves when the running backup has ended, which the caller must cause. */
  async stop(): Promise<void> {
    await this.task.stop()
  }

  /** Takes a backup if one is due; returns the pause until the next step. */
  private async step(): Promise<number> {
    const { everyMs, newestMs, clock } = this.options
    if (!this.hasLooked) {
      const newest = await newestMs()
      this.hasLooked = true
      this.lastMs = newest ?? -Infinity
      this.state = { ...this.state, lastSuccessMs: newest }
    }
    const nowMs = clock.nowMs()
    // A clock that was set back must not delay backups by as much.
    const dueMs = this.lastMs > nowMs ? nowMs : this.lastMs + everyMs
    if (nowMs < dueMs) return Math.min(dueMs - nowMs, pauseMsMax)
    await this.backUp(nowMs)
    return Math.min(everyMs, pauseMsMax)
  }

  private async backUp(nowMs: number): Promise<void> {
    const { backUp, elapsedMs, log } = this.options
    const startedMs = elapsedMs()
    const report = await backUp(nowMs)
    const durationMs = elapsedMs() - startedMs
    this.lastMs = nowMs
    this.failuresInRow = 0
    this.state = {
      ...this.state,
      lastSuccessMs: nowMs,
      lastDurationMs: durationMs,
      lastBytes: report.bytes,
      successes: this.state.successes + 1,
      uploadedBytes: this.state.uploadedBytes + report.newBytes,
      problem: report.collectProblem,
    }
    log.info({ ...report, durationMs: Math.round(durationMs) }, "backup taken")
    if (report.collectProblem !== null) log.warn({}, report.collectProblem)
  }

  /** Returns the pause before the next attempt. */
  private noteFailure(error: unknown): number {
    if (error instanceof ServiceError && error.code === "stopping") return retryMsMin
    const problem = error instanceof Error ? error.message : String(error)
    this.state = { ...this.state, failures: this.state.failures + 1, problem }
    const pauseMs = Math.min(retryMsMin * 2 ** this.failuresInRow, retryMsMax)
    this.failuresInRow++
    this.options.log.error({ err: error, retryInMs: pauseMs }, "the backup failed")
    return pauseMs
  }
}
