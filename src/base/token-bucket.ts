/** A token bucket: a rate, with bursts of up to a minute's worth. */

import { assert } from "./assert.ts"

const minuteMs = 60_000

/**
 * Tokens return at a constant rate.
 *
 * @example
 * const bucket = new TokenBucket(60, 0)
 * bucket.consume(60)
 * assert.equal(bucket.waitMs(1, 0), 1_000)
 * assert.equal(bucket.waitMs(1, 1_000), 0)
 */
export class TokenBucket {
  private tokens: number
  private filledMs: number
  private readonly perMinute: number

  constructor(perMinute: number, nowMs: number) {
    assert(perMinute > 0, `Expected a rate, got ${perMinute}`)
    this.perMinute = perMinute
    this.tokens = perMinute
    this.filledMs = nowMs
  }

  consume(count: number): void {
    this.tokens -= count
  }

  /** Milliseconds until `count` tokens are available; 0 if they are. */
  waitMs(count: number, nowMs: number): number {
    // If the machine's clock is set back, no time passes here.
    const elapsedMs = Math.max(0, nowMs - this.filledMs)
    this.filledMs = nowMs
    this.tokens = Math.min(this.perMinute, this.tokens + (elapsedMs * this.perMinute) / minuteMs)
    return Math.max(0, ((count - this.tokens) * minuteMs) / this.perMinute)
  }
}
