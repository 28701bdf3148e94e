/** The geometry of bars: which statistic they show, and where a bar begins and ends. */

import type { SeriesOrder } from "../../api/series-answer.ts"

/** The statistic that ranks a query; an answer has no change of a series, so its mean is shown. */
export function statisticOf(order: SeriesOrder): Exclude<SeriesOrder, "change"> {
  return order === "change" ? "avg" : order
}

export interface Bar {
  /** Shares of the width. */
  readonly start: number
  readonly size: number
}

/** The bar of a value among all of its list: from zero, which is within the scale. */
export function barOf(value: number | null, all: readonly number[]): Bar {
  const least = all.reduce((a, b) => Math.min(a, b), 0)
  const greatest = all.reduce((a, b) => Math.max(a, b), 0)
  const span = greatest - least
  if (value === null || span === 0) return { start: 0, size: 0 }
  return { start: (Math.min(0, value) - least) / span, size: Math.abs(value) / span }
}
