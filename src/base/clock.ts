/** Time as an argument: code that needs it is given a clock, so that tests control the time. */

import { assert } from "./assert.ts"

export interface Clock {
  /** Whole epoch milliseconds, UTC. May go back when the machine's clock is set. */
  nowMs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
}

/** Changes only by `advance` and `set`. */
export class TestClock implements Clock {
  private currentMs: number

  constructor(startMs: number) {
    assert(Number.isInteger(startMs), `Expected whole milliseconds, got ${startMs}`)
    this.currentMs = startMs
  }

  nowMs(): number {
    return this.currentMs
  }

  /** Negative values go back, as a machine's clock may. */
  advance(byMs: number): void {
    this.set(this.currentMs + byMs)
  }

  set(toMs: number): void {
    assert(Number.isInteger(toMs), `Expected whole milliseconds, got ${toMs}`)
    this.currentMs = toMs
  }
}
