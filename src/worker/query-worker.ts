/**
 * A thread that reads the store. By its role it answers queries of clients, scans partitions for
 * them without a catalogue, or evaluates closings and answers the server's own queries, which then
 * never wait for a client's.
 *
 * A thread has one task at a time (`tasksPerThread` of server/reader-pools.ts), which `runTask`
 * asserts: the embedded store has one budget, and the snapshots of one thread are never those of
 * two queries. Its reads return no promise, so a query is never suspended for longer than some
 * microtasks. A store in other processes would give a thread several tasks, each with a budget and
 * a view of its own, as `Query` has them already.
 */

import { assert, unreachable } from "../base/assert.ts"
import { AnswerMemory, type SharedAnswerMemory } from "../base/answer-memory.ts"
import { QueryBudget, type StopFlag } from "../base/query-budget.ts"
import { endPhase } from "../base/log.ts"
import { isTuningOn } from "../config/tunings.ts"
import { CycleEvaluator } from "../cycle/cycle-evaluator.ts"
import type { BatchRequest } from "../cycle/cycle-protocol.ts"
import { TenantDirectory, type DirectoryMemory } from "../accounts/tenant-directory.ts"
import { toWorkerResult, type WorkerResult } from "../engine/worker-result.ts"
import { withTransfer, poolWorkerData, eventLoopTurn } from "../engine/worker-pool.ts"
import type { UnflushedSamples } from "../engine/shard-protocol.ts"
import { writeCompiledCode } from "../runtime/compile-cache.ts"
import { runGcTask, type GcTask } from "../runtime/gc.ts"
import { ScanWorker } from "../query/scan-worker.ts"
import {
  Query,
  type QueryOutcome,
  type WorkerSide,
  type Participants,
  type QueryPlan,
  type QueryRequest,
  type WorkQueue,
} from "../query/query.ts"
import { openReadStore, openSeriesReader } from "../store/open.ts"
import type { LegacyNames } from "../wire/legacy-names.ts"
import { lowerThreadPriority } from "../runtime/thread-priority.ts"
import type { CountedReads } from "../store/query-store.ts"
import type { AnswerParts } from "../wire/json.ts"
import type { TenantIndex } from "../model/ids.ts"
import { CostMeter, type TaskCost } from "./task-cost.ts"

/** The work of a thread: clients' queries, scans for them, or closings and the server's own. */
export type ReaderRole = "query" | "scan" | "closing"

export interface QueryWorkerData {
  readonly folder: string
  /** Shared with the main thread, which adds tenants while the server runs. */
  readonly tenants: DirectoryMemory
  readonly role: ReaderRole
  /** Whether a thread opens the store when it starts, or with its first task. */
  readonly isStoreOpen: boolean
  readonly answers: SharedAnswerMemory
  /** Duration of the work in one partition; Infinity if no other thread scans. */
  readonly partitionMs: number
  readonly legacyNames: LegacyNames
}

export type QueryTask =
  | {
      readonly kind: "execute"
      readonly request: QueryRequest
      readonly others: Participants
      readonly stop: StopFlag | null
    }
  | {
      readonly kind: "answer"
      readonly plan: QueryPlan
      readonly open: UnflushedSamples | null
      readonly queue: WorkQueue | null
      readonly stop: StopFlag | null
    }
  | {
      readonly kind: "scan"
      readonly plan: QueryPlan
      readonly open: UnflushedSamples | null
      readonly side: WorkerSide
      readonly stop: StopFlag | null
    }
  | { readonly kind: "warmUp"; readonly step: number; readonly nowMs: number }
  | { readonly kind: "closeBatch"; readonly question: BatchRequest }
  /** Opens the store, as any first task of a thread does. */
  | { readonly kind: "open" }

/** The answer of a thread to a task for a client. */
export type CostedResult<T> = WorkerResult<T> & { readonly cost?: TaskCost }

/** The store of a thread, with what reads it. `handle` may return a promise. */
interface TaskHandler {
  readonly store: CountedReads
  readonly handle: (task: QueryTask) => unknown
}

