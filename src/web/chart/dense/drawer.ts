/** Asks the worker for pictures of a scene. */

import { startOwnWorker } from "../../platform/own-worker.ts"
import type { AskedTile, DrawnTile, DrawRequest } from "./messages.ts"
import type { DenseScene } from "./scene.ts"
import { text } from "./text.ts"

type OnTile = (tile: number, picture: ImageBitmap) => void

/**
 * A worker of its own: eight charts of a page draw side by side. The values come from the page,
 * which needs them itself for pointing, keys, the table and the CSV, and which sees that a session
 * has ended.
 */
export class Drawer {
  private readonly worker: Worker
  private last = 0
  private onTile: OnTile = () => {}

  /** `onError` is called if the worker cannot be loaded, or fails. */
  constructor(onError: (sentence: string) => void) {
    this.worker = startOwnWorker()
    this.worker.onmessage = ({ data }: MessageEvent<DrawnTile>) => {
      if (data.id === this.last) this.onTile(data.tile, data.picture)
      else data.picture.close()
    }
    // A worker that was not loaded has no message.
    this.worker.onerror = (event) =>
      onError(event instanceof ErrorEvent ? event.message : text.noWorker)
  }

  /** Overtakes what was asked before. The arrays of the scene are the worker's afterwards. */
  draw(scene: DenseScene | null, tiles: DrawRequest["tiles"], onTile: OnTile): void {
    this.onTile = onTile
    const request: DrawRequest = { id: ++this.last, scene, tiles }
    const arrays = scene === null ? [] : [scene.times, scene.heights, scene.tones]
    this.worker.postMessage(
      request,
      arrays.map(({ buffer }) => buffer),
    )
  }

  close(): void {
    this.worker.terminate()
  }
}

/** One picture of a scene, drawn by a worker that ends with it. Rejects if the worker fails. */
export async function drawOnce(scene: DenseScene, tile: AskedTile): Promise<ImageBitmap> {
  let drawer: Drawer | null = null
  try {
    return await new Promise((resolve, reject) => {
      drawer = new Drawer((sentence) => reject(new Error(sentence)))
      drawer.draw(scene, [tile], (_index, picture) => resolve(picture))
    })
  } finally {
    // TypeScript does not see the assignment inside the promise.
    ;(drawer as Drawer | null)?.close()
  }
}
