/**
 * Closes each cycle a grace period after its end, in order, and commits each batch of it once.
 *
 *   wait for (cycle + 1) × 5 min + grace ─► flush ─► batches, a few at a time ─► next cycle
 *
 * The next cycle to close is stored in a document. After a crash, the interrupted cycle is closed
 * again, and committed batches are skipped. Cycles missed while the server was down are closed in
 * order, up to `missedMax` of them; older ones are recorded as unobserved and get no invented
 * values.
 *
 * A clock that jumps ahead looks like an outage; when it is set back by more than a cycle, the
 * scheduler follows it. Cycles that were closed ahead of the clock pass again, now with their
 * samples: their marks are removed, and each is closed again when it is due. One that is due late
 * is not, since its policies may have run.
 */

import { PeriodicTask, type Delay } from "../base/async.ts"
import type { Clock } from "../base/clock.ts"
import { WatchedTime } from "../base/time/watched-time.ts"
import { cycleMs } from "../model/resolution.ts"
import type { BatchRequest, ElementBatch } from "./cycle-protocol.ts"
import type { CycleSpan, SchedulerState } from "../model/closed-cycles.ts"
import { closedState, resumeState, skipMissed, wasClosedAhead } from "./scheduler-state.ts"

export type { SchedulerState } from "../model/closed-cycles.ts"

interface CycleSchedulerOptions {
  readonly clock: Clock
  readonly delay: Delay
  readonly graceMs: number
  /** Cycles of an outage that are closed afterwards. */
  readonly missedMax: number
  /** How long an element may have no sample before it is inactive. */
  readonly inactiveMs: number
  /** Batches evaluated at a time. */
  readonly parallelBatches: number
  /** Of the process; absent in tests, whose clock is all that is watched. */
  readonly watchedTime?: Pick<WatchedTime, "sinceMs" | "resume">
  readonly load: () => Promise<SchedulerState | undefined>
  /** Resolves when it is synced. */
  readonly save: (state: SchedulerState) => Promise<void>
  /** Resolves when all samples received so far and timed before `upToMs` are flushed. */
  readonly flush: (upToMs: number) => Promise<void>
  /** The batches of a cycle, of all elements that this process closes; names are distinct. */
  readonly batches: () => Promise<Iterable<ElementBatch>>
  /** Evaluates a batch and commits it. */
  readonly closeBatch: (request: BatchRequest) => Promise<void>
  /** Called after the last batch of a cycle, for work that concerns all elements. */
  readonly onClosed: (closed: ClosedCycle) => Promise<void>
  /** Removes the marks of this cycle and of later ones; absent in tests without marks. */
  readonly reopen?: (fromCycle: number) => Promise<void>
  readonly onError: (error: unknown) => void
}

export interface ClosedCycle {
  readonly cycle: number
  readonly closingMs: number
  readonly isMissed: boolean
  readonly elements: number
}

/** Pause after a failure. */
const retryMs = 5_000
/** The clock may be set: how long it is not looked at. */
const pauseMsMax = 30_000

export class CycleScheduler {
  private readonly options: CycleSchedulerOptions
  private state: SchedulerState = { next: 0, unobserved: [] }
  private isStopped = false
  private readonly task: PeriodicTask
  private readonly watchedTime: Pick<WatchedTime, "sinceMs" | "resume">
  private signalStop: () => void = () => {}
  private readonly stopping = new Promise<void>((resolve) => (this.signalStop = resolve))

  constructor(options: CycleSchedulerOptions) {
    this.options = options
    this.watchedTime = options.watchedTime ?? new WatchedTime(options)
    this.task = new PeriodicTask({
      delay: options.delay,
      run: () => this.closeDue(),
      onError: (error) => this.failed(error),
    })
  }

  /** Loads the stored state and begins. A new store begins with the current cycle. */
  async start(): Promise<void> {
    const { load, clock } = this.options
    const stored = await load()
    const began = Math.floor(clock.nowMs() / cycleMs)
    this.watchedTime.sinceMs()
    if (stored?.watched !== undefined) this.watchedTime.resume(stored.watched)
    await this.saveState(stored ?? { next: began, unobserved: [], began })
    this.task.start()
  }

  /** Every cycle that ended at or before this instant is closed. */
  get closedUpToMs(): number {
    return this.state.next * cycleMs
  }

