/** A heat map as numbers: how many series have a value of a bin at a time. */

import type { TimeRange } from "../../url/time-range.ts"
import type { SpreadValues } from "../plot/line-areas.ts"
import type { ScaleBounds } from "../plot/under-scene.ts"

export interface HeatGrid {
  readonly columns: number
  readonly bins: number
  /** Bin by bin from the greatest values down, each with all columns. */
  readonly counts: Uint32Array
  /** The greatest of the counts. */
  readonly most: number
}

/** Counts the values within the bounds; those on an edge between two bins are in the lower one. */
export function heatGrid(
  rows: readonly SpreadValues[],
  columns: number,
  { min, max }: ScaleBounds,
  bins: number,
): HeatGrid {
  const counts = new Uint32Array(bins * columns)
  let most = 0
  for (const row of rows) {
    for (let column = 0; column < columns; column++) {
      const value = row[column]
      if (value === null || value === undefined || value < min || value > max) continue
      const bin = Math.min(bins - 1, Math.floor(((max - value) / (max - min)) * bins))
      const count = ++counts[bin * columns + column]!
      if (count > most) most = count
    }
  }
  return { columns, bins, counts, most }
}

/** Steps of colour, from a single series to the most. */
export const heatSteps = 9

/** The step of a count: 0 for none. Logarithmic, so that single series among many are seen. */
export function heatStep(count: number, most: number): number {
  if (count === 0) return 0
  if (most <= 1) return heatSteps
  return 1 + Math.round(((heatSteps - 1) * Math.log(count)) / Math.log(most))
}

/** The times that the cells cover: a cell lies around the time of its column. */
export function heatRange(times: readonly number[]): TimeRange {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  let step = times.length > 1 ? last - first : 1000
  for (let i = 1; i < times.length; i++) step = Math.min(step, times[i]! - times[i - 1]!)
  return { startMs: first - step / 2, endMs: last + step / 2 }
}
