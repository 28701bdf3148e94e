/**
 * Watched time: since when the server has watched what is sent to it, without having been off or
 * suspended and without its clock having been set. That nothing came in other time proves nothing.
 *
 *   look ── look ── look ──────── suspended, or clock set ──────── look ── look
 *                     └─────────────── missed ──────────────────────┘ since
 */

import type { Clock } from "../clock.ts"

/** The times that a process has watched, as it leaves them to the next one. */
export interface WatchedSpan {
  readonly sinceMs: number
  readonly untilMs: number
  /** Whether the process ended then; otherwise it may have watched for longer. */
  readonly isEnd: boolean
}

interface WatchedTimeOptions {
  readonly clock: Clock
  /** Monotonic milliseconds; absent if the clock is simulated: that one stops with the server. */
  readonly elapsedMs?: () => number
}

/** Longest time between two looks, a second apart, of a server that is busy. */
const pauseMsMax = 30_000
/** Less is a correction of the clock. */
const missedMsMin = 10_000

/** A restart takes less; collectors post about once in this time. */
const restartMsMax = 60_000
/** A process says this often, at least, until when it has watched. */
const untoldMsMax = 300_000

export class WatchedTime {
  private readonly options: WatchedTimeOptions
  private last: { readonly nowMs: number; readonly elapsedMs: number | undefined } | null = null
  private began = 0
  private since = 0
  private missed = 0

  constructor(options: WatchedTimeOptions) {
    this.options = options
  }

  /** Goes on from an earlier process, unless more time has passed than a restart takes. */
  resume({ sinceMs, untilMs, isEnd }: WatchedSpan): void {
    const missedMs = this.beganMs() - untilMs
    const isShort = missedMs >= 0 && missedMs <= (isEnd ? restartMsMax : untoldMsMax)
    if (isShort && this.since === this.began) this.since = sinceMs
  }

  /** The first look. */
  beganMs(): number {
    this.look()
    return this.began
  }

  /** Since when nothing was missed. */
  sinceMs(): number {
    this.look()
    return this.since
  }

  /** The sum of what was missed after the first look. */
  missedMs(): number {
    this.look()
    return this.missed
  }

  private look(): void {
    const { last } = this
    const nowMs = this.options.clock.nowMs()
    const elapsedMs = this.options.elapsedMs?.()
    this.last = { nowMs, elapsedMs }
    if (last === null) {
      this.began = this.since = nowMs
      return
    }
    const passedMs = nowMs - last.nowMs
    const isSimulated = elapsedMs === undefined || last.elapsedMs === undefined
    const watchedMs = isSimulated
      ? Math.max(0, passedMs)
      : Math.min(elapsedMs - last.elapsedMs, pauseMsMax)
    const missedMs = passedMs - watchedMs
    if (Math.abs(missedMs) < missedMsMin) return
    this.since = nowMs
    this.missed += Math.max(0, missedMs)
  }
}
