/**
 * The failure table counts failures by key in bounded memory. When it is full, the keys with the
 * fewest failures are evicted first, so that an attacker cannot evict a key that failed often, such
 * as their own, by filling the table with new keys.
 */

import { failureEntriesMax, failureExpiryMs } from "../base/limits/accounts.ts"

export interface FailureRecord {
  /** Failures, including attempts whose outcome is not known yet. */
  count: number
  /** Start of the last attempt. */
  lastMs: number
  /** Earliest start of the next hash. */
  nextMs: number
  /** Tags of credentials that were wrong lately: repeating them is not another guess. */
  wrong: readonly string[]
}

export class FailureTable {
  private readonly entries = new Map<string, FailureRecord>()
  private readonly entriesMax: number

  constructor(entriesMax = failureEntriesMax) {
    this.entriesMax = entriesMax
  }

  get size(): number {
    return this.entries.size
  }

  /** The unexpired failures of a key at `nowMs`, undefined if there are none. */
  get(key: string, nowMs: number): FailureRecord | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined || !isExpired(entry, nowMs)) return entry
    this.entries.delete(key)
    return undefined
  }

  /** Counts an attempt as a failure until it is refunded. */
  charge(key: string, nowMs: number): FailureRecord {
    let entry = this.get(key, nowMs)
    if (entry === undefined) {
      this.evict(nowMs)
      entry = { count: 0, lastMs: nowMs, nextMs: nowMs, wrong: [] }
      this.entries.set(key, entry)
    }
    entry.count++
    entry.lastMs = nowMs
    return entry
  }

  /** Takes back the charge of an attempt that was no failure. */
  refund(key: string): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    entry.count--
    if (entry.count <= 0) this.entries.delete(key)
  }

  delete(key: string): void {
    this.entries.delete(key)
  }

  /** Evicts a quarter of a full table in one pass, so a flood of new keys costs little per key. */
  private evict(nowMs: number): void {
    if (this.entries.size < this.entriesMax) return
    const keep = Math.floor(this.entriesMax * 0.75)
    for (const [key, entry] of this.entries) {
      if (isExpired(entry, nowMs)) this.entries.delete(key)
    }
    for (let most = 1; this.entries.size > keep; most *= 2) {
      for (const [key, { count }] of this.entries) {
        if (this.entries.size <= keep) return
        if (count <= most) this.entries.delete(key)
      }
    }
  }
}

function isExpired({ lastMs }: FailureRecord, nowMs: number): boolean {
  return nowMs - lastMs >= failureExpiryMs
}
