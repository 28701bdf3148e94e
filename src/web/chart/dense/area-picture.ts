/** A picture to save of what lies below the axes of a plot. */

import { heatRange } from "../heat/heat-grid.ts"
import { heatPicture } from "../heat/heat-picture.ts"
import type { ChartShape } from "../model.ts"
import type { UnderScene } from "../plot/under-scene.ts"
import { drawOnce } from "./drawer.ts"
import { packScene } from "./scene.ts"
import { placement } from "./tiles.ts"

export interface PictureBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Draws within `box`, at `scale` pixels a unit of it. Rejects if the worker fails. */
export async function drawAreaPicture(
  context: CanvasRenderingContext2D,
  scene: UnderScene,
  { box, scale, shape }: { readonly box: PictureBox; readonly scale: number; shape: ChartShape },
): Promise<void> {
  const { left, top, width, height } = box
  if (shape !== "heat") {
    const picture = await drawOnce(packScene(scene.times, scene.rows, scene.bounds), {
      range: scene.range,
      width: Math.round(width * scale),
      height: Math.round(height * scale),
      lineWidth: scale,
    })
    context.drawImage(picture, left, top, width, height)
    return
  }
  const bounds = scene.bounds["left"]!
  const domain = { range: heatRange(scene.times), bounds }
  const at = placement(domain, { range: scene.range, bounds })
  context.save()
  context.beginPath()
  context.rect(left, top, width, height)
  context.clip()
  context.imageSmoothingEnabled = false
  context.drawImage(heatPicture(scene), left + at.left * width, top, at.width * width, height)
  context.restore()
}
