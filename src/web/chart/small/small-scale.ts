/** The axes of a small chart: bounds and a few labels, as shares of its height and width. */

import { axisLabels, type NumberStyle } from "../../format/numbers.ts"
import type { TimeStyle } from "../../format/times.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { extremesOf, type Values } from "../model.ts"
import { timeTicks } from "../plot/time-ticks.ts"
import { axisBounds, valueTicks } from "../plot/value-ticks.ts"

export interface AxisLabel {
  /** From the left, or from the bottom: 0 to 1. */
  readonly share: number
  readonly text: string
}

export interface SmallScale {
  readonly least: number
  readonly greatest: number
  readonly labels: readonly AxisLabel[]
}

/** Labels of an axis of values, one more or less. */
const valueLabels = 3
const timeLabels = 3
/** A label in the middle of a tick that is closer to an edge would be cut. */
const edgeShare = 0.06

/** Bounds of values: shares of a whole begin at zero. The last label has the unit. */
export function valueScale(rows: readonly Values[], unit: string, style: NumberStyle): SmallScale {
  const { least, greatest } = extremesOf(rows)
  const isFromZero = unit === "percent" || unit === "percentunit"
  const { min, max } = axisBounds(least, greatest, { isFromZero, unit })
  const ticks = valueTicks(min, max, valueLabels, unit)
  const { texts, unit: shown } = axisLabels(ticks, unit, style)
  const labels = ticks.map((tick, i) => {
    const suffix = i === ticks.length - 1 && shown.length <= unitLengthMax ? ` ${shown}` : ""
    return { share: (tick - min) / (max - min), text: `${texts[i]!}${suffix}`.trimEnd() }
  })
  return { least: min, greatest: max, labels }
}

/** Characters of a unit next to a label; the value above the chart has any. */
const unitLengthMax = 3

export function timeScale(range: TimeRange, style: TimeStyle): readonly AxisLabel[] {
  const length = range.endMs - range.startMs
  return timeTicks(range, timeLabels, style)
    .map(({ ms, label }) => ({ share: (ms - range.startMs) / length, text: label }))
    .filter(({ share }) => share >= edgeShare && share <= 1 - edgeShare)
}
