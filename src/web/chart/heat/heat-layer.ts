/** A heat map below the axes of a plot: one small picture, stretched and moved by a transform. */

import type { TimeRange } from "../../url/time-range.ts"
import style from "../dense/dense.module.css"
import { placement } from "../dense/tiles.ts"
import type { UnderLayer } from "../plot/under-layer.ts"
import type { UnderScene } from "../plot/under-scene.ts"
import { heatRange } from "./heat-grid.ts"
import { heatPicture } from "./heat-picture.ts"

export class HeatLayer implements UnderLayer {
  private readonly box: HTMLElement
  private canvas: HTMLCanvasElement | null = null
  private scene: UnderScene | null = null

  constructor() {
    this.box = document.createElement("div")
    this.box.className = style["tiles"]!
  }

  show(host: HTMLElement, scene: UnderScene): void {
    host.prepend(this.box)
    if (this.scene?.rows !== scene.rows) {
      this.canvas = heatPicture(scene)
      this.canvas.className = `${style["tile"]} ${style["cells"]}`
      this.box.replaceChildren(this.canvas)
      this.box.dataset["drawn"] = "heat"
    }
    this.scene = scene
    this.move(scene.range)
  }

  move(range: TimeRange): void {
    if (this.canvas === null || this.scene === null) return
    const { times, width, height } = this.scene
    const bounds = this.scene.bounds["left"]!
    const at = placement({ range: heatRange(times), bounds }, { range, bounds })
    this.canvas.style.width = `${width}px`
    this.canvas.style.height = `${height}px`
    this.canvas.style.transform = `translate(${at.left * width}px, 0) scale(${at.width}, 1)`
  }

  /** The cells stay as they are under a line that is pointed at: it is seen on them. */
  fade(): void {}

  close(): void {
    this.box.remove()
  }
}
