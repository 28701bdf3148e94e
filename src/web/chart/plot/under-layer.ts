/** A layer below the axes of a plot. */

import type { TimeRange } from "../../url/time-range.ts"
import type { UnderScene } from "./under-scene.ts"

export interface UnderLayer {
  /**
   * Draws a scene in `host`, which covers the drawn area. What was drawn before stays, moved to
   * where it belongs, until the new picture is there.
   */
  show(host: HTMLElement, scene: UnderScene): void
  /** Moves what is drawn to another range, without drawing it again. */
  move(range: TimeRange): void
  /** Steps back behind a line that the plot draws over it. */
  fade(isFaded: boolean): void
  close(): void
}
