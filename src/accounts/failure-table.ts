/**
 * Failure table: failures by key, in bounded memory. If it is full, the keys with the fewest
 * failures go first, so that a caller who fills it with new keys cannot make it forget a key that
 * failed often, such as his own.
 */

import { failureEntriesMax, failureExpiryMs } from "../base/limits.ts"

export interface FailureRecord {
  /** Failures, with attempts whose outcome is not known yet. */
  count: number
  /** When the last attempt began. */
  lastMs: number
  /** When the next hash may begin. */
  nextMs: number
  /** Tags of credentials that were wrong lately: sending them again is no further guess. */
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

  /** What failed lately under a key, as of `nowMs`; undefined if nothing did. */
  get(key: string, nowMs: number): FailureRecord | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined || !isExpired(entry, nowMs)) return entry
    this.entries.delete(key)
    return undefined
  }

  /** Counts an attempt as a failure until it is given back. */
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

  /** The attempt was no failure. */
  refund(key: string): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    entry.count--
    if (entry.count <= 0) this.entries.delete(key)
  }

  delete(key: string): void {
    this.entries.delete(key)
  }

  /** A quarter goes at once, so that a flood of new keys costs little for each. */
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