  /** Cycles that were never closed, over the stored outages. */
  get missedCycles(): number {
    return this.state.unobserved.reduce((sum, { from, to }) => sum + to - from, 0)
  }

  /** Resolves after the running batches; does not wait for a flush, which a full disk may block. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.signalStop()
    await this.task.stop()
    await this.saveState(this.state, true).catch(() => {})
  }

  /** Returns the milliseconds until the cycle is tried again. */
  private failed(error: unknown): number {
    if (!this.isStopped) this.options.onError(error)
    return retryMs
  }

  /** Closes one cycle if one is due; returns the milliseconds until the next check. */
  private async closeDue(): Promise<number> {
    const { clock, graceMs } = this.options
    const nowMs = clock.nowMs()
    await this.followClock(Math.floor((nowMs - graceMs) / cycleMs) - 1)
    const { next } = this.state
    const closingMs = (next + 1) * cycleMs + graceMs
    if (nowMs < closingMs) return Math.min(closingMs - nowMs, pauseMsMax)
    const isMissed = nowMs - closingMs >= cycleMs
    if (isMissed && wasClosedAhead(this.state, next)) {
      await this.saveState({ ...this.state, next: next + 1 })
    } else await this.close(next, closingMs, isMissed)
    return 0
  }

  /** Changes the state after an outage or a set clock; `due` is the newest cycle that may close. */
  private async followClock(due: number): Promise<void> {
    const { missedMax } = this.options
    const resumed = resumeState(this.state, due, missedMax)
    if (resumed !== this.state) {
      // First, so that the marks are also removed if the server ends in between.
      await this.options.reopen?.(due + 1)
      await this.saveState(resumed)
    }
    const missed = due - this.state.next + 1
    if (missed > Math.max(1, missedMax)) {
      await this.saveState(skipMissed(this.state, due, missedMax))
    }
  }

  private async close(cycle: number, closingMs: number, isMissed: boolean): Promise<void> {
    const { flush, batches, inactiveMs, onClosed } = this.options
    // It says that the server has watched until now.
    await this.saveState(this.state)
    await Promise.race([flush((cycle + 1) * cycleMs), this.stopping])
    if (this.isStopped) return
    const inactiveCycles = Math.ceil(inactiveMs / cycleMs)
    const isWatched = !isMissed && this.watchedTime.sinceMs() <= cycle * cycleMs
    const unwatched = unwatchedBefore(this.state, cycle, isWatched)
    const request = { cycle, closingMs, isMissed, inactiveCycles, unwatched }
    const elements = await this.closeBatches(await batches(), request)
    if (this.isStopped) return
    await onClosed({ cycle, closingMs, isMissed, elements })
    await this.saveState(closedState(this.state, isWatched))
  }

  /** Returns the number of elements in the batches that were closed. */
  private async closeBatches(
    batches: Iterable<ElementBatch>,
    request: Omit<BatchRequest, keyof ElementBatch>,
  ): Promise<number> {
    let elements = 0
    const waiting = batches[Symbol.iterator]()
    const worker = async (): Promise<void> => {
      while (!this.isStopped) {
        const { value: batch, done } = waiting.next()
        if (done) return
        await this.options.closeBatch({ ...request, ...batch })
        elements += batch.elements.length
      }
    }
    const workers = Array.from({ length: this.options.parallelBatches }, worker)
    const settled = await Promise.allSettled(workers)
    const failed = settled.find((one) => one.status === "rejected")
    if (failed !== undefined) throw failed.reason
    return elements
  }

  private async saveState(state: SchedulerState, isEnd = false): Promise<void> {
    const untilMs = this.options.clock.nowMs()
    const watched = { sinceMs: this.watchedTime.sinceMs(), untilMs, isEnd }
    await this.options.save({ ...state, watched })
    this.state = state
  }
}

/** Unwatched cycles, closed or not; with the closing one if it is one. */
function unwatchedBefore(
  { unobserved, unwatched = [] }: SchedulerState,
  cycle: number,
  isWatched: boolean,
): readonly CycleSpan[] {
  const all = [...unobserved, ...unwatched].filter(({ from }) => from < cycle)
  return isWatched ? all : [...all, { from: cycle, to: cycle + 1 }]
}
