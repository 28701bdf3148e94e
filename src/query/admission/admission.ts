/**
 * Admission: the queue that every query of a client passes before a query thread works on it.
 *
 *   admit ─► waits for its turn ─► runs on one of `threads` ─► answered
 *     │            │    ▲                │
 *     │            │    └── preempted ───┤ long, and a client with less use waits
 *     ▼            ▼                     ▼
 *   too many    timeout, client left: the answer is abandoned, and the stop flag ends all threads
 *
 * A query is long once it has run for `longQueryMs`, or `longQueryOfHeavyUserMs` if its user has
 * used much. If long queries occupy all threads, one extra thread answers those that wait. If the
 * extra thread has a long query too, the long query of the heaviest user is preempted: it restarts
 * when a thread for long queries is free. So at most `threads` long queries run while others wait,
 * and a cheap query waits no longer than that.
 *
 * `QueryDispatcher.runQuery` holds its turn until the answer is complete, so answers are bounded in
 * bytes, too.
 */

import { createStopFlag, requestStop } from "../../base/query-budget.ts"
import { ServiceError } from "../../base/errors.ts"
import { heavyUsageMs, longQueryMs, longQueryOfHeavyUserMs } from "../../base/limits/queries.ts"
import { AdmittedQuery, type RunningTurn, type Turn } from "./admitted-query.ts"
import { FairQueue, type QueryOwner } from "./fair-queue.ts"
import { QueryBounds, type RefusedBy } from "./query-bounds.ts"

export type { Turn } from "./admitted-query.ts"

/** The sender of a query, and how long it waits for the answer. */
export interface QueryClient extends QueryOwner {
  /** Aborted when the client has left; undefined if that is unknown. */
  readonly signal?: AbortSignal | undefined
  /** Of the request that asks, for log lines. */
  readonly requestId?: string
}

interface AdmissionOptions {
  /** Number of query threads, without the extra one. */
  readonly threads: number
  /** Time limit of one query in milliseconds, from its arrival to its answer. */
  readonly timeoutMs: number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Calls back after `ms` milliseconds; returns a function that cancels it. */
  readonly delay: (callback: () => void, ms: number) => () => void
  /**
   * Starts the extra thread when a query first waits for long ones on all threads: a start costs
   * most of a second of CPU. Must not reject. No query waits on a starting thread or is charged for
   * the start. By default the thread is ready.
   */
  readonly prepareExtra?: () => Promise<void>
  /** Called for each query that was answered or failed, but not for an abandoned one. */
  readonly onAnswered?: (durationMs: number) => void
}

/** Numbers of current queries, and counts since the start of the process. */
export interface AdmissionFigures {
  readonly waiting: number
  readonly running: number
  readonly refused: Readonly<Record<RefusedBy, number>>
  readonly timedOut: number
  readonly cancelled: number
  /** Long queries that were preempted for others. */
  readonly preempted: number
}

export class Admission {
  private readonly options: AdmissionOptions
  private readonly turns = new FairQueue<AdmittedQuery>()
  private readonly running = new Set<AdmittedQuery>()
  private readonly bounds = new QueryBounds(this.turns)
  private timeoutMs: number
  private isMemoryShort = false
  private extra: "asleep" | "starting" | "ready"
  private cancelDispatch: (() => void) | null = null
  private timedOut = 0
  private cancelled = 0
  private preempted = 0

  constructor(options: AdmissionOptions) {
    this.options = options
    this.timeoutMs = options.timeoutMs
    this.extra = options.prepareExtra === undefined ? "ready" : "asleep"
  }

  /** Changes the time limit of later queries. */
  setTimeoutMs(timeoutMs: number): void {
    this.timeoutMs = timeoutMs
  }

  /**
   * Refuses queries while memory is short, and abandons those that run: what they have made so far
   * is freed when their threads see the stop flag.
   */
  setMemoryShort(isShort: boolean): void {
    this.isMemoryShort = isShort
    if (isShort) for (const query of this.running) this.abandon(query, "memoryShort")
  }

  get figures(): AdmissionFigures {
    const { bounds, timedOut, cancelled, preempted } = this
    const counts = { refused: { ...bounds.refused }, timedOut, cancelled, preempted }
    return { waiting: this.turns.size, running: this.running.size, ...counts }
  }

