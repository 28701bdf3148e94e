/** The options of uPlot for rows: axes with our ticks, scales with fixed bounds, the cursor. */

import type uPlot from "uplot"
import { axisTexts } from "../../format/numbers.ts"
import type { TimeRange } from "../../url/time-range.ts"
import {
  isDense,
  rowExtremes,
  scaleOf,
  type PlotColours,
  type PlotInput,
  type PlotRow,
} from "./plot-input.ts"
import { timeTicks } from "./time-ticks.ts"
import { axisBounds, valueTicks } from "./value-ticks.ts"

/** CSS pixels within which a line is pointed at. */
export const focusDistance = 24
/** CSS pixels between ticks: a time with its date is 80 wide, a line of text 20 high. */
const timeTickSpace = 96
const valueTickSpace = 48
const fontSize = 13
const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
/** Of a digit in that font: enough for an axis, which has digits mostly. */
const characterWidth = 7.4

export interface PlotSize {
  readonly width: number
  readonly height: number
}

export interface PlotHandlers {
  /** Charts of one page with the same key have one cursor. */
  readonly syncKey: string
  readonly hooks: uPlot.Hooks.Arrays
  readonly bind: uPlot.Cursor.Bind
  /** The range that is shown now: another one while it is dragged. */
  readonly view: () => TimeRange
}

export function plotOptions(
  input: PlotInput,
  rows: readonly PlotRow[],
  colours: PlotColours,
  size: PlotSize,
  handlers: PlotHandlers,
): uPlot.Options {
  const { units, look, scale } = input
  return {
    ...size,
    ms: 1,
    legend: { show: false },
    focus: { alpha: look.shape === "stacked" ? 1 : 0.28 },
    padding: [10 * scale, units.length > 1 ? 0 : 16 * scale, 0, 0],
    scales: {
      x: { time: true, range: () => rangeOf(handlers.view()) },
      ...valueScales(input, rows),
    },
    axes: [
      timeAxis(input, colours, handlers.view),
      ...units.map((unit) => valueAxis(input, unit, colours)),
    ],
    series: [{}, ...plotSeries(input, rows)],
    bands: look.shape === "stacked" ? stackBands(rows) : [],
    cursor: {
      y: false,
      lock: true,
      drag: { x: true, y: false, setScale: false, dist: 5 },
      sync: { key: handlers.syncKey, setSeries: false, scales: ["x", null] },
      ...(isDense(input)
        ? { points: { show: false } }
        : {
            focus: { prox: focusDistance },
            points: { one: true, size: 7, width: 2, fill: colours.surface },
          }),
      bind: handlers.bind,
    },
    hooks: handlers.hooks,
  }
}

/** A dense plot has one series an axis, which carries its scale and draws nothing. */
function plotSeries(input: PlotInput, rows: readonly PlotRow[]): uPlot.Series[] {
  if (!isDense(input)) return rows.map((row, i) => seriesOf(row, rows[i - 1], input))
  const { units } = input
  return units.map((unit) => {
    return { scale: scaleOf(units, unit), paths: () => null, points: { show: false } }
  })
}

/** The rows as uPlot takes them; those of a dense plot are zeros, since its scales are fixed. */
export function plotData(
  input: PlotInput,
  times: readonly number[],
  rows: readonly PlotRow[],
): uPlot.AlignedData {
  const drawn = isDense(input)
    ? input.units.map(() => times.map(() => 0))
    : rows.map((row) => row.drawn)
  // uPlot's types take arrays that can be written.
  return [times, ...drawn] as unknown as uPlot.AlignedData
}

function rangeOf({ startMs, endMs }: TimeRange): [number, number] {
  return [startMs, endMs]
}

function valueScales(input: PlotInput, rows: readonly PlotRow[]): uPlot.Scales {
  const { units, look, levels } = input
  const scales = units.map((unit): [string, uPlot.Scale] => {
    const name = scaleOf(units, unit)
    const own = levels.filter((level) => level.unit === unit).map(({ value }) => value)
    const { least, greatest } = rowExtremes(rows, name, own)
    const isFilled = !isDense(input) && (look.shape === "area" || look.shape === "stacked")
    const isFromZero = look.isFromZero || isFilled
    const { min, max } = axisBounds(least, greatest, { isFromZero, unit })
    return [name, { range: () => [min, max] }]
  })
  return Object.fromEntries(scales)
}

function axisLook(
  { "text-secondary": stroke, line }: PlotColours,
  { scale, ...input }: PlotInput,
): uPlot.Axis {
  const font = `${fontSize * scale}px ${fontFamily}`
  return {
    stroke,
    font,
    // Over the lines of a layer below, a full grid would be all that is seen.
    grid: { stroke: isDense(input) ? withAlpha(line, denseGridAlpha) : line, width: scale },
    ticks: { stroke: line, width: scale, size: 4 * scale },
    gap: 5 * scale,
    lineGap: 1.3,
  }
}

function timeAxis(input: PlotInput, colours: PlotColours, view: () => TimeRange): uPlot.Axis {
  const { timeStyle, scale } = input
  const ticks = (plot: uPlot) =>
    timeTicks(view(), Math.floor(plot.width / (timeTickSpace * scale)), timeStyle)
  return {
    ...axisLook(colours, input),
    size: 46 * scale,
    splits: (plot) => ticks(plot).map(({ ms }) => ms),
    values: (plot) =>
      ticks(plot).map(({ label, second }) => (second === "" ? label : `${label}\n${second}`)),
  }
}

function valueAxis(input: PlotInput, unit: string, colours: PlotColours): uPlot.Axis {
  const { units, numberStyle, scale } = input
  const isRight = units.indexOf(unit) === 1
  const look = axisLook(colours, input)
  return {
    ...look,
    scale: scaleOf(units, unit),
    side: isRight ? 1 : 3,
    // One grid: that of the left axis.
    grid: { ...look.grid!, show: !isRight },
    splits: (plot, _axis, min, max) =>
      valueTicks(min, max, Math.floor(plot.height / (valueTickSpace * scale)), unit),
    values: (_plot, values) => axisTexts(values, unit, numberStyle),
    size: (_plot, texts) => {
      const longest = (texts ?? []).reduce((most, text) => Math.max(most, text.length), 0)
      return Math.ceil(longest * characterWidth * scale) + 12 * scale
    },
  }
}

/** Dots on the values of more lines hide the lines. */
const pointedLinesMax = 3

const denseGridAlpha = 0.3
const areaAlpha = 0.18
const stackAlpha = 0.62

function seriesOf(
  row: PlotRow,
  before: PlotRow | undefined,
  { look, lines }: PlotInput,
): uPlot.Series {
  const { label, scale, colour, width, dash } = row
  const isFilled = row.areas !== null && look.shape !== "lines"
  const isLowest = look.shape === "stacked" && before === undefined
  return {
    label,
    scale,
    stroke: colour,
    width,
    ...(dash.length > 0 && { dash: [...dash] }),
    ...(isFilled &&
      (look.shape === "area" || isLowest) && {
        fill: withAlpha(colour, look.shape === "area" ? areaAlpha : stackAlpha),
      }),
    points: { size: 5, fill: colour, ...(lines.length > pointedLinesMax && { show: false }) },
  }
}

/** Between each stacked row and the one below it. */
function stackBands(rows: readonly PlotRow[]): uPlot.Band[] {
  return rows.slice(1).map(({ colour }, i) => ({
    series: [i + 2, i + 1],
    fill: withAlpha(colour, stackAlpha),
  }))
}

/** `colour` as the browser resolved it, `rgb(…)`. */
function withAlpha(colour: string, alpha: number): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)
}
