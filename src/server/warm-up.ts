/**
 * Rehearsing: once the server listens, every query thread asks itself the questions of
 * query/parallel/warm-up-queries.ts, one after the other, and those who help do the same. A
 * question that comes
 * meanwhile waits for one of them at most, and then takes as much less itself.
 */

import { unwrapWorkerResult, type WorkerResult } from "../engine/worker-result.ts"
import type { ThreadPool } from "../engine/worker-pool.ts"
import { createWorkQueue, type QueryPlan } from "../query/query.ts"
import type { QueryTask } from "../worker/query-worker.ts"

export interface WarmUpDeps {
  readonly queryPool: Pick<ThreadPool, "run" | "threads">
  /** Null where nobody helps. */
  readonly helperPool: Pick<ThreadPool, "run" | "threads"> | null
  /** Epoch milliseconds. */
  readonly nowMs: () => number
  /** Whether samples wait to be taken in. */
  readonly isIngesting: () => boolean
  readonly delay: (callback: () => void, ms: number) => () => void
}

/** Where others have work, a step of 5 to 50 ms is followed by this much rest. */
const pauseMs = 100

export class WarmUp {
  private readonly deps: WarmUpDeps
  private activeQueries = 0
  private stopped = false

  constructor(parts: WarmUpDeps) {
    this.deps = parts
  }

  /** Resolves when all is rehearsed, or it was stopped. */
  async start(): Promise<void> {
    const nowMs = this.deps.nowMs()
    try {
      for (let step = 0; !this.stopped && (await this.runStep(step, nowMs)); step++) {
        if (this.activeQueries > 0 || this.deps.isIngesting()) await this.pause()
      }
    } catch {
      // What stands in the way, such as damage, is told to the first who asks.
    }
  }

  /** Answers a question of somebody, which goes first. */
  async yieldTo<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.activeQueries++
    try {
      return await ask()
    } finally {
      this.activeQueries--
    }
  }

  /** No step follows the one that runs. */
  stop(): void {
    this.stopped = true
  }

  /** As many at once as there are threads: each idle one takes one. False where all is done. */
  private async runStep(step: number, nowMs: number): Promise<boolean> {
    const { queryPool } = this.deps
    const task: QueryTask = { kind: "rehearse", step, nowMs }
    const run = () => queryPool.run<WorkerResult<QueryPlan | null>>(task).then(unwrapWorkerResult)
    const plans = await Promise.all(Array.from({ length: queryPool.threads }, run))
    const plan = plans.find((one) => one !== null)
    if (plan?.kind === "statistics") await this.warmScanWorkers(plan)
    return plan !== undefined
  }

  /** What they find nobody waits for. */
  private async warmScanWorkers(plan: QueryPlan): Promise<void> {
    const { helperPool } = this.deps
    const run = async () => {
      const { queue, sides } = createWorkQueue(1, 1)
      const task: QueryTask = { kind: "help", plan, open: null, side: sides[0]!, stop: null }
      await helperPool!.run(task, [sides[0]!.port])
      for (const port of queue.ports) port.close()
    }
    await Promise.all(Array.from({ length: helperPool?.threads ?? 0 }, run))
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.deps.delay(resolve, pauseMs))
  }
}