  /**
   * The longest time in milliseconds that a thread has worked on a query past its timeout; 0 if
   * there is none. Threads end such a query within milliseconds, unless they hang.
   */
  overdueMs(): number {
    const nowMs = this.options.elapsedMs()
    let oldestMs = 0
    for (const { admittedMs } of this.running) oldestMs = Math.max(oldestMs, nowMs - admittedMs)
    return Math.max(0, oldestMs - this.timeoutMs)
  }

  /**
   * Runs `work` when the client has its turn, and settles as it does. A preempted query runs `work`
   * again from the start. `before` runs first, without a turn, within the time limit of the query.
   *
   * Throws `throttled` if too many queries wait, `timedOut` at the time limit, `cancelled` if the
   * client left.
   */
  async run<Answer>(
    asker: QueryClient,
    work: (turn: Turn) => Promise<Answer>,
    before: () => Promise<void> = async () => {},
  ): Promise<Answer> {
    const query = this.admit(asker)
    const { signal } = asker
    const release = () => this.abandon(query, "cancelled")
    const cancel = this.options.delay(() => this.abandon(query, "timedOut"), this.timeoutMs)
    signal?.addEventListener("abort", release)
    if (signal?.aborted) release()
    const answering = before().then(() => this.workInTurns(query, work))
    try {
      const answer = await Promise.race([query.abandoned, answering])
      this.reportDuration(query)
      return answer
    } catch (error) {
      if (!query.isSettled) this.reportDuration(query)
      throw error
    } finally {
      cancel()
      signal?.removeEventListener("abort", release)
      this.leave(query)
    }
  }

  private reportDuration({ admittedMs }: AdmittedQuery): void {
    this.options.onAnswered?.(this.options.elapsedMs() - admittedMs)
  }

  private async workInTurns<Answer>(
    query: AdmittedQuery,
    work: (turn: Turn) => Promise<Answer>,
  ): Promise<Answer> {
    for (;;) {
      const turn = await this.turnOf(query)
      try {
        return await work(turn)
      } catch (error) {
        if (!turn.isEnding || query.isSettled) throw error
        query.isReady = false
        this.turns.add(query, true)
      } finally {
        this.finished(query)
      }
    }
  }

  /** Resolves when the query has its turn; never if it was abandoned before. */
  private turnOf(query: AdmittedQuery): Promise<RunningTurn> {
    return new Promise((resolve) => {
      if (query.isSettled) return
      query.start = resolve
      query.isReady = true
      this.dispatch()
    })
  }

  private admit(party: QueryOwner): AdmittedQuery {
    if (this.isMemoryShort) {
      this.bounds.refused.memory++
      throw memoryError()
    }
    this.bounds.makeRoom(party)
    const query = new AdmittedQuery(party, this.options.elapsedMs())
    this.turns.evictIdle(query.admittedMs)
    this.bounds.enter(party)
    this.turns.add(query)
    return query
  }

  /** The query has settled: its answer was delivered or abandoned. */
  private leave(query: AdmittedQuery): void {
    query.isSettled = true
    this.turns.remove(query)
    this.bounds.leave(query)
  }

  /** Abandons the answer; its threads end at their next check of the stop flag. */
  private abandon(query: AdmittedQuery, why: "timedOut" | "cancelled" | "memoryShort"): void {
    if (query.isSettled) return
    query.isSettled = true
    if (why === "memoryShort") this.bounds.refused.memory++
    else this[why]++
    if (query.running === null) this.turns.remove(query)
    else stop(query.running)
    if (why === "memoryShort") query.abandon(memoryError())
    else query.abandon(why === "cancelled" ? cancelledError() : timeoutError(this.timeoutMs))
  }

  /** The query has left its thread. */
  private finished(query: AdmittedQuery): void {
    const nowMs = this.options.elapsedMs()
    this.chargeRunning(nowMs)
    this.running.delete(query)
    query.running = null
    this.dispatch()
  }

  private dispatch(): void {
    const nowMs = this.options.elapsedMs()
    this.chargeRunning(nowMs)
    for (;;) {
      const mayBeLong = this.longCount(nowMs) < this.options.threads
      const next = this.turns.next(nowMs, (one) => one.isReady && (mayBeLong || !one.wasLong))
      if (next === null) break
      const isExtra = this.freeThread(nowMs)
      if (isExtra === null) {
        this.preemptFor(next, nowMs)
        break
      }
      this.start(next, isExtra, nowMs)
    }
    this.scheduleDispatch(nowMs)
  }

