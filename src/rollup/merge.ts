/**
 * Coarser cells from finer ones: PT1H from its PT5M cells, PT24H from its PT1H cells.
 *
 *     PT5M  │a│b│ │c│ … 12 ─┐
 *                           ├─► PT1H │A│B│ … 24 ──► PT24H │·│
 *     PT5M  │d│e│f│g│ … 12 ─┘
 *
 * Count, min, max, first and last are exactly those of all samples below. So is the sum if the sums
 * are decimals, and m2 if the values are whole numbers of a decimal scale; otherwise both are
 * within rounding. The actual is the average of the PT5M actuals below, each with weight 1
 * (spec/samples §5).
 */

import { assert } from "../base/assert.ts"
import { decimalScale, powersOfTen } from "../codec/decimal.ts"
import type { CellColumns } from "./cell.ts"
import {
  cellAverage,
  clearCells,
  averageKind,
  sumKind,
  derivedActual,
  flagPartial,
  flagSynthetic,
  isCounterKind,
  isPresent,
} from "./cell.ts"
import { snapM2 } from "./sum-of-squares.ts"
import {
  averageOf,
  averageOfOverflowed,
  exactSum,
  clampToFinite,
  isOverflowed,
  scaledSum,
} from "./sum.ts"

/** Maximum number of cells that one call merges: 14 days of cycles. */
export const mergedCellsMax = 4096

/** Working memory of `mergeCells`, for any number of calls on one thread: 96 kB. */
export class MergeWorkspace {
  readonly sums = new Float64Array(mergedCellsMax)
  readonly counts = new Float64Array(mergedCellsMax)
  readonly means = new Float64Array(mergedCellsMax)
}

/**
 * Computes cell `at` of `out` from the cells [from, to) of `cells`, which are in time order.
 * Returns false, and leaves the cell empty, if none of them is present. `out` may be `cells` if
 * `at` is outside [from, to).
 *
 * @example
 * import { CellColumns, computeCell } from "./cell.ts"
 * const values = Float64Array.of(1, 2, 6)
 * const cells = new CellColumns(3)
 * computeCell(values, 0, 2, cells, 0)
 * computeCell(values, 2, 3, cells, 1)
 * assert.ok(mergeCells(cells, 0, 2, cells, 2, new MergeWorkspace()))
 * const { count, sum, max, actual } = cells
 * assert.deepEqual([count[2], sum[2], max[2], actual[2]], [3, 9, 6, 3.75])
 */
export function mergeCells(
  cells: CellColumns,
  from: number,
  to: number,
  out: CellColumns,
  at: number,
  workspace: MergeWorkspace,
): boolean {
  assert(from <= to && to - from <= mergedCellsMax, "Expected fewer cells to merge")
  assert(out !== cells || at < from || at >= to, "Expected the result outside its sources")
  clearCells(out, at, at + 1)
  let present = false
  let flags = 0
  for (let i = from; i < to; i++) {
    if (!isPresent(cells, i)) continue
    present = true
    flags |= cells.flags[i]!
    // One counter makes the coarser cell a counter, so that a correction of counters finds it.
    if (!isCounterKind(out.actualKind[at]!)) out.actualKind[at] = cells.actualKind[i]!
  }
  if (!present) return false
  mergeObservations(cells, from, to, out, at, workspace)
  // Samples replace synthetic cells: only a bucket without any sample is synthetic.
  out.flags[at] = flags & (out.count[at] === 0 ? flagSynthetic : flagPartial)
  mergeActuals(cells, from, to, out, at, workspace)
  assert(out.count[at]! >= 0 && out.m2[at]! >= 0, "Expected count and m2 that are not negative")
  return true
}

