/** A clock for trials and demonstrations: it begins where it is told and runs as fast. */

import type { Clock } from "./clock.ts"
import { parseInstant } from "./iso8601.ts"

export interface SimulatedTime {
  readonly startMs: number
  /** Simulated milliseconds in one real one. */
  readonly speed: number
}

/** The fastest trial: a day in about a second. */
const speedMax = 100_000

/** Reads `2026-01-05T00:00:00Z` or `2026-01-05T00:00:00Z,x60`; undefined for anything else. */
export function parseSimulatedTime(text: string): SimulatedTime | undefined {
  const [instant = "", speed, ...rest] = text.split(",")
  const startMs = parseInstant(instant.trim())
  if (startMs === undefined || rest.length > 0) return undefined
  if (speed === undefined) return { startMs, speed: 1 }
  const digits = /^x(\d{1,6}(?:\.\d{1,6})?)$/.exec(speed.trim())?.[1]
  const factor = Number(digits)
  return factor > 0 && factor <= speedMax ? { startMs, speed: factor } : undefined
}

export class SimulatedClock implements Clock {
  private readonly speed: number
  private readonly elapsedMs: () => number
  private limitMs: () => number = () => Infinity
  private currentMs: number
  private lastReadMs: number

  /** `elapsedMs` is monotonic; the clock begins now. */
  constructor({ startMs, speed }: SimulatedTime, elapsedMs: () => number) {
    this.speed = speed
    this.elapsedMs = elapsedMs
    this.currentMs = startMs
    this.lastReadMs = elapsedMs()
  }

  /**
   * From now on the clock stands still at `limitMs`, until that moves on: so a trial runs as fast
   * as the work of its time is done, and no faster. It never steps back.
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
