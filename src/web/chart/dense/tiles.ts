/**
 * Tiles of a dense chart: pictures of a window each, to the left of what is seen, of what is seen,
 * and to the right. A pan moves them; nothing is drawn until it ends.
 */

import { panned, type TimeRange } from "../../url/time-range.ts"
import type { ScaleBounds } from "../plot/under-scene.ts"

/** The seen one is drawn first. */
export const tileShifts = [0, -1, 1] as const

/** The ranges of the tiles around a seen range; null if no time of the data is within. */
export function tileRanges(
  seen: TimeRange,
  times: ArrayLike<number>,
): readonly (TimeRange | null)[] {
  const [first, last] = [times[0] ?? Infinity, times[times.length - 1] ?? -Infinity]
  return tileShifts.map((shift) => {
    const range = panned(seen, shift)
    const hasData = first < range.endMs && last > range.startMs
    return shift === 0 || hasData ? range : null
  })
}

/** The range of time of a tile, and the bounds of the axis that it was drawn for. */
export interface TileDomain {
  readonly range: TimeRange
  readonly bounds: ScaleBounds
}

/** Position and size of a tile as shares of the drawn area. */
export interface Placement {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Where a tile lies in an area that shows another range, and perhaps another axis. */
export function placement(tile: TileDomain, area: TileDomain): Placement {
  const lengthMs = area.range.endMs - area.range.startMs
  const span = area.bounds.max - area.bounds.min
  return {
    left: (tile.range.startMs - area.range.startMs) / lengthMs,
    width: (tile.range.endMs - tile.range.startMs) / lengthMs,
    top: (area.bounds.max - tile.bounds.max) / span,
    height: (tile.bounds.max - tile.bounds.min) / span,
  }
}