function mergeObservations(
  cells: CellColumns,
  from: number,
  to: number,
  out: CellColumns,
  at: number,
  workspace: MergeWorkspace,
): void {
  const { sums, counts } = workspace
  let count = 0
  let m2 = 0
  let filled = 0
  let min = Infinity
  let max = -Infinity
  let first = 0
  let last = 0
  for (let i = from; i < to; i++) {
    const n = cells.count[i]!
    if (!(n > 0)) continue
    if (filled === 0) first = cells.first[i]!
    last = cells.last[i]!
    if (cells.min[i]! < min) min = cells.min[i]!
    if (cells.max[i]! > max) max = cells.max[i]!
    m2 += cells.m2[i]!
    count += n
    counts[filled] = n
    sums[filled++] = cells.sum[i]!
  }
  if (filled === 0) return
  const scale = decimalScale(sums, 0, filled)
  const sum = scaledSum(sums, 0, filled, scale)
  const within = filled === 1 ? 0 : m2BetweenCells(filled, { sum, count, scale }, workspace)
  const between =
    Number.isFinite(within) && !isOverflowed(sum)
      ? within
      : m2OfOverflowed(cells, from, to, count, workspace)
  out.count[at] = count
  out.sum[at] = sum
  out.min[at] = min
  out.max[at] = max
  out.first[at] = first
  out.last[at] = last
  out.m2[at] = filled === 1 ? m2 : snapM2(m2 + between, count)
}

/**
 * Returns the part of m2 that comes from the different means of the cells: Σ nᵢ (meanᵢ - mean)²,
 * where the difference of the means is (sumᵢ × n - sum × nᵢ) / (nᵢ × n). With decimals that
 * numerator is a whole number, and so exactly 0 if the means are equal: a constant has no
 * deviation, however it is divided into cells. `scale` is that of the sums, -1 if they are not
 * decimals.
 */
function m2BetweenCells(
  filled: number,
  of: { readonly sum: number; readonly count: number; readonly scale: number },
  { sums, counts }: MergeWorkspace,
): number {
  const { sum, count, scale } = of
  const power = scale < 0 ? 1 : powersOfTen[scale]!
  const total = scale < 0 ? sum : Math.round(sum * power)
  let squares = 0
  for (let i = 0; i < filled; i++) {
    const n = counts[i]!
    const scaled = scale < 0 ? sums[i]! : Math.round(sums[i]! * power)
    const distance = (scaled * count - total * n) / count
    squares += (distance * distance) / n
  }
  return squares / (power * power)
}

/** As `m2BetweenCells` if sums overflowed or nearly did: uses the means of the cells. */
function m2OfOverflowed(
  cells: CellColumns,
  from: number,
  to: number,
  count: number,
  { counts, means }: MergeWorkspace,
): number {
  let filled = 0
  for (let i = from; i < to; i++) {
    if (cells.count[i]! > 0) means[filled++] = cellAverage(cells, i)
  }
  const mean = averageOfOverflowed(means, counts, 0, filled)
  let squares = 0
  for (let i = 0; i < filled; i++) squares += counts[i]! * (means[i]! - mean) ** 2
  return clampToFinite(count > 1 ? squares : 0)
}

function mergeActuals(
  cells: CellColumns,
  from: number,
  to: number,
  out: CellColumns,
  at: number,
  { sums, counts, means }: MergeWorkspace,
): void {
  let actuals = 0
  let filled = 0
  let isDerivable = true
  let first = -1
  for (let i = from; i < to; i++) {
    const n = cells.actuals[i]!
    if (!(n > 0)) {
      // Samples without an actual (a counter's first cycle) are in the sums, not in the actuals.
      if (cells.count[i]! > 0) isDerivable = false
      continue
    }
    if (first < 0) first = i
    isDerivable = isDerivable && sharesFormula(cells, first, i)
    actuals += n
    means[filled] = cells.actual[i]!
    counts[filled] = n
    sums[filled++] = clampToFinite(cells.actual[i]! * n)
  }
  out.actuals[at] = actuals
  if (filled === 0) return
  const sum = exactSum(sums, 0, filled)
  if (isOverflowed(sum) || isOverflowed(out.sum[at]!)) {
    out.actual[at] = averageOfOverflowed(means, counts, 0, filled)
  } else out.actual[at] = isDerivable ? derivedActual(out, at) : averageOf(sum, actuals)
}

/**
 * True if the average of the actuals is the same function of the merged columns as each actual is
 * of the columns of its own cell. An average requires that all cells hold the same number of
 * observations per actual. The actual is then exact and takes no bytes in the store.
 */
function sharesFormula(cells: CellColumns, first: number, at: number): boolean {
  const kind = cells.actualKind[at]!
  if (kind !== cells.actualKind[first]) return false
  if (kind !== averageKind && kind !== sumKind) return false
  if (cells.actual[at] !== derivedActual(cells, at)) return false
  return (
    kind === sumKind ||
    cells.count[at]! * cells.actuals[first]! === cells.count[first]! * cells.actuals[at]!
  )
}
