/**
 * Shares: who holds how much of the intake's queue, so that one noisy key leaves room for others,
 * and so that bodies under way do not ruin each other.
 *
 *   held      bytes that are in memory: uploading, waiting, or with the shard
 *   promised  bytes that a large upload has announced and not sent yet; forgotten after a while,
 *             so that headers alone cannot keep the queue full
 *
 * Without promises two thousand uploads of 1 MB all begin, fill the queue together, and all fail.
 */

/** What all shares together hold; the intake's. */
export interface QueueBudget {
  readonly bytesMax: number
  reservedBytes: number
  announcedBytes: number
  /** Shares that hold or promise anything. */
  activeQuotas: number
}

/** What remains for a key that comes new while others are noisy. */
const minimumQuotaShare = 1 / 8

/** How long the rest of a body counts while nothing of it comes. */
const announcementMs = 1_000
/** Smaller bodies come with their headers or right behind them. */
const announcementBytesMin = 64 * 1024

export type Admission = "admitted" | "full" | "overQuota"

/** What the requests of one key hold. */
export class QueueQuota {
  private readonly budget: QueueBudget
  private readonly delay: Delay | undefined
  private bytes = 0

  constructor(pot: QueueBudget, delay: Delay | undefined) {
    this.budget = pot
    this.delay = delay
  }

  /** Whether a request of so many bytes may begin. Up to half of the pot anybody may. */
  admission(bytes: number): Admission {
    const { budget } = this
    const total = budget.reservedBytes + budget.announcedBytes + bytes
    if (total > budget.bytesMax) return "full"
    if (total * 2 <= budget.bytesMax || this.bytes === 0) return "admitted"
    const fair = (budget.bytesMax * (1 - minimumQuotaShare)) / budget.activeQuotas
    return this.bytes + bytes <= fair ? "admitted" : "overQuota"
  }

  /** Counts bytes as they arrive; false where there is no room, and then nothing is counted. */
  reserve(bytes: number): boolean {
    const { budget } = this
    if (budget.reservedBytes + bytes > budget.bytesMax) return false
    budget.reservedBytes += bytes
    this.add(bytes)
    return true
  }

  release(bytes: number): void {
    this.budget.reservedBytes -= bytes
    this.add(-bytes)
  }

  /** Announces a body. What arrives of it is held and taken from the promise by the caller. */
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
    if (this.bytes === 0) this.budget.activeQuotas--
  }
}

/** Calls back after a while; gives a way to cancel. */
export type Delay = (callback: () => void, ms: number) => () => void

export interface UploadAnnouncement {
  /** So many bytes have come. */
  received(bytes: number): void
  /** Nothing more will come. */
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

  /** Forgets the rest once nothing has come for a while. */
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
