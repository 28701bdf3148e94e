/** Backoff of failing delivery queues. */

import type { Random } from "../base/random.ts"

/** A restarting receiver is back after this time. */
export const firstRetryMs = 15_000
/** A receiver that is down for hours is tried twice an hour. */
export const retryMsMax = 1_800_000
/** Each wait is randomized by up to this ratio, so that queues do not retry simultaneously. */
const jitterRatio = 0.2

/** The wait after `attempts` failures, at least one. It doubles with each failure. */
export function retryAfterMs(attempts: number, random: Random): number {
  const doubled = Math.min(firstRetryMs * 2 ** Math.min(attempts - 1, 30), retryMsMax)
  const [byte] = random.bytes(1)
  return Math.round(doubled * (1 + jitterRatio * (byte! / 127.5 - 1)))
}
