/** The tiles of a dense chart in the page: drawn by a worker, moved by transforms. */

import { after } from "../../platform/timers.ts"
import type { TimeRange } from "../../url/time-range.ts"
import type { UnderLayer } from "../plot/under-layer.ts"
import type { ScaleBounds, UnderScene } from "../plot/under-scene.ts"
import style from "./dense.module.css"
import { Drawer } from "./drawer.ts"
import type { AskedTile } from "./messages.ts"
import { packScene, type DenseScene } from "./scene.ts"
import { placement, tileRanges, tileShifts, type TileDomain } from "./tiles.ts"

interface ShownTile {
  readonly canvas: HTMLCanvasElement
  readonly context: ImageBitmapRenderingContext
  /** Null while it shows nothing. */
  domain: TileDomain | null
}

/** A window that is resized is drawn again when it rests. */
const restMs = 150

export class DenseLayer implements UnderLayer {
  private readonly box: HTMLElement
  private readonly tiles: readonly ShownTile[]
  private readonly drawer: Drawer
  private readonly onError: (sentence: string) => void
  private scene: UnderScene | null = null
  private area: TileDomain | null = null
  private cancel: () => void = () => {}

  constructor(onError: (sentence: string) => void) {
    this.onError = onError
    this.box = document.createElement("div")
    this.box.className = style["tiles"]!
    this.tiles = tileShifts.map(() => newTile(this.box))
    this.drawer = new Drawer((sentence) => this.onError(sentence))
  }

  show(host: HTMLElement, scene: UnderScene): void {
    const former = this.scene
    this.scene = scene
    host.prepend(this.box)
    const isResized = former?.rows === scene.rows
    // Bounds of another unit are no measure for what is drawn.
    if (former !== null && unitsOf(former) !== unitsOf(scene)) this.clear(this.tiles)
    this.move(scene.range)
    this.cancel()
    if (isResized) this.cancel = after(restMs, () => this.draw(scene, null))
    else this.draw(scene, packScene(scene.times, scene.rows, scene.bounds))
  }

  move(range: TimeRange): void {
    if (this.scene === null) return
    this.area = { range, bounds: boundsOf(this.scene) }
    for (const tile of this.tiles) this.arrange(tile)
  }

  fade(isFaded: boolean): void {
    this.box.classList.toggle(style["faded"]!, isFaded)
  }

  close(): void {
    this.cancel()
    this.drawer.close()
    this.box.remove()
  }

  private draw(scene: UnderScene, packed: DenseScene | null): void {
    const ranges = tileRanges(scene.range, scene.times)
    const ratio = window.devicePixelRatio
    const asked = ranges.map((range): AskedTile | null => {
      if (range === null) return null
      const [width, height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)]
      return { range, width, height, lineWidth: ratio }
    })
    this.drawer.draw(packed, asked, (index, picture) => {
      // The seen one comes first; tiles of the former range would lie over it.
      if (index === 0) this.clear(this.tiles.slice(1))
      const tile = this.tiles[index]!
      tile.canvas.width = picture.width
      tile.canvas.height = picture.height
      tile.context.transferFromImageBitmap(picture)
      tile.domain = { range: ranges[index]!, bounds: boundsOf(scene) }
      this.arrange(tile)
      // Tests and the bench wait for it.
      this.box.dataset["drawn"] = String(index)
    })
  }

  private arrange({ canvas, domain }: ShownTile): void {
    canvas.style.visibility = domain === null ? "hidden" : ""
    if (domain === null || this.scene === null || this.area === null) return
    const { left, top, width, height } = placement(domain, this.area)
    const { scene } = this
    canvas.style.width = `${scene.width}px`
    canvas.style.height = `${scene.height}px`
    const [x, y] = [left * scene.width, top * scene.height]
    canvas.style.transform = `translate(${x}px, ${y}px) scale(${width}, ${height})`
  }

  private clear(tiles: readonly ShownTile[]): void {
    for (const tile of tiles) {
      tile.domain = null
      tile.context.transferFromImageBitmap(null)
      this.arrange(tile)
    }
  }
}

/** Of the left axis; what is drawn on a right one may lie next to its values until it is drawn again. */
function boundsOf({ bounds }: UnderScene): ScaleBounds {
  return bounds["left"] ?? { min: 0, max: 1 }
}

function unitsOf({ rows }: UnderScene): string {
  return [...new Set(rows.map(({ line }) => line.unit))].join(" ")
}

function newTile(box: HTMLElement): ShownTile {
  const canvas = document.createElement("canvas")
  const context = canvas.getContext("bitmaprenderer")
  if (context === null) throw new Error("Expected a browser that shows bitmaps")
  canvas.className = style["tile"]!
  box.append(canvas)
  return { canvas, context, domain: null }
}
