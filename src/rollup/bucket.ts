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
import type { Span } from "../model/span.ts"

/** Returns the start of the bucket that holds `instantMs`, also for instants before 1970. */
export function bucketStart(instantMs: number, widthMs: number): number {
  assert(Number.isSafeInteger(instantMs), "Expected whole milliseconds")
  assert(widthMs > 0, "Expected a positive width")

  const startMs = Math.floor(instantMs / widthMs) * widthMs

  assert(startMs <= instantMs && instantMs < startMs + widthMs, "Bucket must hold its instant")
  return startMs
}

/** Returns the start of the first bucket that begins at or after `instantMs`. */
export function bucketStartAtOrAfter(instantMs: number, widthMs: number): number {
  const startMs = bucketStart(instantMs, widthMs)
  return startMs === instantMs ? startMs : startMs + widthMs
}

/** Returns the number of buckets that touch `span`. */
export function bucketCount(span: Span, widthMs: number): number {
  if (span.startMs >= span.endMs) return 0
  return Math.ceil((span.endMs - bucketStart(span.startMs, widthMs)) / widthMs)
}

/** Returns the starts of all buckets that touch `span`, oldest first; none for an empty span. */
export function bucketStarts(span: Span, widthMs: number): number[] {
  const count = bucketCount(span, widthMs)
  if (count === 0) return []
  const firstMs = bucketStart(span.startMs, widthMs)
  return Array.from({ length: count }, (_, index) => firstMs + index * widthMs)
}

/**
 * Returns the span of the buckets that begin in `span`: those that "bucket start in [startTime,
 * endTime)" selects (spec/statistics §3). Both ends are on the grid.
 */
export function bucketSpan(span: Span, widthMs: number): Span {
  const startMs = bucketStartAtOrAfter(span.startMs, widthMs)
  const endMs = Math.max(startMs, bucketStartAtOrAfter(span.endMs, widthMs))

  assert(startMs % widthMs === 0 && endMs % widthMs === 0, "Expected both ends on the grid")
  assert(startMs >= span.startMs, "Expected no bucket that begins before the span")
  return { startMs, endMs }
}
