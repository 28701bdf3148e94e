/** How much metrics move, to choose those that say most about an element. */

import type { SeriesLine } from "../../api/series-answer.ts"

/** How far a metric moves for its size: 0 for a flat one. */
export function activity({ summary }: Pick<SeriesLine, "summary">): number {
  const { min, max } = summary
  if (min === null || max === null) return 0
  const size = Math.max(Math.abs(min), Math.abs(max))
  return size === 0 ? 0 : (max - min) / size
}
