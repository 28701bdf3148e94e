/**
 * Admission: what every query of a client goes through before a query thread works on it.
 *
 *   admit ─► waits for its turn ─► runs on one of `threads` ─► answered
 *     │            │    ▲                │
 *     │            │    └── put back ────┤ long, and somebody lighter waits
 *     ▼            ▼                     ▼
 *   too many    time over, client left: the answer is given up, and the flag has all threads end
 *
 * A query is long once it has run for `longQueryMs`, or `longQueryOfHeavyUserMs` if its user
 * has used much. If long ones have all threads, one more
 * thread answers those that wait; if that has a long one too, the one whose user has used most is
 * put back, to begin anew when a thread for long queries is free. So at most `threads` long
 * queries are worked on while others wait, and who asks for little waits no longer than that.
 *
 * Answers are to be bounded in bytes, too: all of them come out of `Asking.ask`, which holds its
 * turn until then.
 */

import { createStopFlag, requestStop } from "../../base/query-budget.ts"
import { ServiceError } from "../../base/errors.ts"
import {
  heavyUsageMs,
  longQueryMs,
  longQueryOfHeavyUserMs,
  queriesMax,
  queriesPerTenantMax,
  queriesPerUserMax,
} from "../../base/limits.ts"
import { KeyedCounts, AdmittedQuery, type RunningTurn, type Turn } from "./admitted-query.ts"
import { FairQueue, type QueryOwner } from "./fair-queue.ts"

export type { Turn } from "./admitted-query.ts"

/** Who asks, and how long there is somebody who waits for the answer. */
export interface QueryClient extends QueryOwner {
  /** Aborted when the client has left; undefined if nobody can tell. */
  readonly signal?: AbortSignal | undefined
}

export interface AdmissionOptions {
  /** Query threads, without the extra one. */
  readonly threads: number
  /** Milliseconds of one query, from its arrival to its answer. */
  readonly timeoutMs: number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Calls back after so many milliseconds; returns a way to cancel. */
  readonly delay: (callback: () => void, ms: number) => () => void
  /**
   * Makes the extra thread ready, when it is first needed; it must not reject. Nobody's query
   * waits on a thread that starts, or is charged for that. By default it is ready.
   */
  readonly prepareExtra?: () => Promise<void>
  /** Told of each query that was answered or failed by itself. */
  readonly onAnswered?: (durationMs: number) => void
}

export type RefusedBy = "user" | "tenant" | "server"

/** Queries of now, and counts since the start. */
export interface AdmissionFigures {
  readonly waiting: number
  readonly running: number
  readonly refused: Readonly<Record<RefusedBy, number>>
  readonly timedOut: number
  readonly cancelled: number
  /** Long ones that were put back for others. */
  readonly preempted: number
}

export class Admission {
  private readonly options: AdmissionOptions
  private readonly turns = new FairQueue<AdmittedQuery>()
  private readonly running = new Set<AdmittedQuery>()
  private readonly perTenant = new KeyedCounts<number>()
  private readonly perUser = new KeyedCounts<string>()
  private total = 0
  private extra: "asleep" | "starting" | "ready" = "asleep"
  private cancelDispatch: (() => void) | null = null
  private readonly refused: Record<RefusedBy, number> = { user: 0, tenant: 0, server: 0 }
  private timedOut = 0
  private cancelled = 0
  private preempted = 0

  constructor(options: AdmissionOptions) {
    this.options = options
  }

  get figures(): AdmissionFigures {
    const { refused, timedOut, cancelled, preempted } = this
    const counts = { refused: { ...refused }, timedOut, cancelled, preempted }
    return { waiting: this.turns.size, running: this.running.size, ...counts }
  }

  /**
   * For how many milliseconds a thread has worked on a query whose time is over, the longest of
   * all; 0 if there is none. Threads end such a query within milliseconds, unless they hang.
   */
  overdueMs(): number {
    const nowMs = this.options.elapsedMs()
    let oldestMs = 0
    for (const { admittedMs } of this.running) oldestMs = Math.max(oldestMs, nowMs - admittedMs)
    return Math.max(0, oldestMs - this.options.timeoutMs)
  }

