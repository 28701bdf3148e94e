/**
 * Buckets: the grid of time on which rollups stand.
 *
 * A bucket is named by its start. Buckets of one resolution are half-open, aligned to the Unix
 * epoch in UTC, and touch without overlap:
 *
 *     startMs          startMs + widthMs
 *       │── this bucket ──│── next bucket ──│
 */

import { assert } from "../base/assert.ts"
import type { Span } from "../model/span.ts"

/**
 * Start of the bucket that holds `instantMs`. Works before 1970 as well: the floor is mathematical.
 */
export function bucketStart(instantMs: number, widthMs: number): number {
  assert(Number.isSafeInteger(instantMs), "Expected whole milliseconds")
  assert(widthMs > 0, "Expected a positive width")

  const startMs = Math.floor(instantMs / widthMs) * widthMs

  assert(startMs <= instantMs && instantMs < startMs + widthMs, "Bucket must hold its instant")
  return startMs
}

/** Start of the first bucket that begins at or after `instantMs`. */
export function bucketStartAtOrAfter(instantMs: number, widthMs: number): number {
  const startMs = bucketStart(instantMs, widthMs)
  return startMs === instantMs ? startMs : startMs + widthMs
}

/** How many buckets touch `span`. */
export function bucketCount(span: Span, widthMs: number): number {
  if (span.startMs >= span.endMs) return 0
  return Math.ceil((span.endMs - bucketStart(span.startMs, widthMs)) / widthMs)
}

/** Starts of all buckets that touch `span`, oldest first. An empty span touches none. */
export function bucketStarts(span: Span, widthMs: number): number[] {
  const count = bucketCount(span, widthMs)
  if (count === 0) return []
  const firstMs = bucketStart(span.startMs, widthMs)
  return Array.from({ length: count }, (_, index) => firstMs + index * widthMs)
}

/**
 * The span of the buckets that begin in `span`: what "bucket start in [startTime, endTime)" selects
 * (spec/statistics §3). Both ends stand on the grid.
 */
export function bucketSpan(span: Span, widthMs: number): Span {
  const startMs = bucketStartAtOrAfter(span.startMs, widthMs)
  return { startMs, endMs: Math.max(startMs, bucketStartAtOrAfter(span.endMs, widthMs)) }
}
