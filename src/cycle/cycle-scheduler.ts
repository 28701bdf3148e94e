/**
 * The ticker: closes each cycle a grace period after its end, one after the other, each part of it
 * once in effect.
 *
 *   wait for (cycle + 1) × 5 min + grace ─► fold what came ─► parts, a few at a time ─► next cycle
 *
 * Where it stands is a document. A crash in between finds the cycle open and closes it again, and
 * parts that were stored are passed by. What was missed while the server was down is closed in
 * order, as far back as it is told; what lies further back was not observed, and stays without
 * invented values.
 *
 * A clock that jumps ahead looks like an outage; when it falls back, the ticker goes back to what
 * it left out. One that falls back by more than a day is wrong now, or was before: the ticker goes
 * with it. Markers keep everything from being closed a second time.
 */

import { PeriodicTask, type Delay } from "../base/async.ts"
import type { Clock } from "../base/clock.ts"
import { cycleMs } from "../model/resolution.ts"
import { elementsPerBatch, type BatchRequest } from "./cycle-protocol.ts"

/** Cycles `[from, to)`. */
export interface CycleSpan {
  readonly from: number
  readonly to: number
}

/** Where the ticker stands. */
export interface SchedulerState {
  /** The cycle that closes next. */
  readonly next: number
  /** Cycles that nobody closed, oldest first. */
  readonly unobserved: readonly CycleSpan[]
  /** The first cycle of all, by the clock that went furthest back. */
  readonly began?: number
  /** What had been closed already when a clock fell back behind it, oldest fall first. */
  readonly closed?: readonly CycleSpan[]
}

export interface CycleSchedulerOptions {
  readonly clock: Clock
  readonly delay: Delay
  readonly graceMs: number
  /** Cycles of an outage that are closed afterwards. */
  readonly missedMax: number
  /** How long an element may be silent before it is left alone. */
  readonly inactiveMs: number
  /** Parts that are worked out at a time. */
  readonly parallelBatches: number
  /** Elements of a part; `elementsPerBatch` where it is absent. */
  readonly batchElements?: number | undefined
  readonly load: () => Promise<SchedulerState | undefined>
  /** Resolves when it is synced. */
  readonly save: (state: SchedulerState) => Promise<void>
  /** Resolves when all samples before an instant that have come are folded. */
  readonly flush: (upToMs: number) => Promise<void>
  readonly elementCount: () => Promise<number>
  /** Works out a part and stores it. */
  readonly closeBatch: (question: BatchRequest) => Promise<void>
  /** After the parts of a cycle: what looks at all elements at once. */
  readonly onClosed: (closed: ClosedCycle) => Promise<void>
  readonly onError: (error: unknown) => void
}

export interface ClosedCycle {
  readonly cycle: number
  readonly closingMs: number
  readonly elements: number
}

/** Spans that are remembered; more than that many outages merge into the oldest. */
const spansMax = 100
/** A clock that fell back by less is merely being set. */
const fallBackCycles = 288
/** After a failure, and at most between two looks at the clock. */
const retryMs = 5_000

export class CycleScheduler {
  private readonly options: CycleSchedulerOptions
  private state: SchedulerState = { next: 0, unobserved: [] }
  private stopped = false
  private readonly task: PeriodicTask
  private signalStop: () => void = () => {}
  private readonly stopping = new Promise<void>((resolve) => (this.signalStop = resolve))

  constructor(options: CycleSchedulerOptions) {
    this.options = options
    const run = () => this.closeDue()
    this.task = new PeriodicTask({
      delay: options.delay,
      run,
      onError: (error) => this.failed(error),
    })
  }

  /** Reads where it stood and begins. A new store begins with the cycle that runs. */
  async start(): Promise<void> {
    const { load, save, clock } = this.options
    const stored = await load()
    const began = Math.floor(clock.nowMs() / cycleMs)
    this.state = stored ?? { next: began, unobserved: [], began }
    if (stored === undefined) await save(this.state)
    this.task.start()
  }

  /** Every cycle that ended by this instant is closed. */
  get closedUpToMs(): number {
    return this.state.next * cycleMs
  }

  /** Cycles that were not closed, in the outages that are remembered. */
  get missedCycles(): number {
    return this.state.unobserved.reduce((sum, { from, to }) => sum + to - from, 0)
  }

  /** Ends after the part that runs, without waiting for a fold, which a full disk may hold up. */
  async stop(): Promise<void> {
    this.stopped = true
    this.signalStop()
    await this.task.stop()
  }

  private failed(error: unknown): number {
    if (!this.stopped) this.options.onError(error)
    return retryMs
  }

