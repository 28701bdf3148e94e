/** The input of a plot: the lines that are drawn, over common times, and how they look. */

import type { PercentileName } from "../../api/series-answer.ts"
import type { NumberStyle } from "../../format/numbers.ts"
import type { TimeStyle } from "../../format/times.ts"
import type { TimeRange } from "../../url/time-range.ts"
import type { Area, LineAreas, SpreadValues } from "./line-areas.ts"
import {
  areaLinesMax,
  drawnLinesMax,
  extremesOf,
  joinColumns,
  stacked,
  type ChartLine,
  type ChartShape,
} from "../model.ts"
import { dashOf, seriesColourCount } from "./series-colours.ts"

export type PercentileShape = "none" | "lines" | "fan"

export interface PlotLook {
  readonly shape: ChartShape
  readonly isFromZero: boolean
  readonly hasBands: boolean
  readonly percentiles: PercentileShape
}

/** A value on the axis of a unit. */
export interface PlotLevel {
  readonly value: number
  readonly unit: string
}

export interface PlotInput {
  /** Visible lines: more than `drawnLinesMax` are drawn by a layer below the plot. */
  readonly lines: readonly ChartLine[]
  /** Units by axis: left, then right. */
  readonly units: readonly string[]
  readonly range: TimeRange
  readonly look: PlotLook
  /** Values that are within the axes too, such as thresholds. */
  readonly levels: readonly PlotLevel[]
  readonly timeStyle: TimeStyle
  readonly numberStyle: NumberStyle
  /** Times the size of fonts and strokes: 1 on the screen. */
  readonly scale: number
}

/** Colours as the browser resolved them. */
export interface PlotColours {
  readonly text: string
  readonly "text-secondary": string
  readonly surface: string
  readonly line: string
  readonly critical: string
  readonly baseline: string
  readonly contextual: string
  readonly series: readonly string[]
  /** Dashes tell the lines of one colour apart: for more contrast, and on paper. */
  readonly hasDashes: boolean
}

/** One drawn row: a line, or a percentile of one. */
export interface PlotRow {
  readonly line: ChartLine
  readonly label: string
  readonly scale: string
  readonly colour: string
  readonly width: number
  /** While it is pointed at. */
  readonly focusedWidth: number
  /** Opacity of the stroke unless it is pointed at. */
  readonly alpha: number
  readonly dash: readonly number[]
  /** As drawn: sums if lines are stacked. */
  readonly drawn: SpreadValues
  /** As measured. */
  readonly values: SpreadValues
  /** Null for a percentile, which has none of its own. */
  readonly areas: LineAreas | null
}

export interface PlotRows {
  readonly times: readonly number[]
  readonly rows: readonly PlotRow[]
}

/** Whether a layer below draws the lines: there are too many, or it shows something else of them. */
export function isDense({ lines, look }: Pick<PlotInput, "lines" | "look">): boolean {
  return lines.length > drawnLinesMax || look.shape === "heat"
}

/** The middle of a fan is a line: p5–p25–p50–p75–p95. */
const percentileLines: Readonly<Record<PercentileShape, readonly PercentileName[]>> = {
  none: [],
  lines: ["p50", "p95", "p99"],
  fan: ["p50"],
}
const fanPairs = [
  ["p5", "p95"],
  ["p25", "p75"],
] as const

export function scaleOf(units: readonly string[], unit: string): string {
  return units.indexOf(unit) === 1 ? "right" : "left"
}

/** The rows of a plot, in the order in which they are drawn. */
export function plotRows(
  { lines, units, look, scale: size }: PlotInput,
  colours: PlotColours,
): PlotRows {
  // Sums are those of the window, whose lines all have values for it.
  const shown = lines.map((line) => (look.shape === "stacked" ? line : (line.known ?? line)))
  const { times, spread } = joinColumns(shown)
  const values = shown.map((line) => spread(line, line.values))
  const drawn = look.shape === "stacked" ? stacked(values) : values
  const rows = lines.flatMap((line, i): PlotRow[] => {
    const colour = colours.series[line.tone % seriesColourCount]!
    const scale = scaleOf(units, line.unit)
    const row: PlotRow = {
      line,
      label: line.name,
      scale,
      colour,
      ...strokeOf(lines.length, size, look.percentiles === "fan" && hasPercentiles(line)),
      dash: colours.hasDashes ? dashOf(line.tone).map((part) => part * size) : [],
      drawn: drawn[i]!,
      values: values[i]!,
      areas: { scale, colour, values: values[i]!, ...areasOf(line, look, spread) },
    }
    const names = lines.length <= areaLinesMax ? percentileLines[look.percentiles] : []
    return [row, ...percentileRows(row, spread, names)]
  })
  return { times, rows }
}

