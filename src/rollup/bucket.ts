/**
 * Buckets: the time grid of rollups.
 *
 * A bucket is named by its start. Buckets of one resolution are half-open, aligned to the Unix
 * epoch in UTC, and touch without overlap:
 *
 *     startMs          startMs + widthMs
 *       │── this bucket ──│── next bucket ──│
 */

import { assert } from "../base/assert.ts"

/**
 * Returns the start of the bucket that holds `instantMs`, also for instants before 1970.
 *
 * @example
 * const halfPastMs = Date.UTC(2026, 0, 5, 12, 30)
 * assert.equal(bucketStart(halfPastMs, 3_600_000), Date.UTC(2026, 0, 5, 12))
 */
export function bucketStart(instantMs: number, widthMs: number): number {
  assert(Number.isSafeInteger(instantMs), "Expected whole milliseconds")
  assert(widthMs > 0, "Expected a positive width")

  const startMs = Math.floor(instantMs / widthMs) * widthMs

  assert(startMs <= instantMs && instantMs < startMs + widthMs, "Bucket must hold its instant")
  return startMs
}
