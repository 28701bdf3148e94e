/**
 * Composes the closing of cycles: the ticker on the main thread, the parts on threads that no
 * question of a client takes, what they find in the records, and all of it in one transaction of
 * the shard.
 *
 *   ticker ─► caretaker: fold ─► closing threads: CycleEvaluator ─► findings ─► shard: closeBatch
 */

import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import type { Config } from "../config/config.ts"
import type { CycleViolations, BatchResponse, BatchRequest } from "../cycle/cycle-protocol.ts"
import { CycleScheduler, type SchedulerState } from "../cycle/cycle-scheduler.ts"
import type { MaintenanceScheduler } from "../engine/maintenance-scheduler.ts"
import { unwrapWorkerResult, type WorkerResult } from "../engine/worker-result.ts"
import { DutyCycleThrottle } from "../engine/duty-cycle-throttle.ts"
import { Semaphore } from "../base/async.ts"
import type { ThreadPool } from "../engine/worker-pool.ts"
import type { ShardClient } from "../engine/shard-client.ts"
import type { DocumentStore } from "../model/document.ts"
import { cycleMs } from "../model/resolution.ts"
import type { QueryTask } from "../worker/query-worker.ts"
import type { Records } from "../records/records.ts"
import type { CycleBatch } from "../store/store.ts"

export interface CycleClosingDeps {
  readonly config: Pick<Config, "cycleGraceMs" | "missedCyclesMax" | "inactiveAfterMs">
  readonly clock: Clock
  /** Calls back after so many milliseconds of the clock. */
  readonly delay: (callback: () => void, ms: number) => () => void
  readonly shard: ShardClient
  readonly closingPool: Pick<ThreadPool, "run" | "threads">
  readonly caretaker: MaintenanceScheduler
  readonly documents: DocumentStore
  readonly records: Records
  /** Indexes of all tenants. */
  readonly tenants: () => readonly number[]
  /** For trials, in which a part of a few elements is one of many. */
  readonly partElements?: number
  /** Resolves after so many milliseconds of time. */
  readonly rest: (ms: number) => Promise<void>
  readonly onClosed: (figures: { readonly durationMs: number; readonly elements: number }) => void
  readonly log: Logger
}

const schedulerKind = "cycle"
const schedulerId = "ticker"

export function createCycleScheduler(parts: CycleClosingDeps): CycleScheduler {
  const { config, clock, delay, shard, caretaker, documents, log } = parts
  // Else posts would wait for the commits of several parts, 5 ms each, one behind the other.
  const pace = new DutyCycleThrottle(() => performance.now(), parts.rest)
  const { threads } = parts.closingPool
  const slots = new Semaphore(threads)
  const way: BatchRunner = {
    evaluate: (task) => slots.run(() => parts.closingPool.run(task)),
    commit: (part) => pace.run(() => shard.closePart(part)),
  }
  let startedMs = 0
  return new CycleScheduler({
    clock,
    delay,
    graceMs: config.cycleGraceMs,
    missedMax: config.missedCyclesMax,
    inactiveMs: config.inactiveAfterMs,
    // One more than are worked out: it is stored meanwhile.
    parallelBatches: threads + 1,
    batchElements: parts.partElements,
    load: async () =>
      (await documents.get(schedulerKind, schedulerId)) as SchedulerState | undefined,
    save: (state) => documents.put(schedulerKind, schedulerId, state),
    flush: (upToMs) => {
      startedMs = performance.now()
      return caretaker.flushUpTo(upToMs)
    },
    elementCount: async () => (await shard.figures()).elementCount,
    closeBatch: (question) => closeBatch(parts, question, way),
    onClosed: async ({ closingMs, elements }) => {
      for (const tenant of parts.tenants())
        await parts.records.incidentPipeline.sweep(tenant, closingMs)
      parts.onClosed({ durationMs: performance.now() - startedMs, elements })
    },
    onError: (err) => log.error({ err }, "closing a cycle failed; it is tried again"),
  })
}

/** The way of a part, on which it waits for others. */
interface BatchRunner {
  readonly evaluate: (task: QueryTask) => Promise<WorkerResult<BatchResponse>>
  /** True where the part was stored now, false where it had been before. */
  readonly commit: (part: CycleBatch) => Promise<boolean>
}

async function closeBatch(
  parts: CycleClosingDeps,
  question: BatchRequest,
  way: BatchRunner,
): Promise<void> {
  const answer = unwrapWorkerResult(await way.evaluate({ kind: "closePart", question }))
  for (const problem of answer.problems) parts.log.warn({}, problem)
  if (answer.changes === null) return
  // Tenants in one order everywhere: each waits for its turn within those before it.
  const findings = answer.violations.toSorted((left, right) => left.tenant - right.tenant)
  const world = { findings: parts.records.incidentPipeline, way }
  await commitWithViolations(world, question, { ...answer.changes, documents: [] }, findings)
}

/** Adds what each tenant's findings bring, one within the other's turn, and stores all at once. */
async function commitWithViolations(
  world: { readonly findings: Records["incidentPipeline"]; readonly way: BatchRunner },
  question: BatchRequest,
  part: CycleBatch,
  findings: readonly CycleViolations[],
): Promise<boolean> {
  const [first, ...rest] = findings
  if (first === undefined) return world.way.commit(part)
  let isStored = false
  await world.findings.applyBatch(
    first.tenant,
    {
      cycleStartMs: question.cycle * cycleMs,
      nowMs: question.closingMs,
      elementFqns: first.judged,
      violations: first.violations,
    },
    async (changes) => {
      const documents = [...part.documents, ...changes]
      isStored = await commitWithViolations(world, question, { ...part, documents }, rest)
      return isStored
    },
  )
  return isStored
}
