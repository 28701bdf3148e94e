/**
 * Composes the closing of cycles: the scheduler on the main thread, batches of elements on threads
 * that no query of a client uses, their violations in the incident pipeline, and all of it in one
 * transaction of the shard.
 *
 *   scheduler ─► maintenance: flush ─► closing threads: evaluator ─► incident pipeline ─► shard
 */

import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import type { Config } from "../config/config.ts"
import {
  elementBatches,
  elementsPerBatch,
  isUnwatched,
  type BatchRequest,
  type BatchResponse,
  type CycleViolations,
} from "../cycle/cycle-protocol.ts"
import { CycleScheduler } from "../cycle/cycle-scheduler.ts"
import type { MaintenanceScheduler } from "../engine/maintenance-scheduler.ts"
import { unwrapWorkerResult, type WorkerResult } from "../engine/worker-result.ts"
import { DutyCycleThrottle } from "../engine/duty-cycle-throttle.ts"
import { Semaphore } from "../base/async.ts"
import type { ThreadPool } from "../engine/worker-pool.ts"
import type { ShardClient } from "../engine/shard-client.ts"
import {
  schedulerStateId,
  schedulerStateKind,
  type SchedulerState,
} from "../model/closed-cycles.ts"
import type { DocumentStore } from "../model/document.ts"
import { cycleMs } from "../model/resolution.ts"
import type { QueryTask } from "../worker/query-worker.ts"
import type { Records } from "../records/records.ts"
import type { CycleBatch, CycleCommitter } from "../store/cycle-store.ts"
import { ClosingFigures } from "./watch/closing-figures.ts"

export interface CycleClosingDeps {
  readonly config: Pick<Config, "cycleGraceMs" | "missedCyclesMax" | "inactiveAfterMs">
  readonly clock: Clock
  /** Calls back after a number of milliseconds of `clock`; returns a way to cancel. */
  readonly delay: (callback: () => void, ms: number) => () => void
  readonly shard: Pick<ShardClient, "knownElements"> & CycleCommitter
  readonly closingPool: Pick<ThreadPool, "run" | "threads">
  readonly maintenance: Pick<MaintenanceScheduler, "flushUpTo">
  readonly documents: DocumentStore
  readonly records: Records
  /** Indexes of all tenants, as of now. */
  readonly tenants: () => readonly number[]
  /** Elements of a batch, for tests, which have few; the usual number if absent. */
  readonly batchElements?: number
  /** Resolves after a number of milliseconds of real time. */
  readonly sleep: (ms: number) => Promise<void>
  readonly onClosed: (figures: ClosedFigures) => void
  readonly log: Logger
}

/** Of a closing that has ended. */
interface ClosedFigures {
  readonly cycle: number
  readonly durationMs: number
  readonly elements: number
}

/** A scheduler that is not started yet. */
export function createCycleScheduler(deps: CycleClosingDeps): CycleScheduler {
  const { config, clock, delay, shard, maintenance, documents, records, log } = deps
  const batchSize = deps.batchElements ?? elementsPerBatch
  const runner = createBatchRunner(deps)
  let figures = new ClosingFigures(0)
  return new CycleScheduler({
    clock,
    delay,
    graceMs: config.cycleGraceMs,
    missedMax: config.missedCyclesMax,
    inactiveMs: config.inactiveAfterMs,
    watchedTime: records.watchedTime,
    // One more than are evaluated, which is committed at the same time.
    parallelBatches: deps.closingPool.threads + 1,
    load: async () =>
      (await documents.get(schedulerStateKind, schedulerStateId)) as SchedulerState | undefined,
    save: (state) => documents.put(schedulerStateKind, schedulerStateId, state),
    flush: (upToMs) => {
      figures = new ClosingFigures(performance.now())
      return maintenance.flushUpTo(upToMs)
    },
    batches: async () => elementBatches(await shard.knownElements(), batchSize),
    closeBatch: (question) => closeBatch(deps, question, { runner, figures }),
    onClosed: async ({ cycle, closingMs, isMissed, elements }) => {
      // Reminders of an outage are sent once.
      for (const tenant of isMissed ? [] : deps.tenants()) {
        await records.incidentPipeline.sweep(tenant, closingMs)
      }
      const durationMs = figures.durationMs(performance.now())
      deps.onClosed({ cycle, durationMs, elements })
      const start = new Date(cycle * cycleMs).toISOString()
      const lateMs = Math.max(0, clock.nowMs() - closingMs)
      const times = { durationMs: Math.round(durationMs), lateMs: Math.round(lateMs) }
      log.info({ cycle: start, elements, ...figures.fields(), ...times }, "cycle closed")
    },
    reopen: async (fromCycle) => {
      while (await shard.reopenCycles(fromCycle));
      log.warn({ cycle: new Date(fromCycle * cycleMs).toISOString() }, "the clock was set back")
    },
    onError: (err) => log.error({ err }, "closing a cycle failed; it is tried again"),
  })
}

