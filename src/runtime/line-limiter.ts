/**
 * Bounds a flood of log lines: an equal line is written once a minute, and a sentence at most
 * thirty times with different fields. The others are counted, and the count is a line of its own
 * at the end of the minute.
 */

import type { Delay } from "../base/async.ts"

export interface LineLimiterOptions {
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly delay: Delay
}

/** How long equal lines are counted: an operator sees within a minute that something goes on. */
const periodMs = 60_000
/** Lines of one sentence in a period: one for each of a few receivers or tenants that fail. */
const linesMax = 30
/** Sentences that are bounded at the same time; the program has about a hundred. */
const sentencesMax = 500

interface Period {
  readonly startedMs: number
  /** Fields of the lines that were written. */
  readonly written: Set<string>
  /** Lines that were not. */
  left: number
}

export class LineLimiter {
  private readonly options: LineLimiterOptions
  private readonly periods = new Map<string, Period>()

  constructor(options: LineLimiterOptions) {
    this.options = options
  }

  /**
   * Whether a line may be written. `sentence` is its level and message, `fields` the text of its
   * fields. `writeCount` is called at the end of the period if lines of it were not written, with
   * their number.
   */
  admits(sentence: string, fields: string, writeCount: (count: number) => void): boolean {
    const nowMs = this.options.elapsedMs()
    let period = this.periods.get(sentence)
    if (period === undefined || nowMs - period.startedMs >= periodMs) {
      if (period === undefined && this.periods.size >= sentencesMax) return true
      this.end(sentence, period, writeCount)
      period = { startedMs: nowMs, written: new Set(), left: 0 }
      this.periods.set(sentence, period)
    }
    const isAdmitted = !period.written.has(fields) && period.written.size < linesMax
    if (isAdmitted) period.written.add(fields)
    else if (++period.left === 1) this.endLater(sentence, period, writeCount)
    return isAdmitted
  }

  private endLater(sentence: string, period: Period, writeCount: (count: number) => void): void {
    const restMs = period.startedMs + periodMs - this.options.elapsedMs()
    this.options.delay(() => {
      // A line after the period has ended it already.
      if (this.periods.get(sentence) === period) this.end(sentence, period, writeCount)
    }, restMs)
  }

  private end(
    sentence: string,
    period: Period | undefined,
    writeCount: (count: number) => void,
  ): void {
    this.periods.delete(sentence)
    if (period !== undefined && period.left > 0) writeCount(period.left)
  }
}
