/** Time as an argument: code that needs it is given a clock, so that tests control the time. */

import { parseInstant } from "./iso8601.ts"

export interface Clock {
  /** Whole epoch milliseconds, UTC. May go back when the machine's clock is set. */
  nowMs(): number
}

/**
 * Whether the clock may decide on deletions. Every other effect of a wrong clock can be corrected
 * later; all that deletes for its age asks the one guard of the store.
 */
export type ClockTrust = () => Promise<boolean>

/** For tests without a guard. */
export const trustedClock: ClockTrust = () => Promise.resolve(true)

export const systemClock: Clock = {
  nowMs: () => Date.now(),
}

/** For tests and demonstrations: a clock with its own start and speed. */
export interface SimulatedTime {
  readonly startMs: number
  /** Simulated milliseconds for each real one. */
  readonly speed: number
}

/** The fastest simulation: a day in about a second. */
const speedMax = 100_000

/** Parses `2026-01-05T00:00:00Z` or `2026-01-05T00:00:00Z,x60`; undefined for anything else. */
export function parseSimulatedTime(text: string): SimulatedTime | undefined {
  const [instant = "", speed, ...rest] = text.split(",")
  const startMs = parseInstant(instant.trim())
  if (startMs === undefined || rest.length > 0) return undefined
  if (speed === undefined) return { startMs, speed: 1 }
  const digits = /^x(\d{1,6}(?:\.\d{1,6})?)$/.exec(speed.trim())?.[1]
  const factor = Number(digits)
  return factor > 0 && factor <= speedMax ? { startMs, speed: factor } : undefined
}

/**
 * @example
 * let elapsedMs = 0
 * const startMs = Date.UTC(2026, 0, 5)
 * const clock = new SimulatedClock({ startMs, speed: 60 }, () => elapsedMs)
 * elapsedMs += 1_000
 * assert.equal(clock.nowMs(), startMs + 60_000)
 */
export class SimulatedClock implements Clock {
  private readonly speed: number
  private readonly elapsedMs: () => number
  private limitMs: () => number = () => Infinity
  private currentMs: number
  private lastReadMs: number

  /** `elapsedMs` is monotonic; the clock starts now. */
  constructor({ startMs, speed }: SimulatedTime, elapsedMs: () => number) {
    this.speed = speed
    this.elapsedMs = elapsedMs
    this.currentMs = startMs
    this.lastReadMs = elapsedMs()
  }

  /**
   * Stops the clock at `limitMs` from now on, until that advances: a simulation then runs as fast
   * as the work of its time is done, and no faster. The clock never goes back.
   */
  limitTo(limitMs: () => number): void {
    this.limitMs = limitMs
  }

  nowMs(): number {
    const elapsedMs = this.elapsedMs()
    const aheadMs = this.currentMs + (elapsedMs - this.lastReadMs) * this.speed
    this.currentMs = Math.min(aheadMs, Math.max(this.currentMs, this.limitMs()))
    this.lastReadMs = elapsedMs
    return Math.floor(this.currentMs)
  }
}
