/**
 * The main metric of a type of elements, whose value the tiles show: one that a package marks with
 * the tag `utilization`, then the one that most elements have, then the one that moves most for its
 * size.
 */

import type { SeriesLine } from "../../../api/series-answer.ts"
import { isAdded } from "../../../format/metric-name.ts"
import { activity } from "../../element/activity.ts"

/** Metrics of a type as the lines of three answers, each of a metric. */
export interface MetricLines {
  readonly marked: readonly SeriesLine[]
  /** Their values are numbers of elements. */
  readonly counted: readonly SeriesLine[]
  readonly averaged: readonly SeriesLine[]
}

/** Null without metrics. Among marked ones movement does not count, so that the choice stays. */
export function mainMetric({ marked, counted, averaged }: MetricLines): string | null {
  const names = new Set(marked.map(({ metricFqn }) => metricFqn))
  const movements = new Map(averaged.map((line) => [line.metricFqn, activity(line)]))
  const ranked = counted
    .filter(({ metricFqn }) => !isAdded(metricFqn))
    .map(({ metricFqn: name, summary }) => {
      const isMarked = names.has(name)
      const movement = isMarked ? 0 : (movements.get(name) ?? 0)
      return { name, isMarked, elements: summary.max ?? 0, movement }
    })
  ranked.sort(
    (a, b) =>
      Number(b.isMarked) - Number(a.isMarked) ||
      b.elements - a.elements ||
      b.movement - a.movement ||
      (a.name < b.name ? -1 : 1),
  )
  return ranked[0]?.name ?? null
}
