/** How much metrics move, to choose those that say most about an element. */

import type { SeriesLine } from "../../api/series-answer.ts"
import { isAdded } from "../../format/metric-name.ts"

/** How far a metric moves for its size: 0 for a flat one. */
export function activity({ summary }: Pick<SeriesLine, "summary">): number {
  const { min, max } = summary
  if (min === null || max === null) return 0
  const size = Math.max(Math.abs(min), Math.abs(max))
  return size === 0 ? 0 : (max - min) / size
}

/** Names of metrics of several answers, each once: those of an answer by how far they move. */
export function mostActive(answers: readonly (readonly SeriesLine[])[]): readonly string[] {
  const ranked = answers.flatMap((some) => some.toSorted((a, b) => activity(b) - activity(a)))
  const names = ranked.map(({ metricFqn }) => metricFqn).filter((name) => !isAdded(name))
  return [...new Set(names)]
}
