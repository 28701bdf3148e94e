/**
 * Rate limit of one API key: two token buckets, each holding at most a minute's worth.
 *
 * How many samples a payload holds is known only after it was read, so they are charged afterwards:
 * the bucket then goes below nothing, and until that debt is paid no payload is taken. A sender may
 * thus overdraw once, by one payload a connection, and over time gets no more than its rate.
 */

import { TokenBucket } from "../base/token-bucket.ts"
import type { Clock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"

/** What a key may send in a minute; 0 is no limit. */
export interface Rates {
  readonly payloadsPerMinute: number
  readonly samplesPerMinute: number
}

export const noRates: Rates = { payloadsPerMinute: 0, samplesPerMinute: 0 }

export class RateLimit {
  private readonly payloads: TokenBucket | null
  private readonly samples: TokenBucket | null
  private readonly clock: Clock

  constructor({ payloadsPerMinute, samplesPerMinute }: Rates, clock: Clock) {
    const nowMs = clock.nowMs()
    this.clock = clock
    this.payloads = payloadsPerMinute > 0 ? new TokenBucket(payloadsPerMinute, nowMs) : null
    this.samples = samplesPerMinute > 0 ? new TokenBucket(samplesPerMinute, nowMs) : null
  }

  /** Counts one payload, or throws `throttled` and counts nothing. */
  chargePayload(): void {
    const nowMs = this.clock.nowMs()
    const payloadWaitMs = this.payloads?.waitMs(1, nowMs) ?? 0
    // Any part of a token will do: what the payload takes is charged when it is known.
    const sampleWaitMs = this.samples?.waitMs(Number.MIN_VALUE, nowMs) ?? 0
    if (payloadWaitMs === 0 && sampleWaitMs === 0) {
      this.payloads?.consume(1)
      return
    }
    const what = payloadWaitMs >= sampleWaitMs ? "payloads" : "samples"
    const problem = `The API key sends more ${what} a minute than it may; nothing was stored`
    const waitMs = Math.max(payloadWaitMs, sampleWaitMs)
    throw new ServiceError("throttled", problem, {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    })
  }

  /** Charges what a payload turned out to hold. */
  chargeSamples(count: number): void {
    this.samples?.consume(count)
  }
}

/** The limit for these rates; null where there is none, which costs nothing to ask. */
export function createRateLimit(rates: Rates, clock: Clock): RateLimit | null {
  const isOff = rates.payloadsPerMinute === 0 && rates.samplesPerMinute === 0
  return isOff ? null : new RateLimit(rates, clock)
}