  /**
   * Does the work when the asker's turn has come; settles as it does. It may be done a second time,
   * from the start, if it was put back. `before` is done first, without a turn, within the time of
   * the query.
   *
   * Throws `throttled` if there are too many queries, `timedOut` when the time of the query is
   * over, `cancelled` if the client left.
   */
  async run<Answer>(
    asker: QueryClient,
    work: (turn: Turn) => Promise<Answer>,
    before: () => Promise<void> = async () => {},
  ): Promise<Answer> {
    const query = this.admit(asker)
    const { signal } = asker
    const release = () => this.abandon(query, "cancelled")
    const cancel = this.options.delay(() => this.abandon(query, "timedOut"), this.options.timeoutMs)
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

  /** Resolves when the query has its turn; never if it was given up before. */
  private turnOf(query: AdmittedQuery): Promise<RunningTurn> {
    return new Promise((resolve) => {
      if (query.isSettled) return
      query.start = resolve
      query.isReady = true
      this.dispatch()
    })
  }

  private admit(party: QueryOwner): AdmittedQuery {
    const { tenant } = party
    if (this.perUser.of(keyOf(party)) >= queriesPerUserMax) {
      throw this.refusal("user", queriesPerUserMax)
    }
    if (this.perTenant.of(tenant) >= queriesPerTenantMax) {
      this.evictFor("tenant", party, queriesPerTenantMax)
    }
    if (this.total >= queriesMax) this.evictFor("server", party, queriesMax)
    const query = new AdmittedQuery(party, this.options.elapsedMs())
    this.turns.evictIdle(query.admittedMs)
    this.perTenant.add(tenant, 1)
    this.perUser.add(keyOf(party), 1)
    this.total++
    this.turns.add(query)
    return query
  }

  /**
   * Refuses the last query of the user, or the tenant, with the most waiting ones, so that a
   * flood harms only those who send it. Throws `throttled` if that is the asker.
   */
  private evictFor(by: "tenant" | "server", party: QueryOwner, max: number): void {
    const last = this.turns.lastOfLongest(by === "tenant" ? party.tenant : null)
    const refusal = this.refusal(by, max)
    if (last === null || this.countOf(by, last) <= this.countOf(by, party) + 1) throw refusal
    this.turns.remove(last)
    last.isSettled = true
    last.abandon(refusal)
  }

  private countOf(by: "tenant" | "server", party: QueryOwner): number {
    return by === "tenant" ? this.perUser.of(keyOf(party)) : this.perTenant.of(party.tenant)
  }

  private refusal(by: RefusedBy, max: number): ServiceError {
    this.refused[by]++
    const whose = by === "server" ? "the server" : `this ${by}`
    return new ServiceError("throttled", `More than ${max} queries of ${whose} wait already`, {
      retryAfterSeconds: 1,
    })
  }

  /** Whoever asked has their answer, or none. */
  private leave(query: AdmittedQuery): void {
    query.isSettled = true
    this.turns.remove(query)
    this.perTenant.add(query.tenant, -1)
    this.perUser.add(keyOf(query), -1)
    this.total--
  }

  /** Gives up the answer; the threads that work on it end at their next look at the flag. */
  private abandon(query: AdmittedQuery, why: "timedOut" | "cancelled"): void {
    if (query.isSettled) return
    query.isSettled = true
    this[why]++
    if (query.running === null) this.turns.remove(query)
    else stop(query.running)
    query.abandon(why === "cancelled" ? cancelledError() : timeoutError(this.options.timeoutMs))
  }

  /** No thread works on it any more. */
  private finished(query: AdmittedQuery): void {
    const nowMs = this.options.elapsedMs()
    this.chargeRunning(nowMs)
    // Where queries are long the extra thread is needed sooner or later.
    if (isLong(query.running!, nowMs)) this.isExtraReady()
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
    return isNeeded && this.isExtraReady() ? true : null
  }

  private isExtraReady(): boolean {
    const { prepareExtra } = this.options
    if (prepareExtra === undefined || this.extra === "ready") return true
    if (this.extra === "asleep") {
      this.extra = "starting"
      void prepareExtra().then(() => {
        this.extra = "ready"
        this.dispatch()
      })
    }
    return false
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

  /** Ends a long query for one that waits, if all threads have long ones; it begins anew. */
  private preemptFor(next: AdmittedQuery, nowMs: number): void {
    // An extra thread that is still starting takes nobody's query meanwhile.
    const threads = this.options.threads + Number(this.isExtraReady())
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

  /** By what their users have used; of one user the younger, which loses less. */
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

  /** While any waits: looks again when a query becomes long, and what was used has changed. */
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

function keyOf({ tenant, user }: QueryOwner): string {
  return `${tenant} ${user}`
}

function timeoutError(timeoutMs: number): ServiceError {
  return new ServiceError(
    "timedOut",
    `The query took longer than ${timeoutMs / 1000} s, waiting included: ask for less, such ` +
      `as a shorter window or fewer names, or again when the server has less to do`,
  )
}

function cancelledError(): ServiceError {
  return new ServiceError("cancelled", "The client closed the connection before the answer")
}
