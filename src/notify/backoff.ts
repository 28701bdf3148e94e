/** How long a lane that fails waits before it tries again. */

import type { Random } from "../base/random.ts"

/** A receiver that restarts is back by then. */
export const firstRetryMs = 15_000
/** One that is down for hours is asked twice an hour. */
export const retryMsMax = 1_800_000
/** Each wait is moved by up to this share, so that lanes do not come back all at once. */
export const jitterRatio = 0.2

/** `attempts`: failures so far, at least one. Doubles from one to the next. */
export function retryAfterMs(attempts: number, random: Random): number {
  const doubled = Math.min(firstRetryMs * 2 ** Math.min(attempts - 1, 30), retryMsMax)
  const [byte] = random.bytes(1)
  return Math.round(doubled * (1 + jitterRatio * (byte! / 127.5 - 1)))
}