/** Creates the handler of a thread's tasks. Throws if the store cannot be opened. */
function createHandler(data: QueryWorkerData): TaskHandler {
  if (isTuningOn(process.env, "thread-priority")) lowerThreadPriority(nicenessOf[data.role])
  const budget = new QueryBudget()
  const { store, handle } =
    data.role === "scan" ? createScanHandler(data, budget) : createQueryHandler(data, budget)
  endPhase("reader thread: store open")
  return {
    store,
    handle: (task) => {
      budget.begin("stop" in task ? task.stop : null)
      return handle(task)
    },
  }
}

/**
 * Nice values, of -20 to 19. If two threads want one core, a thread of 0, as those of ingest are,
 * gets three times the time of one of 5 and nine times that of one of 10. A closing must end within
 * its cycle; an answer may come a little later.
 */
const nicenessOf: Readonly<Record<ReaderRole, number>> = { closing: 2, query: 5, scan: 10 }

function createScanHandler({ folder, answers }: QueryWorkerData, budget: QueryBudget): TaskHandler {
  const store = openSeriesReader({ folder, budget })
  const scanWorker = new ScanWorker(store, budget, new AnswerMemory(answers))
  return {
    store,
    handle: (task) => {
      assert(task.kind === "scan", `Expected no ${task.kind} on a thread that scans`)
      scanWorker.scan(task.plan, task.open, task.side)
    },
  }
}

function createQueryHandler(data: QueryWorkerData, budget: QueryBudget): TaskHandler {
  const store = openReadStore({ folder: data.folder, budget })
  const tenants = new TenantDirectory(data.tenants)
  const elapsedMs = (): number => performance.now()
  const tenantUuid = (tenant: TenantIndex): string => tenants.uuidOf(tenant)
  const { partitionMs, legacyNames } = data
  const memory = new AnswerMemory(data.answers)
  const query = new Query({
    store,
    tenantUuid,
    elapsedMs,
    sharing: partitionMs === Infinity ? null : { source: store, partitionMs },
    legacyNames,
    memory,
  })
  const closer = new CycleEvaluator({ store, tenantUuid })
  const handle = (task: QueryTask): unknown => {
    switch (task.kind) {
      case "execute":
        return query.execute(task.request, task.others, budget)
      case "answer":
        return query.answer(task.plan, task.open, task.queue, budget)
      case "warmUp":
        return query.warmUp(task.step, task.nowMs)
      case "closeBatch":
        store.refresh()
        return closer.evaluate(task.question)
      case "open":
        return store.refresh()
      case "scan":
        throw new Error("Expected this on a thread that scans")
      default:
        return unreachable(task)
    }
  }
  return { store, handle }
}

/**
 * Opens the store before the first task, which would wait for the catalogue. If that fails, the
 * first task tries again and is answered with the error.
 */
function createEagerly(): TaskHandler | null {
  const data = poolWorkerData() as QueryWorkerData
  if (!data.isStoreOpen) return null
  try {
    return createHandler(data)
  } catch {
    return null
  }
}

writeCompiledCode()
endPhase("reader thread: modules loaded")
let handler = createEagerly()
let isRunning = false

export default async function runTask(task: QueryTask | GcTask | null): Promise<unknown> {
  if (task === null) return eventLoopTurn()
  if (task.kind === "collectGarbage") return runGcTask()
  assert(!isRunning, "Expected one task at a time")
  isRunning = true
  let meter: CostMeter | null = null
  const outcome = await toWorkerResult(() => {
    handler ??= createHandler(poolWorkerData() as QueryWorkerData)
    if ("stop" in task) meter = new CostMeter(handler.store)
    return handler.handle(task)
  }).finally(() => (isRunning = false))
  const cost = (meter as CostMeter | null)?.cost()
  const answer = cost === undefined ? outcome : { ...outcome, cost }
  return withTransfer(answer, buffersOf(task, outcome))
}

/** The buffers of an answer, which are transferred, not copied. */
function buffersOf({ kind }: QueryTask, outcome: WorkerResult<unknown>): ArrayBuffer[] {
  if (!outcome.ok) return []
  const parts =
    kind === "execute"
      ? (outcome.value as QueryOutcome).parts
      : kind === "answer"
        ? (outcome.value as AnswerParts)
        : []
  return (parts ?? []).map(({ buffer }) => buffer as ArrayBuffer)
}
