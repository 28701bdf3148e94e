/** The lines of a plot that has more than it draws itself, for the layer below its axes. */

import type { TimeRange } from "../../url/time-range.ts"
import type { PlotRow } from "./plot-input.ts"

export interface ScaleBounds {
  readonly min: number
  readonly max: number
}

/** Rows as a plot would draw them, and where. */
export interface UnderScene {
  /** Epoch milliseconds, ascending. */
  readonly times: readonly number[]
  /** The same list as long as it says the same. */
  readonly rows: readonly PlotRow[]
  /** By the name of the scale. */
  readonly bounds: Readonly<Record<string, ScaleBounds>>
  readonly range: TimeRange
  /** The drawn area in CSS pixels. */
  readonly width: number
  readonly height: number
}
