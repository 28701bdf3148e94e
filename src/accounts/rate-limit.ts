/**
 * Rate limit of one API key: two token buckets, each with a capacity of one minute.
 *
 * The number of samples in a payload is known only after it was parsed, so samples are charged
 * afterwards: the bucket may become negative, and no payload is accepted until that debt is paid. A
 * sender may thus overdraw once, by one payload per connection, and gets its rate on average.
 */

import { TokenBucket } from "../base/token-bucket.ts"
import type { Clock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"

/** Limits of a key per minute; 0 is no limit. */
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
    // Any fraction of a token suffices: samples are charged when their number is known.
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

  /** Charges the samples that a payload contained. */
  chargeSamples(count: number): void {
    this.samples?.consume(count)
  }
}

/** The limit for these rates; null if both are unlimited, so that no check is needed. */
export function createRateLimit(rates: Rates, clock: Clock): RateLimit | null {
  const isOff = rates.payloadsPerMinute === 0 && rates.samplesPerMinute === 0
  return isOff ? null : new RateLimit(rates, clock)
}
