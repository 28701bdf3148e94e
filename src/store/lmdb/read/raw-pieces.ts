/**
 * Divides the span of a raw query into pieces that are read in different ways.
 *
 *   span      ├──────────┼──────────────┼──────────────┼──────┤
 *   pieces     raw (edge)  compacted day  compacted day  raw (edge)
 *                          cell + digest  cell + digest
 *
 * A compacted day inside the span is read from its cell and digest. Edges, days with uncompacted
 * data and exact queries are read sample by sample, window by window.
 */

import { assert } from "../../../base/assert.ts"
import { pushAll } from "../../../base/iterables.ts"
import { dayMs } from "../../../model/resolution.ts"
import { spanIntersection, type Span } from "../../../model/span.ts"
import type { BlockView } from "./block-view.ts"
import { windowMs } from "../disk/tables.ts"

export type Piece =
  | { readonly kind: "day"; readonly day: number }
  | { readonly kind: "raw"; readonly window: number; readonly span: Span }

/** Returns the pieces in time order. */
export function piecesOf(view: BlockView, span: Span, exact: boolean): Piece[] {
  const pieces: Piece[] = []
  const endDay = Math.ceil(span.endMs / dayMs)
  for (let day = Math.floor(span.startMs / dayMs); day < endDay; day++) {
    if (view.isEmpty(day)) continue
    const isWhole = span.startMs <= day * dayMs && (day + 1) * dayMs <= span.endMs
    if (isWhole && !exact && view.isCompactedOnly(day)) pieces.push({ kind: "day", day })
    else pushAll(pieces, rawPiecesOfDay(day, span))
  }
  return pieces
}

/** Returns the windows of a day that touch the span, each with its part of the span. */
export function rawPiecesOfDay(day: number, span: Span): Piece[] {
  const pieces: Piece[] = []
  const first = (day * dayMs) / windowMs
  assert(Number.isSafeInteger(first), "Expected whole windows in a day")
  for (let window = first; window < first + dayMs / windowMs; window++) {
    const whole = { startMs: window * windowMs, endMs: (window + 1) * windowMs }
    const part = spanIntersection(whole, span)
    if (part.startMs < part.endMs) pieces.push({ kind: "raw", window, span: part })
  }
  return pieces
}
