/** Messages between the pages and the worker that draws dense charts. */

import type { DenseScene } from "./scene.ts"
import type { Tile } from "./trace.ts"

export interface AskedTile extends Tile {
  /** Pixels of its canvas. */
  readonly lineWidth: number
}

/** To the worker. Overtakes what was asked before. */
export interface DrawRequest {
  readonly id: number
  /** Null: that of the last request. */
  readonly scene: DenseScene | null
  /** In the order in which they are drawn; null for one without data. */
  readonly tiles: readonly (AskedTile | null)[]
}

/** From the worker: a tile of a request. */
export interface DrawnTile {
  readonly id: number
  readonly tile: number
  readonly picture: ImageBitmap
}
