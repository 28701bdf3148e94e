/** The line of a row in a tile, as moves of a pen. */

import type { TimeRange } from "../../url/time-range.ts"
import { colourBuckets, type DenseScene } from "./scene.ts"

export interface Tile {
  readonly range: TimeRange
  /** Pixels of its canvas. */
  readonly width: number
  readonly height: number
}

export interface Pen {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
}

/** Columns that touch a tile: one beyond each edge, so that lines leave it. */
export function columnsOf({ times }: DenseScene, { range }: Tile): readonly [number, number] {
  const before = firstAtLeast(times, range.startMs) - 1
  const after = firstAtLeast(times, range.endMs)
  return [Math.max(0, before), Math.min(times.length - 1, after)]
}

function firstAtLeast(times: Float64Array, ms: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < ms) low = middle + 1
    else high = middle
  }
  return low
}

/** More columns a pixel than this are drawn as their first, least, greatest and last. */
const columnsPerPixelMax = 2

/**
 * Draws a row of a scene. Where columns are many a pixel, those that change no pixel are left out:
 * least and greatest of each pixel stay, and gaps of a pixel and more.
 */
export function traceRow(scene: DenseScene, row: number, tile: Tile, pen: Pen): void {
  const [first, last] = columnsOf(scene, tile)
  if (last < first) return
  const line = new PenLine(pen, (last - first) / tile.width > columnsPerPixelMax)
  const { times, heights } = scene
  const { startMs, endMs } = tile.range
  const scale = tile.width / (endMs - startMs)
  const offset = row * times.length
  for (let i = first; i <= last; i++) {
    const height = heights[offset + i]!
    if (height === Infinity) continue
    if (Number.isNaN(height)) line.end()
    else line.add((times[i]! - startMs) * scale, height * tile.height)
  }
  line.end()
}

/** A pen's line in the making; a single point becomes a dot of a pixel. */
class PenLine {
  private readonly pen: Pen
  private readonly isThinned: boolean
  private points = 0
  private x = 0
  private y = 0
  /** Of the pixel in work, if the line is thinned. */
  private pixel = -Infinity
  private least = 0
  private greatest = 0
  private last = 0

  constructor(pen: Pen, isThinned: boolean) {
    this.pen = pen
    this.isThinned = isThinned
  }

  add(x: number, y: number): void {
    if (!this.isThinned) return this.draw(x, y)
    const pixel = Math.floor(x)
    if (pixel !== this.pixel) {
      this.endPixel()
      this.pixel = pixel
      this.least = this.greatest = y
      this.draw(pixel, y)
    }
    this.least = Math.min(this.least, y)
    this.greatest = Math.max(this.greatest, y)
    this.last = y
  }

  end(): void {
    this.endPixel()
    if (this.points === 1) this.pen.lineTo(this.x + 1, this.y)
    this.points = 0
    this.pixel = -Infinity
  }

  /** The first is drawn already. */
  private endPixel(): void {
    if (this.pixel === -Infinity) return
    for (const y of [this.least, this.greatest, this.last]) {
      if (y !== this.y) this.draw(this.pixel, y)
    }
  }

  private draw(x: number, y: number): void {
    if (this.points === 0) this.pen.moveTo(x, y)
    else this.pen.lineTo(x, y)
    this.points++
    this.x = x
    this.y = y
  }
}

/** The part of a 2D context that is needed. */
export interface Strokes extends Pen {
  strokeStyle: unknown
  lineWidth: number
  lineJoin: unknown
  globalAlpha: number
  beginPath(): void
  stroke(): void
}

/** Many lines hide less of each other. */
const lineAlpha = 0.8

/** Draws all rows of a scene within a tile, one path a colour. */
export function drawScene(
  context: Strokes,
  scene: DenseScene,
  tile: Tile & { readonly lineWidth: number },
): void {
  context.globalAlpha = lineAlpha
  context.lineWidth = tile.lineWidth
  context.lineJoin = "bevel"
  for (const [tone, rows] of colourBuckets(scene).entries()) {
    context.strokeStyle = scene.colours[tone]!
    context.beginPath()
    for (const row of rows) traceRow(scene, row, tile, context)
    context.stroke()
  }
}
