/** Retention watermarks: the first UTC day that retention has kept of each resolution. */

import { assert } from "../../../base/assert.ts"
import { dayMs, resolutions, type Resolution } from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import { packDocument, unpackDocument } from "./record.ts"
import { textKey, type Tables } from "./tables.ts"

/** Day numbers since the epoch. */
export type RetentionWatermarks = Readonly<Record<Resolution, number>>

export const watermarksKey = textKey("horizons")
const nothingDropped: RetentionWatermarks = { ZERO: 0, PT5M: 0, PT1H: 0, PT24H: 0 }

export function readWatermarks(tables: Tables): RetentionWatermarks {
  const bytes = tables.meta.get(watermarksKey)
  return bytes === undefined ? nothingDropped : unpackWatermarks(bytes)
}

/** Decodes the value of `watermarksKey`. Throws CorruptError. */
export function unpackWatermarks(bytes: Uint8Array): RetentionWatermarks {
  const watermarks = unpackDocument(watermarksKey, bytes) as RetentionWatermarks
  assert(areDays(watermarks), "Expected a day of each resolution")
  return watermarks
}

/** The key and value to store when retention advances to `watermarks`. */
export function packWatermarks(horizons: RetentionWatermarks): { key: Buffer; value: Uint8Array } {
  assert(areDays(horizons), "Expected a day of each resolution")
  return { key: watermarksKey, value: packDocument(watermarksKey, horizons) }
}

function areDays(watermarks: RetentionWatermarks): boolean {
  return resolutions.every((each) => Number.isSafeInteger(watermarks[each]))
}

/**
 * Watermarks at `nowMs`: a day is dropped when its end is older than the retention of its
 * resolution.
 */
export function watermarksAt(
  nowMs: number,
  retentionMs: Readonly<Record<Resolution, number>>,
): RetentionWatermarks {
  const horizon = (resolution: Resolution): number =>
    Math.max(0, Math.ceil((nowMs - retentionMs[resolution]) / dayMs) - 1)
  return Object.fromEntries(resolutions.map((each) => [each, horizon(each)])) as RetentionWatermarks
}

/** The part of `span` that retention has kept of a resolution. */
export function retainedSpan(
  span: Span,
  horizons: RetentionWatermarks,
  resolution: Resolution,
): Span {
  const startMs = Math.max(span.startMs, horizons[resolution] * dayMs)
  return { startMs, endMs: Math.max(startMs, span.endMs) }
}
