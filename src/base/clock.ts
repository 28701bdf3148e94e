/**
 * Time as an argument: whoever needs it is handed a clock, so that tests decide what time it is.
 */

import { assert } from "./assert.ts"

export interface Clock {
  /** Whole epoch milliseconds, UTC. May step back when the machine's clock is set. */
  nowMs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
}

/** Moves only when told. */
export class TestClock implements Clock {
  private currentMs: number

  constructor(startMs: number) {
    assert(Number.isInteger(startMs), `Expected whole milliseconds, got ${startMs}`)
    this.currentMs = startMs
  }

  nowMs(): number {
    return this.currentMs
  }

  /** Negative to step back, as a machine's clock may. */
  advance(byMs: number): void {
    this.set(this.currentMs + byMs)
  }

  set(toMs: number): void {
    assert(Number.isInteger(toMs), `Expected whole milliseconds, got ${toMs}`)
    this.currentMs = toMs
  }
}
