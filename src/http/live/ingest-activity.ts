/**
 * Ingest activity: what each tenant has sent lately, for `GET /status` and the streams of pages. A
 * request costs a look-up and a few additions: nothing is copied, and nothing is waited for.
 */

import { assert } from "../../base/assert.ts"
import { formatInstant } from "../../base/iso8601.ts"
import { activitySeconds } from "../../base/limits/streams.ts"
import type { TenantIndex } from "../../model/ids.ts"

/** An accepted request. */
export interface AcceptedPost {
  readonly keyId: string
  readonly samples: number
  /** Of its samples; -Infinity without any. */
  readonly latestTimeMs: number
  /** By the server's clock, in epoch milliseconds. */
  readonly nowMs: number
  /** Monotonic milliseconds: the rate is one of real time, also if the clock is simulated. */
  readonly elapsedMs: number
}

/** A request that was refused. Its reason names no key. */
export interface RefusedPost {
  readonly timeMs: number
  readonly status: number
  readonly reason: string
}

/** The posts of one tenant since the start. */
class TenantActivity {
  samples = 0
  requests = 0
  /** Id of the API key of the newest post; empty before the first. */
  keyId = ""
  /** When the newest post came; null before the first. */
  lastMs: number | null = null
  /** The latest time that a sample had; -Infinity before the first. */
  latestTimeMs = -Infinity
  private readonly seconds = new Float64Array(activitySeconds)
  private second = -1

  note({ keyId, samples, latestTimeMs, nowMs, elapsedMs }: AcceptedPost): void {
    this.advance(elapsedMs)
    this.seconds[this.second % activitySeconds]! += samples
    this.samples += samples
    this.requests++
    this.keyId = keyId
    this.lastMs = nowMs
    this.latestTimeMs = Math.max(this.latestTimeMs, latestTimeMs)
  }

  /** Mean over the last full minute, the running second excluded. */
  samplesPerSecond(elapsedMs: number): number {
    this.advance(elapsedMs)
    const running = this.seconds[this.second % activitySeconds]!
    const all = this.seconds.reduce((sum, samples) => sum + samples, 0)
    return (all - running) / (activitySeconds - 1)
  }

  /** As answers have them; null before the first post, and before the first sample. */
  times(): { readonly lastSample: string | null; readonly newestSample: string | null } {
    const { lastMs, latestTimeMs } = this
    return {
      lastSample: lastMs === null ? null : formatInstant(lastMs),
      newestSample: latestTimeMs === -Infinity ? null : formatInstant(latestTimeMs),
    }
  }

  /** Empties the seconds that have passed since the last call. */
  private advance(elapsedMs: number): void {
    const second = Math.floor(elapsedMs / 1000)
    const from = Math.max(this.second, second - activitySeconds)
    for (let next = from + 1; next <= second; next++) this.seconds[next % activitySeconds] = 0
    this.second = Math.max(this.second, second)
    assert(this.second >= 0, "Expected a clock that began at 0")
  }
}

export class IngestActivity {
  /** The newest refusal of any tenant, or of an unknown key. */
  lastRefused: RefusedPost | null = null
  private readonly tenants = new Map<TenantIndex, TenantActivity>()

  accepted(tenant: TenantIndex, post: AcceptedPost): void {
    this.of(tenant).note(post)
  }

  /** The activity of a tenant, which may have sent nothing. */
  of(tenant: TenantIndex): TenantActivity {
    const known = this.tenants.get(tenant)
    if (known !== undefined) return known
    const made = new TenantActivity()
    this.tenants.set(tenant, made)
    return made
  }
}
