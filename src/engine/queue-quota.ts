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
export interface Pot {
  readonly bytesMax: number
  held: number
  promised: number
  /** Shares that hold or promise anything. */
  active: number
}

/** What remains for a key that comes new while others are noisy. */
const newcomerShare = 1 / 8

/** How long the rest of a body counts while nothing of it comes. */
const promiseMs = 1_000
/** Smaller bodies come with their headers or right behind them. */
const promiseBytesMin = 64 * 1024

export type Admission = "room" | "full" | "overShare"

/** What the requests of one key hold. */
export class Share {
  private readonly pot: Pot
  private readonly delay: Delay | undefined
  private bytes = 0

  constructor(pot: Pot, delay: Delay | undefined) {
    this.pot = pot
    this.delay = delay
  }

  /** Whether a request of so many bytes may begin. Up to half of the pot anybody may. */
  admission(bytes: number): Admission {
    const { pot } = this
    const total = pot.held + pot.promised + bytes
    if (total > pot.bytesMax) return "full"
    if (total * 2 <= pot.bytesMax || this.bytes === 0) return "room"
    const fair = (pot.bytesMax * (1 - newcomerShare)) / pot.active
    return this.bytes + bytes <= fair ? "room" : "overShare"
  }

  /** Counts bytes as they arrive; false where there is no room, and then nothing is counted. */
  hold(bytes: number): boolean {
    const { pot } = this
    if (pot.held + bytes > pot.bytesMax) return false
    pot.held += bytes
    this.add(bytes)
    return true
  }

  release(bytes: number): void {
    this.pot.held -= bytes
    this.add(-bytes)
  }

  /** Announces a body. What arrives of it is held and taken from the promise by the caller. */
  promise(bytes: number): BytePromise | null {
    if (bytes < promiseBytesMin || this.delay === undefined) return null
    return new SharePromise(bytes, this.delay, (change) => {
      this.pot.promised += change
      this.add(change)
    })
  }

  private add(bytes: number): void {
    if (this.bytes === 0) this.pot.active++
    this.bytes += bytes
    if (this.bytes === 0) this.pot.active--
  }
}

/** Calls back after a while; gives a way to cancel. */
export type Delay = (callback: () => void, ms: number) => () => void

export interface BytePromise {
  /** So many bytes have come. */
  keep(bytes: number): void
  /** Nothing more will come. */
  end(): void
}

class SharePromise implements BytePromise {
  private left: number
  private isKept = false
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

  keep(bytes: number): void {
    this.isKept = true
    this.take(Math.min(bytes, this.left))
  }

  end(): void {
    this.cancel()
    this.take(this.left)
  }

  /** Forgets the rest once nothing has come for a while. */
  private watch(): () => void {
    return this.delay(() => {
      if (this.isKept) this.cancel = this.watch()
      else this.take(this.left)
      this.isKept = false
    }, promiseMs)
  }

  private take(bytes: number): void {
    if (bytes === 0) return
    this.left -= bytes
    this.count(-bytes)
  }
}
