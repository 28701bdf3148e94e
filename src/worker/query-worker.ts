/**
 * One thread that reads the store. It answers questions of clients; or it helps with them, without
 * a catalogue; or it works out closings and answers what the server asks itself, so that neither
 * waits for questions of clients.
 */

import { assert, unreachable } from "../base/assert.ts"
import { AnswerMemory, type SharedAnswerMemory } from "../base/answer-memory.ts"
import { QueryBudget, type StopFlag } from "../base/query-budget.ts"
import { CycleEvaluator } from "../cycle/cycle-evaluator.ts"
import type { BatchRequest } from "../cycle/cycle-protocol.ts"
import { TenantDirectory, type DirectoryMemory } from "../accounts/tenant-directory.ts"
import { toWorkerResult, type WorkerResult } from "../engine/worker-result.ts"
import { withTransfer, poolWorkerData, eventLoopTurn } from "../engine/worker-pool.ts"
import type { UnflushedSamples } from "../engine/shard-protocol.ts"
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
import type { AnswerParts } from "../wire/json.ts"

/** What a thread is for. */
export type ReaderRole = "asks" | "helps" | "closes"

export interface QueryWorkerData {
  readonly folder: string
  /** Shared with the main thread, which adds tenants while the server runs. */
  readonly tenants: DirectoryMemory
  readonly role: ReaderRole
  readonly answers: SharedAnswerMemory
  /** Work of about so many milliseconds is left to another thread; Infinity: none helps. */
  readonly partitionMs: number
  readonly legacyNames: LegacyNames
}

export type QueryTask =
  | {
      readonly kind: "ask"
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
      readonly kind: "help"
      readonly plan: QueryPlan
      readonly open: UnflushedSamples | null
      readonly side: WorkerSide
      readonly stop: StopFlag | null
    }
  | { readonly kind: "rehearse"; readonly step: number; readonly nowMs: number }
  | { readonly kind: "closePart"; readonly question: BatchRequest }
  /** Opens the store, which every first task of a thread does. */
  | { readonly kind: "open" }

type TaskHandler = (task: QueryTask) => unknown

/** Gives what a thread does its tasks with. */
function createHandler(data: QueryWorkerData): TaskHandler {
  lowerThreadPriority(nicenessOf[data.role])
  const budget = new QueryBudget()
  const doing =
    data.role === "helps" ? createScanHandler(data, budget) : createQueryHandler(data, budget)
  return (task) => {
    budget.begin("stop" in task ? task.stop : null)
    return doing(task)
  }
}

/**
 * Of -20 to 19; a thread of 0, as those of ingest are, gets three times what one of 5 gets if both
 * want a core, and nine times what one of 10 gets. A closing must be done within its cycle; an
 * answer that comes a little later harms nobody.
 */
const nicenessOf: Readonly<Record<ReaderRole, number>> = { closes: 2, asks: 5, helps: 10 }

function createScanHandler({ folder }: QueryWorkerData, budget: QueryBudget): TaskHandler {
  const helper = new ScanWorker(openSeriesReader({ folder, budget }), budget)
  return (task) => {
    assert(task.kind === "help", `Expected no ${task.kind} on a thread that helps`)
    helper.scan(task.plan, task.open, task.side)
  }
}

function createQueryHandler(data: QueryWorkerData, budget: QueryBudget): TaskHandler {
  const store = openReadStore({ folder: data.folder, budget })
  const tenants = new TenantDirectory(data.tenants)
  const elapsedMs = (): number => performance.now()
  const tenantUuid = (tenant: number): string => tenants.uuidOf(tenant)
  const { partitionMs, legacyNames } = data
  const memory = new AnswerMemory(data.answers)
  const query = new Query({
    store,
    tenantUuid,
    elapsedMs,
    partitionMs,
    legacyNames,
    budget,
    memory,
  })
  const closer = new CycleEvaluator({ store, tenantUuid })
  return (task) => {
    switch (task.kind) {
      case "ask":
        return query.execute(task.request, task.others)
      case "answer":
        return query.answer(task.plan, task.open, task.queue)
      case "rehearse":
        return query.warmUp(task.step, task.nowMs)
      case "closePart":
        return closer.evaluate(task.question)
      case "open":
        return store.refresh()
      case "help":
        throw new Error("Expected this on a thread that helps")
      default:
        return unreachable(task)
    }
  }
}

/**
 * Opened while nobody waits: the first question of a thread would wait for the catalogue. Where it
 * cannot be opened the first task tries again, and what stands in the way is that task's answer.
 */
function createEagerly(): TaskHandler | null {
  try {
    return createHandler(poolWorkerData() as QueryWorkerData)
  } catch {
    return null
  }
}

let handler = createEagerly()

export default async function runTask(task: QueryTask | GcTask | null): Promise<unknown> {
  if (task === null) return eventLoopTurn()
  if (task.kind === "tidy") return runGcTask()
  const outcome = await toWorkerResult(() => {
    handler ??= createHandler(poolWorkerData() as QueryWorkerData)
    return handler(task)
  })
  return withTransfer(outcome, buffersOf(task, outcome))
}

/** Parts of an answer are handed over, not copied. */
function buffersOf({ kind }: QueryTask, outcome: WorkerResult<unknown>): ArrayBuffer[] {
  if (!outcome.ok) return []
  const parts =
    kind === "ask"
      ? (outcome.value as QueryOutcome).parts
      : kind === "answer"
        ? (outcome.value as AnswerParts)
        : []
  return (parts ?? []).map(({ buffer }) => buffer as ArrayBuffer)
}
