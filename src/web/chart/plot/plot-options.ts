/** The options of uPlot for rows: axes with our ticks, scales with fixed bounds, the cursor. */

import type uPlot from "uplot"
import { axisLabels } from "../../format/numbers.ts"
import { visibleText } from "../../format/visible-text.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { dragMin } from "./late-drag.ts"
import {
  isDense,
  loneIndexes,
  rowExtremes,
  scaleOf,
  type PlotColours,
  type PlotInput,
  type PlotRow,
} from "./plot-input.ts"
import { fittingTexts, timeTicks } from "./time-ticks.ts"
import { axisBounds, valueTicks } from "./value-ticks.ts"

/** CSS pixels within which a line is pointed at. */
export const focusDistance = 24
/** CSS pixels between ticks: a time with its date is 80 wide, a line of text 20 high. */
const timeTickSpace = 96
const valueTickSpace = 48
const fontSize = 13
const unitFontSize = 12
const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
/** Of a digit in that font: enough for an axis, which has digits mostly. */
const characterWidth = 7.4
/** CSS pixels of an axis of values, so that charts below each other begin alike. */
const axisSizeMin = 48
/** CSS pixels right of a plot, above it, and above it if it has units there. */
const marginRight = 16
const [marginTop, unitMarginTop] = [10, 24]

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
  readonly focusedId: () => string | null
}

export function plotOptions(
  input: PlotInput,
  rows: readonly PlotRow[],
  colours: PlotColours,
  size: PlotSize,
  handlers: PlotHandlers,
): uPlot.Options {
  const { units, look, scale } = input
  const shownUnits = new Map<string, string>()
  const hasUnit = (): boolean => [...shownUnits.values()].some((text) => text !== "")
  return {
    ...size,
    ms: 1,
    legend: { show: false },
    focus: { alpha: look.shape === "stacked" ? 1 : 0.25 },
    padding: [
      () => (hasUnit() ? unitMarginTop : marginTop) * scale,
      units.length > 1 ? 0 : marginRight * scale,
      0,
      0,
    ],
    scales: {
      x: { time: true, range: () => rangeOf(handlers.view()) },
      ...valueScales(input, rows),
    },
    axes: [
      timeAxis(input, colours, handlers.view),
      ...units.map((unit) => valueAxis(input, unit, colours, shownUnits)),
    ],
    series: [{}, ...plotSeries(input, rows, handlers.focusedId)],
    bands: look.shape === "stacked" ? stackBands(rows) : [],
    cursor: {
      y: false,
      lock: true,
      drag: { x: true, y: false, setScale: false, dist: dragMin },
      sync: { key: handlers.syncKey, setSeries: false, scales: ["x", null] },
      ...(isDense(input)
        ? { points: { show: false } }
        : {
            focus: { prox: focusDistance },
            points: { one: true, size: 7, width: 2, fill: colours.surface },
          }),
      bind: handlers.bind,
    },
    hooks: {
      ...handlers.hooks,
      drawClear: [(plot) => widenFocused(plot, rows, handlers.focusedId())],
      drawAxes: [
        (plot) => drawUnits(plot, shownUnits, { colour: colours["text-secondary"], scale }),
        ...(handlers.hooks.drawAxes ?? []),
      ],
    },
  }
}

/** A dense plot has one series an axis, which carries its scale and draws nothing. */
function plotSeries(
  input: PlotInput,
  rows: readonly PlotRow[],
  focusedId: () => string | null,
): uPlot.Series[] {
  if (!isDense(input)) return rows.map((row, i) => seriesOf(row, rows[i - 1], input, focusedId))
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
  const { timeStyle, scale, units } = input
  const ticks = (plot: uPlot) =>
    timeTicks(view(), Math.floor(plot.width / (timeTickSpace * scale)), timeStyle)
  return {
    ...axisLook(colours, input),
    size: 46 * scale,
    splits: (plot) => ticks(plot).map(({ ms }) => ms),
    values: (plot) => {
      const margin = units.length > 1 ? axisSizeMin : marginRight
      const space = { width: plot.width / scale - axisSizeMin - margin, margin, characterWidth }
      return fittingTexts(ticks(plot), view(), space)
    },
  }
}

function valueAxis(
  input: PlotInput,
  unit: string,
  colours: PlotColours,
  shownUnits: Map<string, string>,
): uPlot.Axis {
  const { units, numberStyle, scale } = input
  const isRight = units.indexOf(unit) === 1
  const look = axisLook(colours, input)
  const name = scaleOf(units, unit)
  return {
    ...look,
    scale: name,
    side: isRight ? 1 : 3,
    // One grid: that of the left axis.
    grid: { ...look.grid!, show: !isRight },
    splits: (plot, _axis, min, max) =>
      valueTicks(min, max, Math.floor(plot.height / (valueTickSpace * scale)), unit),
    values: (_plot, values) => {
      const labels = axisLabels(values, unit, numberStyle)
      shownUnits.set(name, visibleText(labels.unit))
      return [...labels.texts]
    },
    size: (_plot, texts) => {
      const longest = (texts ?? []).reduce((most, text) => Math.max(most, text.length), 0)
      return Math.max(axisSizeMin * scale, Math.ceil((longest * characterWidth + 12) * scale))
    },
  }
}

/** Above each axis of values: in line with its labels, or from the edge if it is longer. */
function drawUnits(
  plot: uPlot,
  shownUnits: ReadonlyMap<string, string>,
  { colour, scale }: { readonly colour: string; readonly scale: number },
): void {
  const { ctx: context, bbox } = plot
  const pixel = scale * window.devicePixelRatio
  context.save()
  context.font = `${unitFontSize * pixel}px ${fontFamily}`
  context.fillStyle = colour
  context.textBaseline = "alphabetic"
  for (const [name, text] of shownUnits) {
    const { width } = context.measureText(text)
    const room = 9 * pixel
    const left =
      name === "left"
        ? Math.max(0, bbox.left - room - width)
        : Math.min(bbox.left + bbox.width + room, context.canvas.width - width)
    context.textAlign = "left"
    context.fillText(text, left, bbox.top - 10 * pixel)
  }
  context.restore()
}

/** Among many lines, the one that is pointed at is wider. */
function widenFocused(plot: uPlot, rows: readonly PlotRow[], focusedId: string | null): void {
  for (const [i, { line, width, focusedWidth }] of rows.entries()) {
    const series = plot.series[i + 1]
    if (series !== undefined) series.width = line.id === focusedId ? focusedWidth : width
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
  { look, lines, scale }: PlotInput,
  focusedId: () => string | null,
): uPlot.Series {
  const { label, colour, width, dash, alpha } = row
  const faded = withAlpha(colour, alpha)
  const isFilled = row.areas !== null && look.shape !== "lines"
  const isLowest = look.shape === "stacked" && before === undefined
  const lone = loneIndexes(row.drawn)
  return {
    label,
    scale: row.scale,
    stroke: () => (row.line.id === focusedId() ? colour : faded),
    width,
    ...(dash.length > 0 && { dash: [...dash] }),
    ...(isFilled &&
      (look.shape === "area" || isLowest) && {
        fill: withAlpha(colour, look.shape === "area" ? areaAlpha : stackAlpha),
      }),
    points: {
      size: 5 * scale,
      fill: colour,
      filter: (_plot, _series, isShown) => (isShown ? null : lone),
      ...(lines.length > pointedLinesMax && { show: false }),
    },
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
