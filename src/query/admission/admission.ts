/**
 * Admission: what every question of a client goes through before a query thread works on it.
 *
 *   admit ─► waits for its turn ─► runs on one of `threads` ─► answered
 *     │            │    ▲                │
 *     │            │    └── put back ────┤ long, and somebody lighter waits
 *     ▼            ▼                     ▼
 *   too many    time over, client left: the answer is given up, and the flag has all threads end
 *
 * A question is long once it has run for `longQueryMs`, or `longQueryOfHeavyUserMs` if its user
 * has used much. If long ones have all threads, one more
 * thread answers those that wait; if that has a long one too, the one whose user has used most is
 * put back, to begin anew when a thread for long questions is free. So at most `threads` long
 * questions are worked on while others wait, and who asks for little waits no longer than that.
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
import { Counts, Question, type Running, type Turn } from "./admitted.ts"
import { FairTurns, type Party } from "./turns.ts"

export type { Turn } from "./admitted.ts"

/** Who asks, and how long there is somebody who waits for the answer. */
export interface Asker extends Party {
  /** Aborted when the client has left; undefined if nobody can tell. */
  readonly signal?: AbortSignal | undefined
}

export interface AdmissionOptions {
  /** Query threads, without the extra one. */
  readonly threads: number
  /** Milliseconds of one question, from its arrival to its answer. */
  readonly timeoutMs: number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Calls back after so many milliseconds; returns a way to cancel. */
  readonly delay: (callback: () => void, ms: number) => () => void
  /**
   * Makes the extra thread ready, when it is first needed; it must not reject. Nobody's question
   * waits on a thread that starts, or is charged for that. By default it is ready.
   */
  readonly prepareExtra?: () => Promise<void>
  /** Told of each question that was answered or failed by itself. */
  readonly onAnswered?: (durationMs: number) => void
}

export type RefusedBy = "user" | "tenant" | "server"

/** Questions of now, and counts since the start. */
export interface AdmissionFigures {
  readonly waiting: number
  readonly running: number
  readonly refused: Readonly<Record<RefusedBy, number>>
  readonly timedOut: number
  readonly cancelled: number
  /** Long ones that were put back for others. */
  readonly putBack: number
}

export class Admission {
  private readonly options: AdmissionOptions
  private readonly turns = new FairTurns<Question>()
  private readonly running = new Set<Question>()
  private readonly perTenant = new Counts<number>()
  private readonly perUser = new Counts<string>()
  private inAll = 0
  private extra: "asleep" | "starting" | "ready" = "asleep"
  private cancelWake: (() => void) | null = null
  private readonly refused: Record<RefusedBy, number> = { user: 0, tenant: 0, server: 0 }
  private timedOut = 0
  private cancelled = 0
  private putBack = 0

  constructor(options: AdmissionOptions) {
    this.options = options
  }

  get figures(): AdmissionFigures {
    const { refused, timedOut, cancelled, putBack } = this
    const counts = { refused: { ...refused }, timedOut, cancelled, putBack }
    return { waiting: this.turns.size, running: this.running.size, ...counts }
  }

  /**
   * For how many milliseconds a thread has worked on a question whose time is over, the longest of
   * all; 0 if there is none. Threads end such a question within milliseconds, unless they hang.
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
   * the question.
   *
   * Throws `throttled` if there are too many questions, `timedOut` when the time of the question is
   * over, `cancelled` if the client left.
   */
  async run<Answer>(
    asker: Asker,
    work: (turn: Turn) => Promise<Answer>,
    before: () => Promise<void> = async () => {},
  ): Promise<Answer> {
    const question = this.admit(asker)
    const { signal } = asker
    const leave = () => this.end(question, "cancelled")
    const cancel = this.options.delay(() => this.end(question, "timedOut"), this.options.timeoutMs)
    signal?.addEventListener("abort", leave)
    if (signal?.aborted) leave()
    const answering = before().then(() => this.workInTurns(question, work))
    try {
      const answer = await Promise.race([question.givenUp, answering])
      this.answered(question)
      return answer
    } catch (error) {
      if (!question.isOver) this.answered(question)
      throw error
    } finally {
      cancel()
      signal?.removeEventListener("abort", leave)
      this.leave(question)
    }
  }

