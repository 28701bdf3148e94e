/** The drawn area of a plot, for what is laid over it. */

import type { TimeRange } from "../../url/time-range.ts"

/** Sizes in CSS pixels. */
export interface PlotArea {
  readonly width: number
  readonly height: number
  /** The range that is shown now: another one while it is dragged. */
  readonly view: TimeRange
  /** Where a value is, from the top of the area; null if the unit has no axis. */
  readonly topOf: (value: number, unit: string) => number | null
}

/** Where a time is, from the left edge of the area: outside of it for one that is not shown. */
export function leftOfTime({ view, width }: Pick<PlotArea, "view" | "width">, ms: number): number {
  return ((ms - view.startMs) / (view.endMs - view.startMs)) * width
}

/** Left edge and width of the part of a span that is shown; null if none is. */
export function shownSpan(
  area: Pick<PlotArea, "view" | "width">,
  span: TimeRange,
): { readonly left: number; readonly width: number } | null {
  const left = Math.max(0, leftOfTime(area, span.startMs))
  const right = Math.min(area.width, leftOfTime(area, span.endMs))
  return right < left || left > area.width || right < 0 ? null : { left, width: right - left }
}