/** The two steps of a batch, each of which waits until it may run. */
interface BatchRunner {
  readonly evaluate: (task: QueryTask) => Promise<WorkerResult<BatchResponse>>
  /** True if the batch is stored now; false if it is closed, or outdated (`CycleCommitter`). */
  readonly commit: (batch: CycleBatch) => Promise<boolean>
}

function createBatchRunner({ closingPool, shard, sleep }: CycleClosingDeps): BatchRunner {
  // Throttled so that ingest never waits for several consecutive commits of 5 ms.
  const throttle = new DutyCycleThrottle(() => performance.now(), sleep)
  const threads = new Semaphore(closingPool.threads)
  return {
    evaluate: (task) => threads.run(() => closingPool.run(task)),
    commit: (batch) => throttle.run(async () => shard.commitCycle(batch)),
  }
}

/** Evaluations of a batch of which something is forgotten before its commit each time. */
const evaluationsMax = 5

async function closeBatch(
  deps: CycleClosingDeps,
  question: BatchRequest,
  of: { readonly runner: BatchRunner; readonly figures: ClosingFigures },
): Promise<void> {
  for (let i = 0; i < evaluationsMax; i++) if (await tryBatch(deps, question, of)) return
  throw new Error(`Batch ${question.name} was outdated by each of ${evaluationsMax} commits`)
}

/** True if the batch is closed. */
async function tryBatch(
  { log, records }: CycleClosingDeps,
  question: BatchRequest,
  { runner, figures }: { readonly runner: BatchRunner; readonly figures: ClosingFigures },
): Promise<boolean> {
  const answer = unwrapWorkerResult(await runner.evaluate({ kind: "closeBatch", question }))
  for (const problem of answer.problems) log.warn({}, problem)
  figures.addBatch(answer)
  if (answer.changes === null) return true
  // Every batch locks tenants in the same order, since it holds all their locks at the same time.
  const findings = answer.violations.toSorted((left, right) => left.tenant - right.tenant)
  const deps = { pipeline: records.incidentPipeline, runner, figures }
  return commitWithViolations(deps, question, { ...answer.changes, documents: [] }, findings)
}

/** Adds each tenant's changes within that tenant's lock, then commits all in one transaction. */
async function commitWithViolations(
  deps: {
    readonly pipeline: Records["incidentPipeline"]
    readonly runner: BatchRunner
    readonly figures: ClosingFigures
  },
  question: BatchRequest,
  batch: CycleBatch,
  findings: readonly CycleViolations[],
): Promise<boolean> {
  const [first, ...rest] = findings
  if (first === undefined) {
    deps.figures.addDocuments(batch.documents)
    return deps.runner.commit(batch)
  }
  let isStored = false
  await deps.pipeline.applyBatch(
    first.tenant,
    {
      cycleStartMs: question.cycle * cycleMs,
      nowMs: question.closingMs,
      evaluated: first.evaluated,
      violations: first.violations,
      isUnwatched: isUnwatched(question),
    },
    async (changes) => {
      const documents = [...batch.documents, ...changes]
      isStored = await commitWithViolations(deps, question, { ...batch, documents }, rest)
      return isStored
    },
  )
  return isStored
}