  private answered({ admittedMs }: Question): void {
    this.options.onAnswered?.(this.options.elapsedMs() - admittedMs)
  }

  private async workInTurns<Answer>(
    question: Question,
    work: (turn: Turn) => Promise<Answer>,
  ): Promise<Answer> {
    for (;;) {
      const turn = await this.turnOf(question)
      try {
        return await work(turn)
      } catch (error) {
        if (!turn.isEnding || question.isOver) throw error
        question.isReady = false
        this.turns.add(question, true)
      } finally {
        this.stopped(question)
      }
    }
  }

  /** Resolves when the question has its turn; never if it was given up before. */
  private turnOf(question: Question): Promise<Running> {
    return new Promise((resolve) => {
      if (question.isOver) return
      question.begin = resolve
      question.isReady = true
      this.dispatch()
    })
  }

  private admit(party: Party): Question {
    const { tenant } = party
    if (this.perUser.of(keyOf(party)) >= queriesPerUserMax) {
      throw this.refusal("user", queriesPerUserMax)
    }
    if (this.perTenant.of(tenant) >= queriesPerTenantMax) {
      this.makeRoom("tenant", party, queriesPerTenantMax)
    }
    if (this.inAll >= queriesMax) this.makeRoom("server", party, queriesMax)
    const question = new Question(party, this.options.elapsedMs())
    this.turns.forget(question.admittedMs)
    this.perTenant.add(tenant, 1)
    this.perUser.add(keyOf(party), 1)
    this.inAll++
    this.turns.add(question)
    return question
  }

  /**
   * Refuses the last question of the user, or the tenant, with the most waiting ones, so that a
   * flood harms only those who send it. Throws `throttled` if that is the asker.
   */
  private makeRoom(by: "tenant" | "server", party: Party, max: number): void {
    const last = this.turns.lastOfLongest(by === "tenant" ? party.tenant : null)
    const refusal = this.refusal(by, max)
    if (last === null || this.heldBy(by, last) <= this.heldBy(by, party) + 1) throw refusal
    this.turns.remove(last)
    last.isOver = true
    last.giveUp(refusal)
  }

  private heldBy(by: "tenant" | "server", party: Party): number {
    return by === "tenant" ? this.perUser.of(keyOf(party)) : this.perTenant.of(party.tenant)
  }

  private refusal(by: RefusedBy, max: number): ServiceError {
    this.refused[by]++
    const whose = by === "server" ? "the server" : `this ${by}`
    return new ServiceError("throttled", `More than ${max} questions of ${whose} wait already`, {
      retryAfterSeconds: 1,
    })
  }

  /** Whoever asked has their answer, or none. */
  private leave(question: Question): void {
    question.isOver = true
    this.turns.remove(question)
    this.perTenant.add(question.tenant, -1)
    this.perUser.add(keyOf(question), -1)
    this.inAll--
  }

  /** Gives up the answer; the threads that work on it end at their next look at the flag. */
  private end(question: Question, why: "timedOut" | "cancelled"): void {
    if (question.isOver) return
    question.isOver = true
    this[why]++
    if (question.running === null) this.turns.remove(question)
    else stop(question.running)
    question.giveUp(why === "cancelled" ? leftError() : lateError(this.options.timeoutMs))
  }

  /** No thread works on it any more. */
  private stopped(question: Question): void {
    const nowMs = this.options.elapsedMs()
    this.chargeRunning(nowMs)
    // Where questions are long the extra thread is needed sooner or later.
    if (isLong(question.running!, nowMs)) this.isExtraReady()
    this.running.delete(question)
    question.running = null
    this.dispatch()
  }

