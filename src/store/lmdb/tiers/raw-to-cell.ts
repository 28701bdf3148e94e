/** Computes a cell from raw samples in canonical order, plain or aggregated. */

import {
  computeCell,
  computeWeightedCell,
  setSynthetic,
  flagSynthetic,
  type CellColumns,
} from "../../../rollup/cell.ts"
import type { Contributions } from "../../../rollup/contribution.ts"
import type { SampleRun } from "../encoding/sample-run.ts"

/**
 * Computes cell `at` of `cells` from the samples `[from, to)` of one bucket, at least one. If they
 * observe nothing (aggregates with `cnt` 0), an existing synthetic cell stays. `contributions` is
 * working memory.
 */
export function rawToCell(
  raw: SampleRun,
  range: { readonly from: number; readonly to: number },
  cells: CellColumns,
  at: number,
  contributions: Contributions,
): void {
  const { from, to } = range
  if (!hasAggregates(raw, from, to)) {
    computeCell(raw.values, from, to, cells, at)
    return
  }
  collectContributions(raw, from, to, contributions)
  const fact = cells.flags[at]! & flagSynthetic
  const actual = cells.actual[at]!
  const isObserved = computeWeightedCell(contributions, 0, contributions.length, cells, at)
  if (!isObserved && fact !== 0) setSynthetic(cells, at, actual, fact)
}

/** Replaces the content of `out` by the contributions of samples `[from, to)`. */
export function collectContributions(
  raw: SampleRun,
  from: number,
  to: number,
  out: Contributions,
): void {
  out.clear()
  for (let i = from; i < to; i++) {
    const entry = raw.aggregates[i]!
    if (entry < 0) out.pushValue(raw.values[i]!)
    else out.pushSample(raw.aggregateMasks[entry]!, raw.aggregateFields, entry)
  }
}

export function hasAggregates(raw: SampleRun, from: number, to: number): boolean {
  if (raw.aggregateCount === 0) return false
  for (let i = from; i < to; i++) if (raw.aggregates[i]! >= 0) return true
  return false
}