  /** Whether the free thread is the extra one; null if none is free for a query. */
  private freeThread(nowMs: number): boolean | null {
    const { threads } = this.options
    let common = 0
    let longCommon = 0
    for (const { running } of this.running) {
      if (running!.isExtra) continue
      common++
      if (isLong(running!, nowMs)) longCommon++
    }
    if (common < threads) return false
    const isNeeded = longCommon === threads && this.running.size === threads
    if (!isNeeded) return null
    this.startExtra()
    return this.extra === "ready" ? true : null
  }

  private startExtra(): void {
    const { prepareExtra } = this.options
    if (prepareExtra === undefined || this.extra !== "asleep") return
    this.extra = "starting"
    void prepareExtra().then(() => {
      this.extra = "ready"
      this.dispatch()
    })
  }

  private longCount(nowMs: number): number {
    let count = 0
    for (const { running } of this.running) if (isLong(running!, nowMs)) count++
    return count
  }

  private start(query: AdmittedQuery, isExtra: boolean, nowMs: number): void {
    this.turns.remove(query)
    this.turns.noteTurn(query)
    const isHeavy = this.turns.usedMs(query, nowMs) > heavyUsageMs
    const longFromMs = nowMs + (isHeavy ? longQueryOfHeavyUserMs : longQueryMs)
    const times = { startedMs: nowMs, chargedMs: nowMs, longFromMs }
    const running: RunningTurn = { stop: createStopFlag(), isExtra, ...times, isEnding: false }
    query.running = running
    this.running.add(query)
    query.start(running)
  }

  /** Preempts a long query for a waiting one if all threads have long ones; it restarts later. */
  private preemptFor(next: AdmittedQuery, nowMs: number): void {
    // An extra thread that is still starting runs no query.
    const threads = this.options.threads + Number(this.extra === "ready")
    if (this.longCount(nowMs) < threads) return
    let heaviest: AdmittedQuery | null = null
    for (const one of this.running) {
      if (one.running!.isEnding) return
      if (heaviest === null || this.isPreemptedBefore(one, heaviest, nowMs)) heaviest = one
    }
    if (heaviest === null) return
    const isSame = heaviest.tenant === next.tenant && heaviest.user === next.user
    if (!isSame && !this.turns.hasUsedMore(heaviest, next, nowMs)) return
    heaviest.wasLong = true
    this.preempted++
    stop(heaviest.running!)
  }

  /** Compares the use of their users; of one user the younger query goes, as it loses less. */
  private isPreemptedBefore(one: AdmittedQuery, other: AdmittedQuery, nowMs: number): boolean {
    if (this.turns.hasUsedMore(one, other, nowMs)) return true
    if (this.turns.hasUsedMore(other, one, nowMs)) return false
    return one.running!.startedMs > other.running!.startedMs
  }

  private chargeRunning(nowMs: number): void {
    for (const query of this.running) {
      const running = query.running!
      this.turns.charge(query, nowMs - running.chargedMs, nowMs)
      running.chargedMs = nowMs
    }
  }

  /** While any query waits: dispatches again when a query becomes long or the use has changed. */
  private scheduleDispatch(nowMs: number): void {
    this.cancelDispatch?.()
    this.cancelDispatch = null
    if (this.turns.size === 0) return
    let waitMs = longQueryMs
    for (const { running } of this.running) {
      const leftMs = running!.longFromMs - nowMs
      if (leftMs > 0) waitMs = Math.min(waitMs, leftMs)
    }
    this.cancelDispatch = this.options.delay(() => this.dispatch(), Math.ceil(waitMs))
  }
}

function isLong({ longFromMs }: RunningTurn, nowMs: number): boolean {
  return nowMs >= longFromMs
}

function stop(running: RunningTurn): void {
  running.isEnding = true
  requestStop(running.stop)
}

function timeoutError(timeoutMs: number): ServiceError {
  return new ServiceError(
    "timedOut",
    `The query took longer than ${timeoutMs / 1000} s, waiting included: ask for less, such ` +
      `as a shorter window or fewer names, or again when the server has less to do`,
  )
}

function memoryError(): ServiceError {
  return new ServiceError("overloaded", "The server is short of memory: ask again later", {
    retryAfterSeconds: 5,
  })
}

function cancelledError(): ServiceError {
  return new ServiceError("cancelled", "The client closed the connection before the answer")
}