  private dispatch(): void {
    const nowMs = this.options.elapsedMs()
    this.chargeRunning(nowMs)
    for (;;) {
      const mayBeLong = this.longOnes(nowMs) < this.options.threads
      const next = this.turns.next(nowMs, (one) => one.isReady && (mayBeLong || !one.isLong))
      if (next === null) break
      const isExtra = this.freeThread(nowMs)
      if (isExtra === null) {
        this.putBackFor(next, nowMs)
        break
      }
      this.start(next, isExtra, nowMs)
    }
    this.wakeLater(nowMs)
  }

  /** Whether the free thread is the extra one; null if none is free for a question. */
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

  private longOnes(nowMs: number): number {
    let count = 0
    for (const { running } of this.running) if (isLong(running!, nowMs)) count++
    return count
  }

  private start(question: Question, isExtra: boolean, nowMs: number): void {
    this.turns.remove(question)
    this.turns.took(question)
    const isHeavy = this.turns.usedMs(question, nowMs) > heavyUsageMs
    const longFromMs = nowMs + (isHeavy ? longQueryOfHeavyUserMs : longQueryMs)
    const times = { startedMs: nowMs, chargedMs: nowMs, longFromMs }
    const running: Running = { stop: createStopFlag(), isExtra, ...times, isEnding: false }
    question.running = running
    this.running.add(question)
    question.begin(running)
  }

  /** Ends a long question for one that waits, if all threads have long ones; it begins anew. */
  private putBackFor(next: Question, nowMs: number): void {
    // An extra thread that is still starting takes nobody's question meanwhile.
    const threads = this.options.threads + Number(this.isExtraReady())
    if (this.longOnes(nowMs) < threads) return
    let heaviest: Question | null = null
    for (const one of this.running) {
      if (one.running!.isEnding) return
      if (heaviest === null || this.isRatherPutBack(one, heaviest, nowMs)) heaviest = one
    }
    if (heaviest === null) return
    const isSame = heaviest.tenant === next.tenant && heaviest.user === next.user
    if (!isSame && !this.turns.hasUsedMore(heaviest, next, nowMs)) return
    heaviest.isLong = true
    this.putBack++
    stop(heaviest.running!)
  }

  /** By what their users have used; of one user the younger, which loses less. */
  private isRatherPutBack(one: Question, other: Question, nowMs: number): boolean {
    if (this.turns.hasUsedMore(one, other, nowMs)) return true
    if (this.turns.hasUsedMore(other, one, nowMs)) return false
    return one.running!.startedMs > other.running!.startedMs
  }

  private chargeRunning(nowMs: number): void {
    for (const question of this.running) {
      const running = question.running!
      this.turns.charge(question, nowMs - running.chargedMs, nowMs)
      running.chargedMs = nowMs
    }
  }

  /** While any waits: looks again when a question becomes long, and what was used has changed. */
  private wakeLater(nowMs: number): void {
    this.cancelWake?.()
    this.cancelWake = null
    if (this.turns.size === 0) return
    let waitMs = longQueryMs
    for (const { running } of this.running) {
      const leftMs = running!.longFromMs - nowMs
      if (leftMs > 0) waitMs = Math.min(waitMs, leftMs)
    }
    this.cancelWake = this.options.delay(() => this.dispatch(), Math.ceil(waitMs))
  }
}

function isLong({ longFromMs }: Running, nowMs: number): boolean {
  return nowMs >= longFromMs
}

function stop(running: Running): void {
  running.isEnding = true
  requestStop(running.stop)
}

function keyOf({ tenant, user }: Party): string {
  return `${tenant} ${user}`
}

function lateError(timeoutMs: number): ServiceError {
  return new ServiceError(
    "timedOut",
    `The question took longer than ${timeoutMs / 1000} s, waiting included: ask for less, such ` +
      `as a shorter window or fewer names, or again when the server has less to do`,
  )
}

function leftError(): ServiceError {
  return new ServiceError("cancelled", "The client closed the connection before the answer")
}
