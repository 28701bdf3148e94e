/**
 * Dispatches a query to the threads.
 *
 *   admission                     waits for the client's turn (query/admission/admission.ts)
 *   index flush ─► shard          if there are series that readers do not see yet
 *   execute ─► query thread       finds the series and their partitions; answers if no more is
 *                                 needed
 *   unflushed samples ─► shard    if there are any
 *   answer ─► query thread ◄─┐    reads and prints
 *   scan ─► scan workers ────┘    idle ones share the partitions of a large query
 *
 * The server's own queries go to the closing threads, which clients' queries never use; they wait
 * for no turn and count against no quota.
 */

import type { AnswerMemory } from "../base/answer-memory.ts"
import type { StopFlag } from "../base/query-budget.ts"
import { buffersOfBatch } from "../model/sample-batch.ts"
import { unwrapWorkerResult } from "../engine/worker-result.ts"
import type { ThreadPool } from "../engine/worker-pool.ts"
import type { ShardClient } from "../engine/shard-client.ts"
import {
  createWorkQueue,
  figuresOf,
  mayHaveUnflushed,
  releaseClaims,
  ReservedAnswer,
  WorkingMemory,
} from "../query/query.ts"
import type {
  Admission,
  QueryOutcome,
  QueryClient,
  QueryRequest,
  QueryPlan,
  Turn,
} from "../query/query.ts"
import type { WorkerSide } from "../query/query.ts"
import type { GcTask } from "../runtime/gc.ts"
import type { CostedResult, QueryTask } from "../worker/query-worker.ts"
import { QueryTrace } from "./watch/query-trace.ts"
import type { UnflushedSamples } from "../store/append-store.ts"
import type { AnswerParts } from "../wire/json.ts"

/**
 * Least work in one partition, so two threads share 16 ms or more: a second one costs 2 to 5 ms of
 * CPU. One thread answers three days of 1,000 elements in 19 ms and two in 16, which take 1.10 of
 * its CPU; six days take 33 and 25.
 */
export const partitionMs = 8

/** Kinds of queries that look up what their path names. */
const lookUpKinds: ReadonlySet<QueryRequest["kind"]> = new Set([
  "names",
  "tags",
  "element",
  "namePreview",
])

/** Threads that read the store, by their purpose. */
export interface ReaderPools {
  /** Answer clients' queries. */
  readonly queryPool: ThreadPool
  /** One more thread, for short queries while long ones occupy all of those. */
  readonly extraPool: ThreadPool
  /** Scan workers; null if there are none. */
  readonly scanPool: ThreadPool | null
  /** Evaluate closings, and answer the server's own queries. */
  readonly closingPool: ThreadPool
}

interface QueryDispatcherDeps extends ReaderPools {
  readonly admission: Pick<Admission, "run">
  readonly memory: AnswerMemory
  readonly shard: Pick<
    ShardClient,
    "unflushedSampleCount" | "unflushedSamples" | "hasUnflushedSeries" | "flushIndex"
  >
  /** Whether ingest requests wait: a query then takes no second core from them. */
  readonly isIngesting: () => boolean
  /** Called when a client's query has ended. */
  readonly onEnded?: (trace: QueryTrace) => void
}

/** The threads that a query may use, and the flag that stops it. */
interface Assignment {
  readonly pool: ThreadPool
  readonly allowsParallel: boolean
  readonly stop: StopFlag | null
  /** Null: a query of the server itself. */
  readonly trace: QueryTrace | null
}

export class QueryDispatcher {
  private readonly deps: QueryDispatcherDeps
  private isCollecting = false

  constructor(parts: QueryDispatcherDeps) {
    this.deps = parts
  }

  /**
   * The finished answer to a client, which the caller releases. Rejects with a ServiceError as
   * `Admission.run`, `Query.plan` and `answer` throw.
   */
  async dispatch(request: QueryRequest, asker: QueryClient): Promise<ReservedAnswer> {
    let isGivenUp = false
    let answer: ReservedAnswer | null = null
    let isScarce = false
    const trace = new QueryTrace(request, asker)
    const work = async (turn: Turn): Promise<ReservedAnswer> => {
      trace.begin()
      isScarce = this.deps.memory.isScarce
      answer = await this.answerOn(request, this.assignmentOf(turn, trace))
      if (isGivenUp) answer.release()
      return answer
    }
    const tracedWork = (turn: Turn) => trace.waitFor(work(turn))
    try {
      const owner = { ...asker, isLookUp: lookUpKinds.has(request.kind) }
      const { admission } = this.deps
      return trace.answered(await admission.run(owner, tracedWork, () => this.flushIndex()))
    } catch (error) {
      // A thread may finish an answer after its client has left.
      isGivenUp = true
      ;(answer as ReservedAnswer | null)?.release()
      throw trace.failed(error)
    } finally {
      if (isScarce) this.collectGarbage()
      this.deps.onEnded?.(trace)
    }
  }

