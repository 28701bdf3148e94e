/** Backoff of failing messages, and of queues whose receiver is down. */

import type { Random } from "../base/random.ts"

/** A restarting receiver is back after this time. */
export const firstRetryMs = 15_000
/** A receiver that is down for hours is tried twice an hour. */
export const retryMsMax = 1_800_000
/** Each wait is randomized by up to this ratio, so that queues do not retry simultaneously. */
const jitterRatio = 0.2

/** A wait after failures, as stored. */
interface Wait {
  /** Failures before it. */
  readonly attempts: number
  /** When it ends. */
  readonly dueMs: number
}

/** The wait after `attempts` failures, at least one. It doubles with each failure. */
export function retryAfterMs(attempts: number, random: Random): number {
  const [byte] = random.bytes(1)
  return Math.round(meanWaitMs(attempts) * (1 + jitterRatio * (byte! / 127.5 - 1)))
}

/** The longest wait that `retryAfterMs` gives after `attempts` failures. */
export function longestWaitMs(attempts: number): number {
  return Math.ceil(meanWaitMs(attempts) * (1 + jitterRatio))
}

/**
 * Whether a wait is over. A remaining time longer than any wait shows that the clock was ahead when
 * the wait began; such a wait is over, too.
 */
export function isWaitOver({ attempts, dueMs }: Wait, nowMs: number): boolean {
  return dueMs <= nowMs || dueMs > nowMs + longestWaitMs(attempts)
}

function meanWaitMs(attempts: number): number {
  return Math.min(firstRetryMs * 2 ** Math.min(attempts - 1, 30), retryMsMax)
}