/** Many lines are thinner and let those below them through. */
function strokeOf(
  count: number,
  size: number,
  isFan: boolean,
): Pick<PlotRow, "width" | "focusedWidth" | "alpha"> {
  if (count > seriesColourCount)
    return { width: 1.25 * size, focusedWidth: 2.25 * size, alpha: 0.7 }
  const width = size * (isFan ? 1 : 1.5)
  return { width, focusedWidth: width, alpha: 1 }
}

type Spread = ReturnType<typeof joinColumns>["spread"]

function hasPercentiles({ percentiles }: ChartLine): boolean {
  return Object.values(percentiles).some((values) => values !== undefined)
}

function areasOf(
  line: ChartLine,
  { shape, hasBands, percentiles }: PlotLook,
  spread: Spread,
): Pick<LineAreas, "envelope" | "bands" | "fan"> {
  if (shape === "stacked") return { envelope: null, bands: [], fan: [] }
  const area = (lower: ChartLine["values"], upper: ChartLine["values"]): Area => ({
    lower: spread(line, lower),
    upper: spread(line, upper),
  })
  const { envelope, bands } = line
  const fan = percentiles !== "fan" ? [] : fanPairs
  return {
    envelope: envelope === null || fan.length > 0 ? null : area(envelope.low, envelope.high),
    bands: hasBands ? bands.map(({ kind, lower, upper }) => ({ kind, ...area(lower, upper) })) : [],
    fan: fan.flatMap(([low, high]) => {
      const [lower, upper] = [line.percentiles[low], line.percentiles[high]]
      return lower === undefined || upper === undefined ? [] : [area(lower, upper)]
    }),
  }
}

function percentileRows(row: PlotRow, spread: Spread, names: readonly PercentileName[]): PlotRow[] {
  return names.flatMap((name, i) => {
    const values = row.line.percentiles[name]
    if (values === undefined) return []
    const drawn = spread(row.line, values)
    const label = `${row.label} ${name}`
    const look = { width: 1, focusedWidth: 1, alpha: 1, dash: [6 - 2 * i, 3] }
    return [{ ...row, ...look, label, drawn, values: drawn, areas: null }]
  })
}

/** Values between gaps, which no line joins; times that a line has no column for are no gaps. */
export function loneIndexes(values: SpreadValues): number[] {
  const known = [...values.keys()].filter((i) => values[i] !== undefined)
  const isGap = (at: number): boolean => (values[known[at] ?? -1] ?? null) === null
  return known.filter((_, at) => !isGap(at) && isGap(at - 1) && isGap(at + 1))
}

/** Least and greatest of what is drawn on a scale, with areas of few lines. */
export function rowExtremes(
  rows: readonly PlotRow[],
  scale: string,
  levels: readonly number[],
): ReturnType<typeof extremesOf> {
  const own = rows.filter((row) => row.scale === scale)
  const withAreas = own.filter(({ areas }) => areas !== null).length <= areaLinesMax
  const areas = own.flatMap(({ areas: one }): Area[] => {
    if (one === null || !withAreas) return []
    return [...(one.envelope === null ? [] : [one.envelope]), ...one.bands, ...one.fan]
  })
  return extremesOf([
    levels,
    // Values next to the window do not change its axis.
    ...own.map(({ drawn, line, areas: one }) =>
      one !== null && line.known !== undefined && drawn.length > line.values.length
        ? line.values
        : drawn,
    ),
    ...areas.flatMap(({ lower, upper }) => [lower, upper]),
  ])
}
