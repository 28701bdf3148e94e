/**
 * Columns of a chart (spec/series §3): of equal width, from the epoch on, so that two windows of
 * one length have the same columns where they overlap.
 */

import { bucketsPerColumnMax, rawWindowMsMax } from "../../base/limits/series.ts"
import { bucketWidthMs, dayMs, resolutions, type Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { ColumnGrid } from "../../wire/series/series-query-result.ts"

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Widths of columns up to a day that people read easily. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 20, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map((hours) => hours * hourMs),
]

/** All steps of ZERO up to five minutes divide it. */
const rawAlignmentMs = 10 * minuteMs

/** Width of the buckets of a resolution, 1 s for raw samples. */
export function bucketMsOf(resolution: Resolution): number {
  return resolution === "ZERO" ? secondMs : bucketWidthMs[resolution]
}

/**
 * The resolution that a chart of `width` columns is drawn from: the finest that is retained where
 * the window begins and has at most `bucketsPerColumnMax` buckets a column. `retainedFromMs`: start
 * of what is retained of a resolution. `allowsRaw`: whether raw samples may be taken, which they
 * are for up to `rawWindowMsMax`.
 */
export function chosenResolution(
  span: Span,
  width: number,
  options: {
    readonly allowsRaw: boolean
    readonly retainedFromMs: (resolution: Resolution) => number
  },
): Resolution {
  const lengthMs = span.endMs - span.startMs
  const fits = (resolution: Resolution): boolean => {
    if (options.retainedFromMs(resolution) > span.startMs) return false
    if (resolution === "ZERO") return options.allowsRaw && lengthMs <= rawWindowMsMax
    return lengthMs <= bucketsPerColumnMax * width * bucketWidthMs[resolution]
  }
  return resolutions.find(fits) ?? "PT24H"
}

/** At most `width` columns over the window, and one more as it need not begin on the grid. */
export function columnGrid(
  { startMs, endMs }: Span,
  { width, resolution }: { readonly width: number; readonly resolution: Resolution },
): ColumnGrid {
  return gridOf({ startMs, endMs }, stepOf((endMs - startMs) / width, bucketMsOf(resolution)))
}

/** Columns over raw samples that are `spacingMs` apart: in narrower ones most would be empty. */
export function rawGrid(span: Span, width: number, spacingMs: number): ColumnGrid {
  const grid = columnGrid(span, { width, resolution: "ZERO" })
  const stepMs = stepOf(Math.min(spacingMs * spacingTolerance, rawAlignmentMs / 2), secondMs)
  return stepMs <= grid.stepMs ? grid : gridOf(span, stepMs)
}

/** Collectors are late by some milliseconds. */
const spacingTolerance = 0.95

/** The span that is read for the columns: all of the first and the last one. */
export function spanOfGrid({ startMs, stepMs, count }: ColumnGrid, resolution: Resolution): Span {
  const endMs = startMs + count * stepMs
  if (resolution !== "ZERO") return { startMs, endMs }
  return {
    startMs: Math.floor(startMs / rawAlignmentMs) * rawAlignmentMs,
    endMs: Math.ceil(endMs / rawAlignmentMs) * rawAlignmentMs,
  }
}

function gridOf({ startMs, endMs }: Span, stepMs: number): ColumnGrid {
  const firstMs = Math.floor(startMs / stepMs) * stepMs
  const count = startMs === endMs ? 0 : Math.ceil((endMs - firstMs) / stepMs)
  return { startMs: firstMs, stepMs, count }
}

/** The smallest good width of at least `wantedMs` that is a multiple of the bucket. */
function stepOf(wantedMs: number, bucketMs: number): number {
  const step = steps.find((one) => one >= wantedMs && one % bucketMs === 0)
  return step ?? Math.ceil(wantedMs / dayMs) * dayMs
}
