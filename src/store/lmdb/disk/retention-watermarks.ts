/** Horizons: the first UTC day that retention has left of each resolution. */

import { dayMs, resolutions, type Resolution } from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import { packDocument, unpackDocument } from "./record.ts"
import { textKey, type Tables } from "./tables.ts"

/** Day numbers since the epoch. */
export type Horizons = Readonly<Record<Resolution, number>>

export const horizonsKey = textKey("horizons")
const nothingDropped: Horizons = { ZERO: 0, PT5M: 0, PT1H: 0, PT24H: 0 }

export function readHorizons(tables: Tables): Horizons {
  const bytes = tables.meta.get(horizonsKey)
  return bytes === undefined ? nothingDropped : unpackHorizons(bytes)
}

/** The value of `horizonsKey`. Throws CorruptError. */
export function unpackHorizons(bytes: Uint8Array): Horizons {
  return unpackDocument(horizonsKey, bytes) as Horizons
}

/** The key and value to put where retention has gone on to `horizons`. */
export function packHorizons(horizons: Horizons): { key: Buffer; value: Uint8Array } {
  return { key: horizonsKey, value: packDocument(horizonsKey, horizons) }
}

/** Horizons at `nowMs`: a day goes when its end is older than its resolution is kept. */
export function horizonsAt(
  nowMs: number,
  retentionMs: Readonly<Record<Resolution, number>>,
): Horizons {
  const horizon = (resolution: Resolution): number =>
    Math.max(0, Math.ceil((nowMs - retentionMs[resolution]) / dayMs) - 1)
  return Object.fromEntries(resolutions.map((each) => [each, horizon(each)])) as Horizons
}

/** The part of `span` that is left of a resolution. */
export function keptSpan(span: Span, horizons: Horizons, resolution: Resolution): Span {
  const startMs = Math.max(span.startMs, horizons[resolution] * dayMs)
  return { startMs, endMs: Math.max(startMs, span.endMs) }
}
