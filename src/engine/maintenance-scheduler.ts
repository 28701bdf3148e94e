/**
 * Maintenance scheduler: runs the background work of the shard in small steps, between batches of
 * ingest.
 *
 * While work is due, steps follow one another. Each queues behind the batches that arrived before
 * it, so ingest and maintenance alternate on the shard's thread. When nothing is due, the next step
 * runs after a pause, or immediately after a wake-up.
 */

import { assert } from "../base/assert.ts"
import { PeriodicTask, type Delay } from "../base/async.ts"
import { ServiceError } from "../base/errors.ts"
import type { MaintenanceResult, MaintenanceOptions } from "../store/maintenance-store.ts"

interface MaintenanceSchedulerOptions {
  readonly run: (moment: MaintenanceOptions) => Promise<MaintenanceResult>
  /** Epoch milliseconds. */
  readonly nowMs: () => number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly delay: Delay
  /** Every cycle that ended by this instant is closed. */
  readonly closedUpToMs?: () => number
  readonly onStep?: (maintenance: MaintenanceResult, durationMs: number) => void
  readonly onError: (error: unknown) => void
}

/** A caller that waits for a flush. */
interface FlushRequest {
  readonly flushUpToMs: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Time of one step on the shard's thread: a fifth of the promised latency at the 99th percentile.
 */
const stepBudgetMs = 2
/**
 * The same if there was no ingest for a while: three fifths of that latency. The way to the shard
 * and back takes the main thread 0.1 ms, in steps of 2 ms 0.2 s of the 1.9 s that a flush of 1.9 M
 * samples of a mixed fleet costs.
 */
const idleStepBudgetMs = 6
/** Up to here the unflushed samples are those of one flush and of what arrives during it. */
const unflushedSamplesCalm = 3_000_000
/** Beyond it ingest is faster than the flush: steps grow until both proceed at the same pace. */
const unflushedSamplesPerStep = 100_000
/** Bound on the delay of an answer by one step: a fraction of the shortest client timeout, 5 s. */
const stepBudgetMsMax = 60
/** Without ingest for this long, closed cycles are flushed without waiting for more samples. */
const idleAfterMs = 500
/**
 * Factor of the pause after a step, relative to the step's duration, while ingest goes on and is
 * not faster than the flush. Without pauses, a flush of ten seconds' samples took a second of a
 * full core, during which answers at half of capacity waited 40 ms; with them it takes four
 * seconds, three quarters of which are left to ingest.
 */
const restsPerStep = 3
/**
 * The same while a caller waits for the flush, as the closing of a cycle does. Without pauses a
 * post gets in between two steps, but it also waits for the batch before it: 20 ms for four steps.
 */
const restsPerAwaitedStep = 1
/** Pause when nothing is due: a fraction of `idleAfterMs`. */
const pauseMs = 250
/**
 * The pause doubles with each failure in a row up to this: a flush of 2 M samples costs 1 s of CPU.
 */
const failurePauseMsMax = 10_000

export class MaintenanceScheduler {
  private readonly options: MaintenanceSchedulerOptions
  private readonly task: PeriodicTask
  private lastIngestMs = -Infinity
  private unflushedSamples = 0
  private failures = 0
  private flush: FlushRequest | null = null

  constructor(options: MaintenanceSchedulerOptions) {
    this.options = options
    this.task = new PeriodicTask({
      delay: options.delay,
      run: () => this.step(),
      onError: (error) => this.noteFailure(error),
    })
  }

  start(): void {
    this.task.start()
  }

  /** Records that a batch was ingested now. */
  noteIngest(): void {
    this.lastIngestMs = this.options.elapsedMs()
  }

  /**
   * Resolves when all samples before `flushUpToMs` that arrived before the call are flushed. Only
   * one call at a time; rejects if the scheduler is stopped first.
   */
  flushUpTo(flushUpToMs: number): Promise<void> {
    assert(this.flush === null, "Expected one requested flush at a time")
    return new Promise<void>((resolve, reject) => {
      this.flush = { flushUpToMs, resolve, reject }
      this.task.wake()
    }).finally(() => (this.flush = null))
  }

  /** Starts no further step, and resolves when the running one has settled. */
  async stop(): Promise<void> {
    this.flush?.reject(new ServiceError("stopping", "The server is shutting down"))
    await this.task.stop()
  }

  /** Runs one step; resolves with the milliseconds until the next one. */
  private async step(): Promise<number> {
    const { run, nowMs, elapsedMs, closedUpToMs, onStep } = this.options
    const startedMs = elapsedMs()
    const idle = this.isIdle()
    const { flush } = this
    const maintenance = await run({
      nowMs: nowMs(),
      budgetMs: stepBudget(this.unflushedSamples, idle),
      idle,
      ...(flush === null ? {} : { flushUpToMs: flush.flushUpToMs }),
      ...(closedUpToMs === undefined ? {} : { closedUpToMs: closedUpToMs() }),
    })
    const { moreDue, isFlushed, unflushedSamples } = maintenance
    this.unflushedSamples = unflushedSamples
    if (!moreDue) this.failures = 0
    if (isFlushed) flush?.resolve()
    const durationMs = elapsedMs() - startedMs
    onStep?.(maintenance, durationMs)
    if (!moreDue) return pauseMs
    const rests = flush === null || isFlushed ? restsPerStep : restsPerAwaitedStep
    return this.shouldRest() ? rests * durationMs : 0
  }

  private noteFailure(error: unknown): number {
    this.options.onError(error)
    return Math.min(pauseMs * 2 ** this.failures++, failurePauseMsMax)
  }

  private shouldRest(): boolean {
    return !this.isIdle() && this.unflushedSamples <= unflushedSamplesCalm
  }

  private isIdle(): boolean {
    return this.options.elapsedMs() - this.lastIngestMs >= idleAfterMs
  }
}

function stepBudget(unflushedSamples: number, idle: boolean): number {
  const excess = Math.max(0, unflushedSamples - unflushedSamplesCalm)
  const budgetMs = idle ? idleStepBudgetMs : stepBudgetMs
  return Math.min(stepBudgetMsMax, budgetMs * (1 + excess / unflushedSamplesPerStep))
}
