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
  /** The clock stops at this time; Infinity if it does not stop. */
  readonly endMs: number
}

/** The fastest simulation: a day in about a second. */
const speedMax = 100_000

/**
 * Parses a start, a speed and an end, `2026-01-05T00:00:00Z,x60,2026-01-06T00:00:00Z`; the last two
 * may be left out. Undefined for anything else.
 */
export function parseSimulatedTime(text: string): SimulatedTime | undefined {
  const [start = "", speedText = "x1", end, ...rest] = text.split(",").map((part) => part.trim())
  const startMs = parseInstant(start)
  const endMs = end === undefined ? Infinity : parseInstant(end)
  const speed = Number(/^x(\d{1,6}(?:\.\d{1,6})?)$/.exec(speedText)?.[1])
  if (startMs === undefined || endMs === undefined || endMs < startMs) return undefined
  return speed > 0 && speed <= speedMax && rest.length === 0 ? { startMs, speed, endMs } : undefined
}

/**
 * @example
 * let elapsedMs = 0
 * const startMs = Date.UTC(2026, 0, 5)
 * const clock = new SimulatedClock({ startMs, speed: 60, endMs: Infinity }, () => elapsedMs)
 * elapsedMs += 1_000
 * assert.equal(clock.nowMs(), startMs + 60_000)
 */
export class SimulatedClock implements Clock {
  private readonly speed: number
  private readonly endMs: number
  private readonly elapsedMs: () => number
  private limitMs: () => number = () => Infinity
  private currentMs: number
  private lastReadMs: number

  /** `elapsedMs` is monotonic; the clock starts now. */
  constructor({ startMs, speed, endMs }: SimulatedTime, elapsedMs: () => number) {
    this.speed = speed
    this.endMs = endMs
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
    this.currentMs = Math.min(aheadMs, this.endMs, Math.max(this.currentMs, this.limitMs()))
    this.lastReadMs = elapsedMs
    return Math.floor(this.currentMs)
  }
}
