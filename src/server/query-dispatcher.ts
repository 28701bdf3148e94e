/**
 * Asking: the way of a question through the threads.
 *
 *   admission                       waits for the turn of whoever asks
 * (query/admission/admission.ts)
 *   flushIndex ─► shard             where names came that readers do not see yet
 *   ask ─► query thread             finds the series, and how they can be read in parts; answers
 *                                   where the next lines have nothing to add
 *   open samples ─► shard           where there are any
 *   answer ─► query thread ◄──┐     reads, prints
 *   help ─► helping threads ──┘     so do those that are idle, for a question in parts
 *
 * What the server asks itself goes to the thread of the closings, which questions of clients never
 * take: it waits for no turn and is counted against nobody.
 */

import type { AnswerMemory } from "../base/answer-memory.ts"
import type { StopFlag } from "../base/query-budget.ts"
import { unwrapWorkerResult, type WorkerResult } from "../engine/worker-result.ts"
import type { ThreadPool } from "../engine/worker-pool.ts"
import type { ShardClient } from "../engine/shard-client.ts"
import { releaseClaims, ReservedAnswer, mayHaveUnflushed, createWorkQueue } from "../query/query.ts"
import type {
  Admission,
  QueryOutcome,
  QueryClient,
  QueryRequest,
  QueryPlan,
  Turn,
} from "../query/query.ts"
import type { WorkerSide } from "../query/query.ts"
import type { QueryTask } from "../worker/query-worker.ts"
import type { UnflushedSamples } from "../store/store.ts"
import type { AnswerParts } from "../wire/json.ts"

/**
 * How much work is left to another thread at a time, of several milliseconds: handing over a part
 * and its answer takes about a tenth of one.
 */
export const partitionMs = 3

/** Kinds of questions that look up what their path names. */
const lookUpKinds: ReadonlySet<QueryRequest["kind"]> = new Set([
  "names",
  "tags",
  "element",
  "namePreview",
])

/** Threads that read the store, by what they are for. */
export interface ReaderPools {
  /** Answer questions of clients. */
  readonly queryPool: ThreadPool
  /** One thread more, for others when long questions have all of those. */
  readonly extraPool: ThreadPool
  /** Null where nobody helps. */
  readonly helperPool: ThreadPool | null
  /** Work out closings, and answer what the server asks itself. */
  readonly closingPool: ThreadPool
}

export interface QueryDispatcherDeps extends ReaderPools {
  readonly admission: Pick<Admission, "run">
  readonly memory: AnswerMemory
  readonly shard: Pick<
    ShardClient,
    "unflushedSampleCount" | "unflushedSamples" | "hasUnflushedSeries" | "flushIndex"
  >
  /** Whether samples wait to be taken in: then a question takes no second core from them. */
  readonly isIngesting: () => boolean
}

/** On which thread a question is answered, who may help, and what ends it. */
interface Assignment {
  readonly pool: ThreadPool
  readonly mayShare: boolean
  readonly stop: StopFlag | null
}

export class QueryDispatcher {
  private readonly deps: QueryDispatcherDeps

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
    const work = async (turn: Turn): Promise<ReservedAnswer> => {
      answer = await this.answerOn(request, this.assignmentOf(turn))
      if (isGivenUp) answer.release()
      return answer
    }
    try {
      const isLookUp = lookUpKinds.has(request.kind)
      return await this.deps.admission.run({ ...asker, isLookUp }, work, () => this.flushIndex())
    } catch (error) {
      // A thread may finish an answer after its client left.
      isGivenUp = true
      ;(answer as ReservedAnswer | null)?.release()
      throw error
    }
  }

  /** The same for the server itself; nothing ends the question. */
  async dispatchInternal(request: QueryRequest): Promise<ReservedAnswer> {
    await this.flushIndex()
    const place = { pool: this.deps.closingPool, mayShare: false, stop: null }
    return this.answerOn(request, place)
  }

  private async flushIndex(): Promise<void> {
    const { shard } = this.deps
    if (shard.hasUnflushedSeries) await shard.flushIndex()
  }

  private assignmentOf({ isExtra, stop }: Turn): Assignment {
    const { queryPool, extraPool } = this.deps
    return { pool: isExtra ? extraPool : queryPool, mayShare: true, stop }
  }

  private async answerOn(request: QueryRequest, place: Assignment): Promise<ReservedAnswer> {
    const parts = await this.partsOn(request, place)
    const { memory } = this.deps
    return new ReservedAnswer(parts, (bytes) => memory.release(request.tenant, bytes))
  }

  private async partsOn(request: QueryRequest, place: Assignment): Promise<AnswerParts> {
    const { shard } = this.deps
    const others = {
      hasUnflushed: shard.unflushedSampleCount > 0,
      allowsParallel: this.idleScanWorkers(place) > 0,
    }
    const task: QueryTask = { kind: "ask", request, others, stop: place.stop }
    const { parts, plan } = unwrapWorkerResult(
      await place.pool.run<WorkerResult<QueryOutcome>>(task),
    )
    if (plan === undefined) return parts
    const isOpen = shard.unflushedSampleCount > 0 && mayHaveUnflushed(plan)
    const open = isOpen
      ? await shard.unflushedSamples(plan.series, plan.span, plan.onlyFirst ?? false)
      : null
    return unwrapWorkerResult(await this.answer(plan, open, place))
  }

  private answer(
    plan: QueryPlan,
    open: UnflushedSamples | null,
    place: Assignment,
  ): Promise<WorkerResult<AnswerParts>> {
    const { pool, stop } = place
    const { partitioning, ...lean } = plan
    const parts = partitioning?.partitions ?? []
    const helpers = Math.min(this.idleScanWorkers(place), parts.length - 1)
    if (helpers <= 0) {
      const task: QueryTask = { kind: "answer", plan: lean, open, queue: null, stop }
      return pool.run(task)
    }
    const { queue, sides } = createWorkQueue(parts.length, helpers)
    const task: QueryTask = { kind: "answer", plan, open, queue, stop }
    const answered = pool.run<WorkerResult<AnswerParts>>(task, queue.ports)
    for (const side of sides) void this.scan({ kind: "help", plan, open, side, stop })
    return answered
  }

  /** What a helper meets the asker meets, too; only that its thread ended the asker cannot know. */
  private async scan(task: QueryTask & { readonly side: WorkerSide }): Promise<void> {
    const { side } = task
    try {
      await this.deps.helperPool!.run(task, [side.port])
    } catch {
      releaseClaims(side.state, side.thread)
    }
  }

  /**
   * With whom no more threads work than there are helpers and one who asks. While samples wait or a
   * cycle closes nobody helps: a core is left to them.
   */
  private idleScanWorkers({ mayShare }: Assignment): number {
    const { queryPool, extraPool, helperPool, closingPool, isIngesting } = this.deps
    if (!mayShare || helperPool === null || isIngesting() || closingPool.taskCount > 0) return 0
    const asking = Math.min(queryPool.taskCount, queryPool.threads) + extraPool.taskCount
    return helperPool.threads - helperPool.taskCount - asking
  }
}
