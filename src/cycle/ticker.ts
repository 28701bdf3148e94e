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
 * A clock that jumps ahead looks like an outage. One that falls back by more than a day had been
 * wrong: the ticker goes back to what was never closed, and markers keep the rest from a second
 * time.
 */

import type { Clock } from "../base/clock.ts"
import { cycleMs } from "../model/resolution.ts"
import { elementsPerPart, type PartQuestion } from "./task.ts"

/** Cycles `[from, to)`. */
export interface CycleSpan {
  readonly from: number
  readonly to: number
}

/** Where the ticker stands. */
export interface TickerState {
  /** The cycle that closes next. */
  readonly next: number
  /** Cycles that nobody closed, oldest first. */
  readonly unobserved: readonly CycleSpan[]
}

export interface TickerOptions {
  readonly clock: Clock
  /** Calls back after so many milliseconds of the clock; returns a way to cancel. */
  readonly delay: (callback: () => void, ms: number) => () => void
  readonly graceMs: number
  /** Cycles of an outage that are closed afterwards. */
  readonly missedMax: number
  /** How long an element may be silent before it is left alone. */
  readonly inactiveMs: number
  /** Parts that are worked out at a time. */
  readonly parallelParts: number
  readonly load: () => Promise<TickerState | undefined>
  /** Resolves when it is synced. */
  readonly save: (state: TickerState) => Promise<void>
  /** Resolves when all samples before an instant that have come are folded. */
  readonly fold: (upToMs: number) => Promise<void>
  readonly elementCount: () => Promise<number>
  /** Works out a part and stores it. */
  readonly closePart: (question: PartQuestion) => Promise<void>
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

export class Ticker {
  private readonly options: TickerOptions
  private state: TickerState = { next: 0, unobserved: [] }
  private stopped = false
  private cancel: (() => void) | null = null
  private running: Promise<void> | null = null

  constructor(options: TickerOptions) {
    this.options = options
  }

  /** Reads where it stood and begins. A new store begins with the cycle that runs. */
  async start(): Promise<void> {
    const { load, save, clock } = this.options
    const stored = await load()
    this.state = stored ?? { next: Math.floor(clock.nowMs() / cycleMs), unobserved: [] }
    if (stored === undefined) await save(this.state)
    this.running = this.loop()
  }

  /** Every cycle that ended by this instant is closed. */
  get closedUpToMs(): number {
    return this.state.next * cycleMs
  }

  /** Ends after the part that runs. */
  async stop(): Promise<void> {
    this.stopped = true
    this.cancel?.()
    await this.running
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      try {
        const waitMs = await this.look()
        if (waitMs > 0) await this.pause(waitMs)
      } catch (error) {
        if (this.stopped) return
        this.options.onError(error)
        await this.pause(retryMs)
      }
    }
  }

  /** Closes one cycle where one is due; gives how long to wait before the next look. */
  private async look(): Promise<number> {
    const { clock, graceMs, missedMax } = this.options
    const nowMs = clock.nowMs()
    const due = Math.floor((nowMs - graceMs) / cycleMs) - 1
    if (this.state.next > due + fallBackCycles) await this.move(fallenBack(this.state, due))
    const missed = due - this.state.next + 1
    if (missed > Math.max(1, missedMax)) await this.move(leftOut(this.state, due, missedMax))
    const { next } = this.state
    const closingMs = (next + 1) * cycleMs + graceMs
    if (nowMs < closingMs) return Math.min(closingMs - nowMs, cycleMs)
    await this.close(next, closingMs, nowMs - closingMs >= cycleMs)
    return 0
  }

  private async close(cycle: number, closingMs: number, isMissed: boolean): Promise<void> {
    const { fold, elementCount, inactiveMs, onClosed } = this.options
    await fold((cycle + 1) * cycleMs)
    const elements = await elementCount()
    const inactiveCycles = Math.ceil(inactiveMs / cycleMs)
    const questions: PartQuestion[] = []
    for (let fromElement = 0; fromElement < elements; fromElement += elementsPerPart) {
      const toElement = fromElement + elementsPerPart
      questions.push({ cycle, fromElement, toElement, closingMs, isMissed, inactiveCycles })
    }
    await this.closeParts(questions)
    if (this.stopped) return
    await onClosed({ cycle, closingMs, elements })
    await this.move({ ...this.state, next: cycle + 1 })
  }

  private async closeParts(questions: readonly PartQuestion[]): Promise<void> {
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < questions.length && !this.stopped) {
        await this.options.closePart(questions[next++]!)
      }
    }
    const lanes = Array.from({ length: this.options.parallelParts }, lane)
    const ends = await Promise.allSettled(lanes)
    const failed = ends.find((end) => end.status === "rejected")
    if (failed !== undefined) throw failed.reason
  }

  private async move(state: TickerState): Promise<void> {
    await this.options.save(state)
    this.state = state
  }

  private pause(ms: number): Promise<void> {
    if (this.stopped) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.options.delay(resolve, ms)
      this.cancel = () => {
        cancel()
        resolve()
      }
    })
  }
}

/** After an outage: only the last `missedMax` due cycles are closed, at least one. */
function leftOut({ next, unobserved }: TickerState, due: number, missedMax: number): TickerState {
  const resumed = due - Math.max(1, missedMax) + 1
  return { next: resumed, unobserved: bounded([...unobserved, { from: next, to: resumed }]) }
}

/** After a clock that was far ahead: on with what it made us leave out, else with the next due. */
function fallenBack({ unobserved }: TickerState, due: number): TickerState {
  const span = unobserved.findLast(({ from, to }) => from <= due + 1 && due < to)
  const next = span?.from ?? due + 1
  return { next, unobserved: unobserved.filter(({ to }) => to <= next) }
}

function bounded(spans: readonly CycleSpan[]): CycleSpan[] {
  if (spans.length <= spansMax) return [...spans]
  const [first, second, ...rest] = spans
  return [{ from: first!.from, to: second!.to }, ...rest]
}