  /** Closes one cycle where one is due; gives how long to wait before the next look. */
  private async closeDue(): Promise<number> {
    const { clock, graceMs, missedMax } = this.options
    const nowMs = clock.nowMs()
    const due = Math.floor((nowMs - graceMs) / cycleMs) - 1
    const place = placeOf(this.state, due, missedMax)
    if (place !== this.state) await this.advance(place)
    const missed = due - this.state.next + 1
    if (missed > Math.max(1, missedMax)) await this.advance(leftOut(this.state, due, missedMax))
    const { next } = this.state
    const closingMs = (next + 1) * cycleMs + graceMs
    if (nowMs < closingMs) return Math.min(closingMs - nowMs, cycleMs)
    await this.close(next, closingMs, nowMs - closingMs >= cycleMs)
    return 0
  }

  private async close(cycle: number, closingMs: number, isMissed: boolean): Promise<void> {
    const { flush, elementCount, inactiveMs, onClosed } = this.options
    const step = this.options.batchElements ?? elementsPerBatch
    await Promise.race([flush((cycle + 1) * cycleMs), this.stopping])
    if (this.stopped) return
    const elements = await elementCount()
    const inactiveCycles = Math.ceil(inactiveMs / cycleMs)
    const questions: BatchRequest[] = []
    for (let fromElement = 0; fromElement < elements; fromElement += step) {
      const toElement = fromElement + step
      questions.push({ cycle, fromElement, toElement, closingMs, isMissed, inactiveCycles })
    }
    await this.closeBatches(questions)
    if (this.stopped) return
    await onClosed({ cycle, closingMs, elements })
    await this.advance({ ...this.state, next: cycle + 1 })
  }

  private async closeBatches(questions: readonly BatchRequest[]): Promise<void> {
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < questions.length && !this.stopped) {
        await this.options.closeBatch(questions[next++]!)
      }
    }
    const lanes = Array.from({ length: this.options.parallelBatches }, lane)
    const ends = await Promise.allSettled(lanes)
    const failed = ends.find((end) => end.status === "rejected")
    if (failed !== undefined) throw failed.reason
  }

  private async advance(state: SchedulerState): Promise<void> {
    await this.options.save(state)
    this.state = state
  }
}

/** After an outage: only the last `missedMax` due cycles are closed, at least one. */
function leftOut(state: SchedulerState, due: number, missedMax: number): SchedulerState {
  const to = due - Math.max(1, missedMax) + 1
  const missed = without([{ from: state.next, to }], state.closed)
  return { ...state, next: to, unobserved: bounded([...state.unobserved, ...missed]) }
}

/** Where to go on after a clock that fell back; the very same state where it did not. */
function placeOf(state: SchedulerState, due: number, missedMax: number): SchedulerState {
  const { next, unobserved } = state
  const reach = due + 1 - missedMax
  const near = due + 1 + fallBackCycles
  const span = due + 1 < next && unobserved.find(({ from, to }) => from <= near && reach < to)
  // The clock had been ahead: what it made us leave out was not missed.
  if (span) {
    const start = Math.max(span.from, reach)
    const kept = without(unobserved, [{ from: start, to: Infinity }])
    const ahead = without([{ from: start, to: next }], unobserved)
    return { ...state, next: start, unobserved: kept, closed: latest(state, ahead) }
  }
  if (next <= due + fallBackCycles) return state
  const began = state.began ?? next
  const before = without([{ from: began, to: next }], unobserved)
  // What lies ahead now is not missed; once it is over, it is closed or left out like any other.
  const behind = without(unobserved, [{ from: due + 1, to: Infinity }])
  const closed = latest(state, before)
  return { next: due + 1, unobserved: behind, began: Math.min(began, due + 1), closed }
}

function latest({ closed = [] }: SchedulerState, more: readonly CycleSpan[]): CycleSpan[] {
  return [...closed, ...more].slice(-spansMax)
}

/** What of some spans is in none of the others. */
function without(
  spans: readonly CycleSpan[],
  others: readonly CycleSpan[] = [],
): readonly CycleSpan[] {
  return others.reduce((left, other) => left.flatMap((span) => outside(span, other)), spans)
}

function outside({ from, to }: CycleSpan, other: CycleSpan): CycleSpan[] {
  const before = { from, to: Math.min(to, other.from) }
  const after = { from: Math.max(from, other.to), to }
  return [before, after].filter((span) => span.from < span.to)
}

function bounded(spans: readonly CycleSpan[]): CycleSpan[] {
  if (spans.length <= spansMax) return [...spans]
  const [first, second, ...rest] = spans
  return [{ from: first!.from, to: second!.to }, ...rest]
}
