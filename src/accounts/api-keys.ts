/**
 * API keys: from the key in a path to its tenant, on the hot path of every ingest request.
 *
 * Only hashes are stored. A key that proved good once is remembered in clear until keys change, so
 * that the next request costs one Map lookup instead of a SHA-256 (0.03 against 1.5 µs); bad keys
 * are not remembered, so there are never more entries than keys.
 *
 * Timing: a Map compares a string only with entries of the same hash, and V8 seeds string hashes at
 * random in each process, so a guess learns nothing about how much of it was right. A miss is
 * looked up by its SHA-256, which nobody can steer towards a stored one digit by digit; the last
 * word is a comparison in constant time.
 */

import { createHash, timingSafeEqual } from "node:crypto"
import type { Clock } from "../base/clock.ts"
import type { ApiKeyDocument } from "./documents.ts"
import { createRateLimit, type RateLimit, type Rates } from "./rate-limit.ts"

/** Longer ones are not keys of ours and are not worth hashing. */
const keyLengthMax = 128
const keyLengthMin = 16
const keyPattern = /^[A-Za-z0-9_-]+$/

/**
 * True for what may be an API key: 16 to 128 letters, digits, `_` and `-`; ours have 32 hex digits.
 */
export function isApiKey(text: string): boolean {
  return text.length >= keyLengthMin && text.length <= keyLengthMax && keyPattern.test(text)
}

/** The id under which a key is stored. */
export function apiKeyId(key: string): string {
  return createHash("sha256").update(key).digest("hex")
}

/** What a good key stands for. */
export interface KeyGrant {
  readonly tenant: number
  /** The integration that the key belongs to. */
  readonly datasourceId: number
  /** Null where the key may send as much as it likes. */
  readonly limit: RateLimit | null
}

export interface ApiKeysOptions {
  /** Rates of a key whose document names none. */
  readonly rates: Rates
  readonly clock: Clock
  /** False for a tenant whose keys are all as good as unknown. */
  readonly isActive: (tenant: number) => boolean
}

interface Entry extends KeyGrant {
  readonly hash: Buffer
  readonly document: ApiKeyDocument
}

export class ApiKeys {
  private readonly options: ApiKeysOptions
  private readonly entries = new Map<string, Entry>()
  private readonly verified = new Map<string, Entry>()

  constructor(options: ApiKeysOptions) {
    this.options = options
  }

  /** Takes in a key as it is stored now; null where it was removed. */
  set(id: string, document: ApiKeyDocument | null): void {
    if (document === null) this.entries.delete(id)
    else this.entries.set(id, this.entryOf(id, document))
    this.clearVerified()
  }

  /** Looks every key up anew at its next use. */
  clearVerified(): void {
    this.verified.clear()
  }

  /** The stored keys, the disabled ones too, by id. */
  *documents(): Iterable<readonly [string, ApiKeyDocument]> {
    for (const [id, { document }] of this.entries) yield [id, document]
  }

  /** What the key stands for, undefined for an unknown or disabled one. */
  grantOf(key: string): KeyGrant | undefined {
    return this.verified.get(key) ?? this.lookUp(key)
  }

  private entryOf(id: string, document: ApiKeyDocument): Entry {
    const { tenant, datasourceId, payloadsPerMinute, samplesPerMinute } = document
    const { rates, clock } = this.options
    const limit = createRateLimit(
      {
        payloadsPerMinute: payloadsPerMinute ?? rates.payloadsPerMinute,
        samplesPerMinute: samplesPerMinute ?? rates.samplesPerMinute,
      },
      clock,
    )
    return { tenant, datasourceId, limit, hash: Buffer.from(id, "hex"), document }
  }

  private lookUp(key: string): KeyGrant | undefined {
    if (key.length > keyLengthMax) return undefined
    const hash = createHash("sha256").update(key).digest()
    const entry = this.entries.get(hash.toString("hex"))
    if (entry === undefined || !timingSafeEqual(entry.hash, hash)) return undefined
    if (!entry.document.enabled || !this.options.isActive(entry.tenant)) return undefined
    this.verified.set(key, entry)
    return entry
  }
}
