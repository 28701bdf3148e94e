/**
 * Caretaker: asks the shard for background work in small steps, between batches of ingest.
 *
 * While work is due, one step follows the other; each queues behind the batches that came before
 * it, so ingest and background share the shard's thread turn by turn. With nothing due it looks
 * again after a pause, or at once when it is woken.
 */

import { assert } from "../base/assert.ts"
import { ServiceError } from "../base/errors.ts"
import type { Maintenance, MaintenanceMoment } from "../store/store.ts"

export interface MaintenanceSchedulerOptions {
  readonly run: (moment: MaintenanceMoment) => Promise<Maintenance>
  /** Epoch milliseconds. */
  readonly nowMs: () => number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Calls back after a while; returns a way to cancel. */
  readonly delay: (callback: () => void, ms: number) => () => void
  /** Every cycle that ended by this instant is closed. */
  readonly closedUpToMs?: () => number
  readonly onStep?: (maintenance: Maintenance, durationMs: number) => void
  readonly onError: (error: unknown) => void
}

/** Somebody waits for a fold. */
interface FlushRequest {
  readonly foldUpToMs: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * One step's time on the shard's thread: a fifth of the latency we promise at the 99th percentile.
 */
const stepBudgetMs = 2
/**
 * The same where nobody has sent anything for a while: three fifths of that latency. The way to the
 * shard and back takes the main thread 0.1 ms: 0.2 s of the 1.9 s that a fold of 1.9 M samples of a
 * mixed fleet costs in steps of 2 ms.
 */
const idleStepBudgetMs = 6
/** Up to here the waiting samples are those of one fold and what comes while it runs. */
const unflushedSamplesCalm = 3_000_000
/** Beyond it ingest outruns the folding: steps grow until both take turns at the same pace. */
const unflushedSamplesPerStep = 100_000
/** No answer waits longer for a step than this: a fraction of the shortest client timeout, 5 s. */
const stepBudgetMsMax = 60
/** Without ingest for this long, closed cycles need not wait for company. */
const idleAfterMs = 500
/**
 * While ingest goes on and is not outrunning us, a step rests for so many times what it took. A
 * fold of ten seconds' samples without rests took a second of a full core, in which answers at half
 * of capacity waited 40 ms; with them it takes four, in which three quarters are ingest's.
 */
const restsPerStep = 3
/**
 * The same while somebody waits for the fold, as a closing does. Steps one behind the other let a
 * post in between two, but it waits for the batch before it, too: 20 ms for four steps.
 */
const restsPerAwaitedStep = 1
/** How often to look when nothing is due: a fraction of `idleAfterMs`. */
const pauseMs = 250
/** After failures in a row the pause doubles up to this: a fold of 2 M samples costs 1 s of CPU. */
const failurePauseMsMax = 10_000

export class MaintenanceScheduler {
  private readonly options: MaintenanceSchedulerOptions
  private lastIngestMs = -Infinity
  private cancelPause: (() => void) | null = null
  private stopped = false
  private unflushedSamples = 0
  private failures = 0
  private flush: FlushRequest | null = null
  private running: Promise<void> | null = null

  constructor(options: MaintenanceSchedulerOptions) {
    this.options = options
  }

  start(): void {
    this.running ??= this.loop()
  }

  /** Tells that a batch was ingested; `unflushedSamples` of it wait. */
  noteIngest(): void {
    this.lastIngestMs = this.options.elapsedMs()
  }

  /**
   * Resolves when all samples before an instant that have come so far are folded. One at a time;
   * rejects where the caretaker stops first.
   */
  flushUpTo(foldUpToMs: number): Promise<void> {
    assert(this.flush === null, "Expected one fold at a time")
    return new Promise<void>((resolve, reject) => {
      this.flush = { foldUpToMs, resolve, reject }
      this.cancelPause?.()
    }).finally(() => (this.flush = null))
  }

  /** Ends after the step that runs now. */
  async stop(): Promise<void> {
    this.stopped = true
    this.flush?.reject(new ServiceError("stopping", "The server is shutting down"))
    this.cancelPause?.()
    await this.running
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const startedMs = this.options.elapsedMs()
      const moreDue = await this.step()
      if (this.stopped) return
      if (!moreDue) await this.pause(this.pauseMs())
      else if (this.shouldRest()) {
        const rests = this.flush === null ? restsPerStep : restsPerAwaitedStep
        await this.pause(rests * (this.options.elapsedMs() - startedMs))
      }
    }
  }

  private async step(): Promise<boolean> {
    const { run, nowMs, elapsedMs, closedUpToMs, onStep, onError } = this.options
    const startedMs = elapsedMs()
    try {
      const idle = this.isIdle()
      const budgetMs = stepBudget(this.unflushedSamples, idle)
      const { flush } = this
      const maintenance = await run({
        nowMs: nowMs(),
        budgetMs,
        idle,
        ...(flush === null ? {} : { foldUpToMs: flush.foldUpToMs }),
        ...(closedUpToMs === undefined ? {} : { closedUpToMs: closedUpToMs() }),
      })
      this.unflushedSamples = maintenance.openSamples
      if (!maintenance.moreDue) this.failures = 0
      if (flush !== null && maintenance.isFolded) flush.resolve()
      onStep?.(maintenance, elapsedMs() - startedMs)
      // Whoever asked for a fold while this step ran woke nobody.
      const isAsked = flush === null && this.flush !== null
      return maintenance.moreDue || isAsked
    } catch (error) {
      this.failures++
      onError(error)
      return false
    }
  }

  private pauseMs(): number {
    return Math.min(pauseMs * 2 ** Math.max(0, this.failures - 1), failurePauseMsMax)
  }

  private shouldRest(): boolean {
    return !this.isIdle() && this.unflushedSamples <= unflushedSamplesCalm
  }

  private isIdle(): boolean {
    return this.options.elapsedMs() - this.lastIngestMs >= idleAfterMs
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.options.delay(resolve, ms)
      this.cancelPause = () => {
        cancel()
        resolve()
      }
    })
  }
}

function stepBudget(unflushedSamples: number, idle: boolean): number {
  const excess = Math.max(0, unflushedSamples - unflushedSamplesCalm)
  const budgetMs = idle ? idleStepBudgetMs : stepBudgetMs
  return Math.min(stepBudgetMsMax, budgetMs * (1 + excess / unflushedSamplesPerStep))
}
