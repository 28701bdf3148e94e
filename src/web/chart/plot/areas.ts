/** Draws what lies below the lines: envelopes, bands, fans of percentiles; and dots outside bands. */

import type uPlot from "uplot"
import { isOutside, runs, type Area, type LineAreas, type SpreadValues } from "./line-areas.ts"
import type { BandKind } from "../model.ts"
import type { PlotRow } from "./plot-input.ts"

export interface AreaColours {
  readonly baseline: string
  readonly contextual: string
  readonly outside: string
}

const envelopeAlpha = 0.16
const fanAlpha = 0.14
const bandAlphas: Readonly<Record<BandKind, number>> = { baseline: 0.16, contextual: 0.14 }

/** Draws within the plot's area; the state of the canvas stays as it is. */
export function drawAreas(plot: uPlot, lines: readonly LineAreas[], colours: AreaColours): void {
  withinPlot(plot, (context) => {
    for (const { scale, envelope, bands, fan, colour } of lines) {
      for (const band of bands) drawBand(plot, scale, band, colours[band.kind])
      if (envelope !== null) fillArea(plot, scale, envelope, colour, envelopeAlpha)
      for (const pair of fan) fillArea(plot, scale, pair, colour, fanAlpha)
      context.globalAlpha = 1
    }
  })
}

/** The edge tells the bands apart without their colours: solid, and dashed. */
function drawBand(
  plot: uPlot,
  scale: string,
  band: Area & { readonly kind: BandKind },
  colour: string,
): void {
  fillArea(plot, scale, band, colour, bandAlphas[band.kind])
  const { ctx: context } = plot
  context.globalAlpha = 0.75
  context.strokeStyle = colour
  context.lineWidth = pixels(1)
  context.setLineDash(band.kind === "contextual" ? [pixels(5), pixels(4)] : [])
  for (const edge of [band.lower, band.upper]) strokeRow(plot, scale, edge)
  context.setLineDash([])
}

/** Values outside a band: heavier, in the critical colour, with a dot. */
export function drawOutside(plot: uPlot, lines: readonly LineAreas[], colours: AreaColours): void {
  withinPlot(plot, (context) => {
    context.strokeStyle = colours.outside
    context.fillStyle = colours.outside
    context.lineWidth = pixels(2.5)
    for (const { scale, values, bands } of lines) {
      if (bands.length === 0) continue
      const outside = values.map((value, i) => (isOutside(value, bands, i) ? value : null))
      strokeRow(plot, scale, outside)
      for (const [i, value] of outside.entries()) {
        if (value === null || value === undefined) continue
        context.beginPath()
        context.arc(xOf(plot, i), plot.valToPos(value, scale, true), pixels(2.5), 0, 2 * Math.PI)
        context.fill()
      }
    }
  })
}

/** A line by itself, heavier than uPlot draws it. */
export function drawLine(plot: uPlot, { scale, colour, drawn, dash }: PlotRow): void {
  withinPlot(plot, (context) => {
    context.strokeStyle = colour
    context.lineWidth = pixels(2.5)
    context.lineJoin = "round"
    context.setLineDash(dash.map(pixels))
    strokeRow(plot, scale, drawn)
  })
}

function withinPlot(plot: uPlot, draw: (context: CanvasRenderingContext2D) => void): void {
  const { ctx: context, bbox } = plot
  context.save()
  context.beginPath()
  context.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  context.clip()
  draw(context)
  context.restore()
}

function fillArea(plot: uPlot, scale: string, area: Area, colour: string, alpha: number): void {
  const { ctx: context } = plot
  const y = (value: number) => plot.valToPos(value, scale, true)
  context.globalAlpha = alpha
  context.fillStyle = colour
  context.beginPath()
  for (const [first, last] of runs(area)) {
    for (let i = first; i <= last; i++) {
      const at = area.upper[i]
      if (typeof at === "number") {
        if (i === first) context.moveTo(xOf(plot, i), y(at))
        else context.lineTo(xOf(plot, i), y(at))
      }
    }
    for (let i = last; i >= first; i--) {
      const at = area.lower[i]
      if (typeof at === "number") context.lineTo(xOf(plot, i), y(at))
    }
    context.closePath()
  }
  context.fill()
}

function strokeRow(plot: uPlot, scale: string, row: SpreadValues): void {
  const { ctx: context } = plot
  context.beginPath()
  let isOn = false
  for (const [i, value] of row.entries()) {
    if (value === undefined) continue
    if (value !== null) {
      const y = plot.valToPos(value, scale, true)
      if (isOn) context.lineTo(xOf(plot, i), y)
      else context.moveTo(xOf(plot, i), y)
    }
    isOn = value !== null
  }
  context.stroke()
}

function xOf(plot: uPlot, index: number): number {
  return plot.valToPos(plot.data[0][index]!, "x", true)
}

/** CSS pixels in those of the canvas. */
function pixels(count: number): number {
  return count * window.devicePixelRatio
}