  /**
   * Collects the garbage of the query threads while answers fill their memory: each thread leaves
   * some tens of MB, and V8 collects only when its buffers have grown by 64.
   */
  private collectGarbage(): void {
    const { queryPool, extraPool } = this.deps
    if (this.isCollecting) return
    this.isCollecting = true
    const task: GcTask = { kind: "collectGarbage" }
    // The failure of a thread is reported to the callers of its tasks.
    void Promise.allSettled([queryPool, extraPool].map((pool) => pool.runOnAll(task))).then(
      () => (this.isCollecting = false),
    )
  }

  /** As `dispatch`, for the server itself, without admission or stop flag. */
  async dispatchInternal(request: QueryRequest): Promise<ReservedAnswer> {
    await this.flushIndex()
    const own = { allowsParallel: false, stop: null, trace: null }
    const assignment = { pool: this.deps.closingPool, ...own }
    return this.answerOn(request, assignment)
  }

  private async flushIndex(): Promise<void> {
    const { shard } = this.deps
    if (shard.hasUnflushedSeries) await shard.flushIndex()
  }

  private assignmentOf({ isExtra, stop }: Turn, trace: QueryTrace): Assignment {
    const { queryPool, extraPool } = this.deps
    return { pool: isExtra ? extraPool : queryPool, allowsParallel: true, stop, trace }
  }

  private async answerOn(request: QueryRequest, assignment: Assignment): Promise<ReservedAnswer> {
    const parts = await this.partsOn(request, assignment)
    const { memory } = this.deps
    return new ReservedAnswer(parts, (bytes) => memory.release(request.tenant, bytes))
  }

  private async partsOn(request: QueryRequest, assignment: Assignment): Promise<AnswerParts> {
    const { shard } = this.deps
    const { pool, stop, trace } = assignment
    const others = {
      hasUnflushed: shard.unflushedSampleCount > 0,
      allowsParallel: this.idleScanWorkers(assignment) > 0,
    }
    const task: QueryTask = { kind: "execute", request, others, stop }
    const executed = await pool.run<CostedResult<QueryOutcome>>(task)
    trace?.addCost(executed)
    const { parts, plan, figures } = unwrapWorkerResult(executed)
    trace?.planned(plan === undefined ? figures : figuresOf(plan))
    if (plan === undefined) return parts
    const isOpen = shard.unflushedSampleCount > 0 && mayHaveUnflushed(plan)
    const open = isOpen
      ? await shard.unflushedSamples(plan.series, plan.span, plan.onlyNewest ?? false)
      : null
    trace?.addUnflushed(open)
    const answered = await this.answer(plan, open, assignment)
    trace?.addCost(answered)
    return unwrapWorkerResult(answered)
  }

  private answer(
    plan: QueryPlan,
    open: UnflushedSamples | null,
    assignment: Assignment,
  ): Promise<CostedResult<AnswerParts>> {
    const { pool, stop, trace } = assignment
    const { partitioning, ...lean } = plan
    const parts = partitioning?.partitions ?? []
    const helpers = Math.min(this.idleScanWorkers(assignment), parts.length - 1)
    if (helpers <= 0) {
      const task: QueryTask = { kind: "answer", plan: lean, open, queue: null, stop }
      return pool.run(task, open === null ? [] : buffersOfBatch(open))
    }
    const { queue, sides } = createWorkQueue(parts.length, helpers)
    const task: QueryTask = { kind: "answer", plan, open, queue, stop }
    const answered = pool.run<CostedResult<AnswerParts>>(task, queue.ports)
    const scans = sides.map((side) => {
      const scanned = this.scan({ kind: "scan", plan, open, side, stop }, trace)
      return trace?.waitFor(scanned) ?? scanned
    })
    const working = new WorkingMemory(this.deps.memory, plan.tenant, queue.workingUnits)
    void Promise.allSettled([answered, ...scans]).then(() => working.end())
    return answered
  }

  /**
   * Runs a scan worker. Its failures, such as damage, the query thread meets, too; only the end of
   * the worker's thread it cannot see, so the worker's claims are released here.
   */
  private async scan(
    task: QueryTask & { readonly side: WorkerSide },
    trace: QueryTrace | null,
  ): Promise<void> {
    const { side } = task
    try {
      const scanned = await this.deps.scanPool!.run<CostedResult<void>>(task, [side.port])
      trace?.addScan(scanned)
    } catch {
      releaseClaims(side.state, side.thread)
    }
  }

  /**
   * Scan workers that a query may use: together with query threads no more than scan workers and
   * one. None while ingest requests wait or a cycle closes, which need the core.
   */
  private idleScanWorkers({ allowsParallel }: Assignment): number {
    const { queryPool, extraPool, scanPool, closingPool, isIngesting } = this.deps
    if (!allowsParallel || scanPool === null || isIngesting() || closingPool.taskCount > 0) return 0
    const querying = Math.min(queryPool.taskCount, queryPool.threads) + extraPool.taskCount
    return scanPool.threads - scanPool.taskCount - querying
  }
}
