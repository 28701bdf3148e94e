/**
 * The worker that draws dense charts, a bundle of its own (src/build/web.ts). A request overtakes
 * the one before: between two tiles the worker looks whether there is a newer one.
 */

import { after } from "../../platform/timers.ts"
import type { AskedTile, DrawnTile, DrawRequest } from "./messages.ts"
import type { DenseScene } from "./scene.ts"
import { drawScene } from "./trace.ts"

interface WorkerScope {
  onmessage: ((event: MessageEvent<DrawRequest>) => void) | null
  postMessage(message: DrawnTile, transferred: readonly Transferable[]): void
}

// The types of the pages know a window, which has other arguments.
const scope = globalThis as unknown as WorkerScope

class Drawing {
  private scene: DenseScene | null = null
  private request: DrawRequest | null = null

  take(request: DrawRequest): void {
    this.scene = request.scene ?? this.scene
    this.request = request
    this.drawFrom(0, request)
  }

  private drawFrom(tile: number, request: DrawRequest): void {
    if (this.request !== request || this.scene === null) return
    const asked = request.tiles[tile]
    if (asked === undefined) return
    if (asked !== null) {
      const picture = pictureOf(this.scene, asked)
      scope.postMessage({ id: request.id, tile, picture }, [picture])
    }
    // As a task of its own, after messages that have come meanwhile.
    after(0, () => this.drawFrom(tile + 1, request))
  }
}

function pictureOf(scene: DenseScene, tile: AskedTile): ImageBitmap {
  const canvas = new OffscreenCanvas(tile.width, tile.height)
  const context = canvas.getContext("2d")
  if (context === null) throw new Error("Expected a 2D context of an OffscreenCanvas")
  drawScene(context, scene, tile)
  return canvas.transferToImageBitmap()
}

const drawing = new Drawing()
scope.onmessage = ({ data }) => drawing.take(data)
