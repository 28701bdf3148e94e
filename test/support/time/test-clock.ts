/** A clock that only the test advances. */

import { assert } from "../../../src/base/assert.ts"
import type { Clock } from "../../../src/base/clock.ts"

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
