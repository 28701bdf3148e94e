/** A clock for trials and demonstrations: it begins where it is told and runs as fast. */

import type { Clock } from "./clock.ts"

export interface SimulatedTime {
  readonly startMs: number
  /** Simulated milliseconds in one real one. */
  readonly speed: number
}

export class SimulatedClock implements Clock {
  private readonly time: SimulatedTime
  private readonly elapsedMs: () => number
  private readonly originMs: number

  /** `elapsedMs` is monotonic; the clock begins now. */
  constructor(time: SimulatedTime, elapsedMs: () => number) {
    this.time = time
    this.elapsedMs = elapsedMs
    this.originMs = elapsedMs()
  }

  nowMs(): number {
    const { startMs, speed } = this.time
    return Math.floor(startMs + (this.elapsedMs() - this.originMs) * speed)
  }
}
