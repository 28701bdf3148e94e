/**
 * A picture of charts as PNG: title, range and zone, the plots at twice their size with their
 * legends, and the link.
 */

import { valueText } from "../format/numbers.ts"
import { visibleText } from "../format/visible-text.ts"
import { lazyCode } from "../platform/code.ts"
import { beforePaint } from "../platform/timers.ts"
import type { PictureBox } from "./dense/area-picture.ts"
import { drawMarks } from "./marks/draw-marks.ts"
import { marksSentence, type EventMark } from "./marks/event-marks.ts"
import { linesMaxOf, unitsMaxOf, unitsOf, type ChartLine, type ChartShape } from "./model.ts"
import { plotColours } from "./plot/plot-colours.ts"
import { isDense, type PlotColours, type PlotInput } from "./plot/plot-input.ts"
import { PlotView, type PlotEvents } from "./plot/plot-view.ts"
import { dashOf, seriesColourCount } from "./plot/series-colours.ts"
import { text } from "./text.ts"

export interface PictureInput extends Omit<PlotInput, "lines" | "units" | "scale" | "levels"> {
  readonly title: string
  /** Range and zone. */
  readonly subtitle: string
  readonly link: string
  readonly charts: readonly { readonly title: string; readonly lines: readonly ChartLine[] }[]
  /** Of events, in each chart. */
  readonly marks: readonly EventMark[]
  /** CSS pixels of a plot. */
  readonly width: number
  readonly height: number
}

const pictureScale = 2
const margin = 16
const rowHeight = 20
/** Rows of a legend: more would be a picture of a table. */
const legendLinesMax = 30

const noEvents: PlotEvents = {
  syncKey: "picture",
  under: null,
  onRange() {},
  onZoomOut() {},
  onCursor() {},
  onFocus() {},
  onDrawn() {},
}

/** Throws if the browser makes no PNG of its size. */
export async function chartsPicture(input: PictureInput): Promise<Blob> {
  const { charts, width, height } = input
  const colours = plotColours()
  const canvas = document.createElement("canvas")
  const rows = charts.map(({ lines }) => Math.min(lines.length, legendLinesMax) + 1)
  const legends = rows.reduce((sum, count) => sum + count * rowHeight + margin, 0)
  const marked = marksSentence(input.marks, input.range)
  const footRows = marked === "" ? 1 : 2
  const pictureHeight = 64 + charts.length * height + legends + footRows * rowHeight + margin
  canvas.width = (width + 2 * margin) * pictureScale
  canvas.height = pictureHeight * pictureScale
  const context = canvas.getContext("2d")!
  context.scale(pictureScale, pictureScale)
  const pen = new Pen(context, colours)
  context.fillStyle = colours.surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  pen.text(input.title, margin, 28, { size: 18, isBold: true })
  pen.text(input.subtitle, margin, 50, { isSecondary: true })
  let top = 64
  for (const chart of charts) {
    if (charts.length > 1) pen.text(chart.title, margin, top + 14, { isBold: true })
    await drawPlot(context, input, chart.lines, colours, top + (charts.length > 1 ? 8 : 0))
    top = pen.legend(chart.lines, top + height, input) + margin
  }
  pen.text(marked, margin, pictureHeight - margin - rowHeight, { isSecondary: true })
  pen.text(input.link, margin, pictureHeight - margin, { isSecondary: true })
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error(text.noPicture))
      else resolve(blob)
    }, "image/png")
  })
}

/** A plot of its own, made at the size of the picture on any screen. */
async function drawPlot(
  context: CanvasRenderingContext2D,
  input: PictureInput,
  lines: readonly ChartLine[],
  colours: PlotColours,
  top: number,
): Promise<void> {
  const { width, height } = input
  const scale = pictureScale / window.devicePixelRatio
  const units = unitsOf(lines).slice(0, unitsMaxOf(input.look.shape))
  const drawn = lines
    .filter(({ unit }) => units.includes(unit))
    .slice(0, linesMaxOf(input.look.shape))
  const host = document.createElement("div")
  const size = { width: width * scale, height: height * scale }
  const plotInput = { ...input, lines: drawn, units, scale, levels: [] }
  const view = new PlotView(host, plotInput, colours, size, noEvents)
  // uPlot draws in a microtask after it was made.
  await new Promise<void>((resolve) => beforePaint(resolve))
  const area = areaBox(view, { left: margin, top, width, height })
  if (isDense(plotInput)) await drawUnder(context, view, area, input.look.shape)
  context.drawImage(view.canvas, margin, top, width, height)
  drawMarks(context, input, area, colours)
  view.destroy()
}

const loadAreaPicture = lazyCode(() => import("./dense/area-picture.ts"))

/** The lines that the plot leaves to the layer below it. */
async function drawUnder(
  context: CanvasRenderingContext2D,
  view: PlotView,
  box: PictureBox,
  shape: ChartShape,
): Promise<void> {
  const { drawAreaPicture } = await loadAreaPicture()
  await drawAreaPicture(context, view.scene, { box, scale: pictureScale, shape })
}

/** Where the area of the lines is, in the picture that has the whole plot in `box`. */
function areaBox({ canvas, canvasArea }: PlotView, box: PictureBox): PictureBox {
  const [x, y] = [box.width / canvas.width, box.height / canvas.height]
  return {
    left: box.left + canvasArea.left * x,
    top: box.top + canvasArea.top * y,
    width: canvasArea.width * x,
    height: canvasArea.height * y,
  }
}

interface TextLook {
  readonly size?: number
  readonly isBold?: boolean
  readonly isSecondary?: boolean
}

class Pen {
  private readonly context: CanvasRenderingContext2D
  private readonly colours: PlotColours

  constructor(context: CanvasRenderingContext2D, colours: PlotColours) {
    this.context = context
    this.colours = colours
  }

  text(given: string, x: number, y: number, look: TextLook = {}): void {
    const { size = 13, isBold = false, isSecondary = false } = look
    this.context.font = `${isBold ? 600 : 400} ${size}px system-ui, sans-serif`
    this.context.fillStyle = this.colours[isSecondary ? "text-secondary" : "text"]
    this.context.fillText(visibleText(given), x, y)
  }

  /** The lines with their statistics; returns where it ends. */
  legend(lines: readonly ChartLine[], top: number, { numberStyle }: PictureInput): number {
    const { context } = this
    const shown = lines.slice(0, legendLinesMax)
    for (const [i, { name, unit, summary, tone }] of shown.entries()) {
      const y = top + (i + 1) * rowHeight
      context.strokeStyle = this.colours.series[tone % seriesColourCount]!
      context.lineWidth = 3
      context.setLineDash(this.colours.hasDashes ? [...dashOf(tone)] : [])
      context.beginPath()
      context.moveTo(margin, y - 4)
      context.lineTo(margin + 18, y - 4)
      context.stroke()
      const numbers = (["last", "min", "avg", "max"] as const).map(
        (column) => `${text[column]} ${valueText(summary[column], unit, numberStyle)}`,
      )
      this.text(`${name}   ${numbers.join("  ")}`, margin + 26, y)
    }
    context.setLineDash([])
    if (lines.length > shown.length) {
      const more = text.more(lines.length - shown.length)
      this.text(more, margin + 26, top + (shown.length + 1) * rowHeight, { isSecondary: true })
    }
    return top + (shown.length + 1) * rowHeight
  }
}
