/** The cells of a heat map as a small picture: a pixel a cell. */

import { resolvedColours } from "../../platform/colours.ts"
import { heatBins } from "../model.ts"
import type { UnderScene } from "../plot/under-scene.ts"
import { heatGrid, heatStep, heatSteps } from "./heat-grid.ts"

/** One blue, more opaque the more series: light to dark, and dark to light on a dark surface. */
const colourName = "series-0"

export function heatPicture({ times, rows, bounds }: UnderScene): HTMLCanvasElement {
  const own = rows.filter(({ scale, areas }) => scale === "left" && areas !== null)
  const values = own.map((row) => row.values)
  const { columns, bins, counts, most } = heatGrid(values, times.length, bounds["left"]!, heatBins)
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, columns)
  canvas.height = bins
  const context = canvas.getContext("2d")!
  const image = context.createImageData(canvas.width, bins)
  const [red, green, blue] = channels(resolvedColours([colourName])[colourName])
  for (const [i, count] of counts.entries()) {
    const alpha = Math.round((255 * heatStep(count, most)) / heatSteps)
    image.data.set([red, green, blue, alpha], 4 * i)
  }
  context.putImageData(image, 0, 0)
  return canvas
}

/** Of a colour as the browser resolved it, `rgb(35, 109, 153)`. */
function channels(colour: string): readonly [number, number, number] {
  const [red, green, blue] = (colour.match(/\d+/g) ?? []).map(Number)
  if (red === undefined || green === undefined || blue === undefined) {
    throw new Error(`Expected a colour of three channels, got ${colour}`)
  }
  return [red, green, blue]
}
