/**
 * Warm-up: once the server listens, every query thread runs the queries of
 * query/parallel/warm-up-queries.ts, one after the other, and scan workers scan for them, so that
 * V8 has compiled the code and pages are in memory. A client's query waits for one of them at most.
 * Then the threads of closings start. Both would only delay the start and the first query.
 *
 * CPU of the first query of its kind, of all threads, 1,000 elements × two weeks: one series 13 ms
 * instead of 67 (warm: 10), one day 80 instead of 200 (50), across elements 61 instead of 145 (35).
 * It costs 0.33 s of CPU.
 *
 * Measured 2026-11-21 on Node 20; `TIDEGAUGE_TUNINGS_OFF=warm-up` switches it off.
 */

import { pauseFor, type Delay } from "../base/async.ts"
import { unwrapWorkerResult, type WorkerResult } from "../engine/worker-result.ts"
import type { ThreadPool } from "../engine/worker-pool.ts"
import { createWorkQueue, type QueryPlan } from "../query/query.ts"
import type { QueryTask } from "../worker/query-worker.ts"
import { openStoreOn } from "./reader-pools.ts"

interface WarmUpDeps {
  readonly queryPool: Pick<ThreadPool, "run" | "threads">
  /** Scan workers; null if there are none. */
  readonly scanPool: Pick<ThreadPool, "run" | "threads"> | null
  /** Threads of closings, which open the store when all else is warm. */
  readonly closingPool: Pick<ThreadPool, "run" | "threads">
  /** Epoch milliseconds. */
  readonly nowMs: () => number
  /** Whether ingest requests wait. */
  readonly isIngesting: () => boolean
  readonly delay: Delay
}

/** The result of one thread in a step; null if nothing was left. */
type Warmed = QueryPlan | "names" | null

/** Pause after a step, which takes 5 to 50 ms, while ingest or queries need the cores. */
const pauseMs = 100

/** A loop that ends by itself and pauses only for others: no `PeriodicTask`, which does neither. */
export class WarmUp {
  private readonly deps: WarmUpDeps
  private activeQueries = 0
  private stopped = false
  private endLoading: () => void = () => {}
  /**
   * Resolves when the threads have loaded their modules, or samples come in before that. From then
   * on V8's flags may be changed: V8 takes compiled code, Node's own included, only with the flags
   * with which it was made, and a thread without it takes 100 ms longer to start.
   */
  readonly loaded = new Promise<void>((resolve) => (this.endLoading = resolve))

  constructor(parts: WarmUpDeps) {
    this.deps = parts
  }

  /** Resolves when all steps are done, or after `stop`. Never rejects. */
  async start(): Promise<void> {
    const nowMs = this.deps.nowMs()
    // The first answer through Hono loads the classes of fetch, 57 to 67 ms: here threads load too.
    setImmediate(() => void new Response())
    try {
      await this.runSteps(nowMs)
      const { closingPool } = this.deps
      if (!this.stopped) await openStoreOn(closingPool, closingPool.threads)
    } catch {
      // An error, such as damage, is reported to the first query that meets it.
    } finally {
      this.endLoading()
    }
  }

  /** Runs a client's query; steps pause until it has ended. */
  async yieldTo<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.activeQueries++
    try {
      return await ask()
    } finally {
      this.activeQueries--
    }
  }

  /** No step follows the running one. */
  stop(): void {
    this.stopped = true
  }

  /**
   * Runs all steps. Scan workers start after the queries: the thread that runs a client's first
   * query would share the cores with a thread that loads its modules.
   */
  private async runSteps(nowMs: number): Promise<void> {
    const scans: QueryPlan[] = []
    for (let step = 0; !this.stopped; step++) {
      const warmed = await this.runStep(step, nowMs)
      const isQuery = warmed !== null && warmed !== "names"
      if (isQuery && warmed.kind === "statistics") scans.push(warmed)
      if (!isQuery) await this.runScans(scans.splice(0))
      if (warmed === null) return
      await this.pauseForOthers()
    }
  }

  private async runScans(plans: readonly QueryPlan[]): Promise<void> {
    for (const [i, plan] of plans.entries()) {
      if (i > 0) await this.pauseForOthers()
      if (this.stopped) return
      await this.warmScanWorkers(plan)
    }
  }

  private async pauseForOthers(): Promise<void> {
    const isIngesting = this.deps.isIngesting()
    if (isIngesting) this.endLoading()
    if (isIngesting || this.activeQueries > 0) await pauseFor(this.deps.delay, pauseMs)
  }

  /** Runs one step on every query thread. Resolves to null if there was none left. */
  private async runStep(step: number, nowMs: number): Promise<Warmed> {
    const { queryPool } = this.deps
    const task: QueryTask = { kind: "warmUp", step, nowMs }
    const run = () => queryPool.run<WorkerResult<Warmed>>(task).then(unwrapWorkerResult)
    const plans = await Promise.all(Array.from({ length: queryPool.threads }, run))
    return plans.find((one) => one !== null) ?? null
  }

  /** Runs the scan of `plan` on every scan worker; its result is discarded. */
  private async warmScanWorkers(plan: QueryPlan): Promise<void> {
    const { scanPool } = this.deps
    const run = async () => {
      const { queue, sides } = createWorkQueue(1, 1)
      const task: QueryTask = { kind: "scan", plan, open: null, side: sides[0]!, stop: null }
      await scanPool!.run(task, [sides[0]!.port])
      for (const port of queue.ports) port.close()
    }
    await Promise.all(Array.from({ length: scanPool?.threads ?? 0 }, run))
  }
}
