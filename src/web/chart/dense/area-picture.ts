/** The lines of a dense chart for a picture to save. */

import type { UnderScene } from "../plot/under-scene.ts"
import { drawOnce } from "./drawer.ts"
import type { AskedTile } from "./messages.ts"
import { packScene } from "./scene.ts"

/** Rejects if the worker fails. */
export function areaPicture(
  scene: UnderScene,
  size: Omit<AskedTile, "range">,
): Promise<ImageBitmap> {
  const packed = packScene(scene.times, scene.rows, scene.bounds)
  return drawOnce(packed, { ...size, range: scene.range })
}
