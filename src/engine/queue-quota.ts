/**
 * Queue quotas: bound how much of the ingest queue each API key may use, so that one noisy key does
 * not starve others, and concurrent large uploads do not make each other fail.
 *
 *   reserved    bytes in memory: uploading, waiting, or with the shard
 *   announced   bytes that a large upload has declared and not sent yet; they expire when the
 *               upload stalls, so that headers alone cannot keep the queue full
 *
 * Without announcements, two thousand uploads of 1 MB all start, fill the queue together, and all
 * fail.
 */

import { assert } from "../base/assert.ts"
import type { Delay } from "../base/async.ts"

/** Bytes used by all quotas of one queue together. */
export interface QueueBudget {
  /** A reload may change it. */
  bytesMax: number
  reservedBytes: number
  announcedBytes: number
  /** Quotas with anything reserved or announced. */
  activeQuotas: number
  /** True while no request may start, since the process has no memory for it. */
  isMemoryShort: boolean
}

/** Share of the budget that remains for a new key while others are noisy. */
const minimumQuotaShare = 1 / 8

/** Announced bytes expire if none of them arrives for this long. */
const announcementMs = 1_000
/** Smaller bodies arrive with their headers or right after them. */
const announcementBytesMin = 64 * 1024

export type QuotaDecision = "admitted" | "full" | "overQuota" | "memoryShort"

/** The bytes that the requests of one key use. */
export class QueueQuota {
  private readonly budget: QueueBudget
  private readonly delay: Delay | undefined
  private bytes = 0

  constructor(budget: QueueBudget, delay: Delay | undefined) {
    this.budget = budget
    this.delay = delay
  }

  /** Whether a request of `bytes` may start. Up to half of the budget, any key may. */
  admission(bytes: number): QuotaDecision {
    const { budget } = this
    if (budget.isMemoryShort) return "memoryShort"
    const total = budget.reservedBytes + budget.announcedBytes + bytes
    if (total > budget.bytesMax) return "full"
    if (total * 2 <= budget.bytesMax || this.bytes === 0) return "admitted"
    const fair = (budget.bytesMax * (1 - minimumQuotaShare)) / budget.activeQuotas
    return this.bytes + bytes <= fair ? "admitted" : "overQuota"
  }

  /** Counts bytes as they arrive. Returns false, and counts nothing, if they exceed the budget. */
  reserve(bytes: number): boolean {
    const { budget } = this
    if (budget.reservedBytes + bytes > budget.bytesMax) return false
    budget.reservedBytes += bytes
    this.add(bytes)
    return true
  }

  /** Gives back bytes that were reserved. */
  release(bytes: number): void {
    this.budget.reservedBytes -= bytes
    this.add(-bytes)
  }

  /**
   * Announces an upload; null if it is too small. The caller reserves what arrives of it, and
   * reports it to `received`.
   */
  announce(bytes: number): UploadAnnouncement | null {
    if (bytes < announcementBytesMin || this.delay === undefined) return null
    return new QuotaAnnouncement(bytes, this.delay, (change) => {
      this.budget.announcedBytes += change
      this.add(change)
    })
  }

  private add(bytes: number): void {
    if (this.bytes === 0) this.budget.activeQuotas++
    this.bytes += bytes
    assert(this.bytes >= 0, "Expected to release only what this key has reserved or announced")
    if (this.bytes === 0) this.budget.activeQuotas--
  }
}

/** The bytes that a large upload has declared and not sent yet. */
export interface UploadAnnouncement {
  /** Subtracts bytes that have arrived. */
  received(bytes: number): void
  /** Subtracts the rest: nothing more will arrive. */
  end(): void
}

class QuotaAnnouncement implements UploadAnnouncement {
  private left: number
  private hasProgress = false
  private cancel: () => void
  private readonly delay: Delay
  private readonly count: (change: number) => void

  constructor(bytes: number, delay: Delay, count: (change: number) => void) {
    this.left = bytes
    this.delay = delay
    this.count = count
    count(bytes)
    this.cancel = this.watch()
  }

  received(bytes: number): void {
    this.hasProgress = true
    this.subtract(Math.min(bytes, this.left))
  }

  end(): void {
    this.cancel()
    this.subtract(this.left)
  }

  /** Subtracts the rest once nothing has arrived for a while. */
  private watch(): () => void {
    return this.delay(() => {
      if (this.hasProgress) this.cancel = this.watch()
      else this.subtract(this.left)
      this.hasProgress = false
    }, announcementMs)
  }

  private subtract(bytes: number): void {
    if (bytes === 0) return
    this.left -= bytes
    this.count(-bytes)
  }
}
