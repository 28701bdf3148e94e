/**
 * Cells: the rollup of one series in one bucket. Many cells are held together, column by column:
 *
 *     count   ┌────┬────┬────┬ … one index per bucket; a cell is present if its count is above 0
 *     sum     ├────┼────┼────┼    or it is synthetic (flags). The other columns of a cell that is
 *     min     ├────┼────┼────┼    not present are undefined.
 *      …      └────┴────┴────┴
 *
 * A cell is a pure function of the samples of its bucket in canonical order (time, then value).
 */

import { assert } from "../base/assert.ts"
import type { Contributions } from "./contribution.ts"
import { hasDrop, increaseOver } from "./increase.ts"
import { computeMoments, weightedM2 } from "./sum-of-squares.ts"
import { averageOf, averageOfOverflowed, exactSum, isOverflowed } from "./sum.ts"

/** How `actual` of a PT5M bucket is computed (spec/samples §5). The index is the stored code. */
export const actualKinds = [
  "average",
  "sum",
  "min",
  "max",
  "last",
  "cnt",
  "counter",
  "wrapping counter",
] as const
export const averageKind = 0
export const sumKind = 1
const minKind = 2
export const maxKind = 3
export const lastKind = 4
const countKind = 5
/** The increase during the cycle: depends on the previous cell, see rollup/counter.ts. */
export const counterKind = 6
/** The same, but a drop is a wrap and no restart. The counters are the last kinds. */
export const wrappingKind = 7

/** Gap fill: written at the closing of a cycle without samples; count is 0. */
export const flagGapFill = 1
/** At least one sample was a partial aggregate: the cell gets no bands. */
export const flagPartial = 2
/** The value of a computed metric, written at the closing of a cycle; count is 0. */
export const flagComputed = 4
/** Synthetic cells: their actual is not computed from samples. Observations replace them. */
export const flagSynthetic = flagGapFill | flagComputed
/** A counter dropped between two samples: the cell holds its `increase`. The greatest flag. */
export const flagDrop = 8
const flagsMax = flagGapFill | flagPartial | flagComputed | flagDrop

export class CellColumns {
  readonly length: number
  /** Observations in the bucket; fractional if a client sent a fractional `cnt`. */
  readonly count: Float64Array<ArrayBuffer>
  readonly sum: Float64Array<ArrayBuffer>
  readonly min: Float64Array<ArrayBuffer>
  readonly max: Float64Array<ArrayBuffer>
  /** Sum of squared deviations from the mean. */
  readonly m2: Float64Array<ArrayBuffer>
  /** Earliest and latest value; the mean of an aggregated sample. */
  readonly first: Float64Array<ArrayBuffer>
  readonly last: Float64Array<ArrayBuffer>
  /** The metric's statistic over the bucket; undefined if `actuals` is 0. */
  readonly actual: Float64Array<ArrayBuffer>
  /** Number of PT5M actuals in the bucket: 0 or 1 in PT5M, up to 12 in PT1H, 288 in PT24H. */
  readonly actuals: Float64Array<ArrayBuffer>
  readonly flags: Float64Array<ArrayBuffer>
  /** Index in `actualKinds`. */
  readonly actualKind: Float64Array<ArrayBuffer>
  /**
   * Increase of a counter from the first sample to the last; undefined without `flagDrop`, where it
   * is `last` - `first`.
   */
  readonly increase: Float64Array<ArrayBuffer>

  constructor(length: number) {
    this.length = length
    this.count = new Float64Array(length)
    this.sum = new Float64Array(length)
    this.min = new Float64Array(length)
    this.max = new Float64Array(length)
    this.m2 = new Float64Array(length)
    this.first = new Float64Array(length)
    this.last = new Float64Array(length)
    this.actual = new Float64Array(length)
    this.actuals = new Float64Array(length)
    this.flags = new Float64Array(length)
    this.actualKind = new Float64Array(length)
    this.increase = new Float64Array(length)
  }
}

/** The columns that every present cell has. */
const columnsOfCell = [
  "count",
  "sum",
  "min",
  "max",
  "m2",
  "first",
  "last",
  "actual",
  "actuals",
  "flags",
  "actualKind",
] as const satisfies readonly (keyof CellColumns)[]
const allColumns = [...columnsOfCell, "increase"] as const

export function isPresent(cells: CellColumns, at: number): boolean {
  return cells.count[at]! > 0 || isSynthetic(cells, at)
}

/** True if the cell is a gap fill or the value of a computed metric. */
export function isSynthetic(cells: CellColumns, at: number): boolean {
  return (cells.flags[at]! & flagSynthetic) !== 0
}

export function hasActual(cells: CellColumns, at: number): boolean {
  return cells.actuals[at]! > 0
}

export function isCounterKind(kind: number): boolean {
  return kind >= counterKind
}

/** True if the cell holds observations of a counter. */
export function isCounterCell(cells: CellColumns, at: number): boolean {
  return isCounterKind(cells.actualKind[at]!) && cells.count[at]! > 0
}

/** True if the cell is that of a counter with a drop, so that its increase is stored. */
export function hasIncrease(cells: CellColumns, at: number): boolean {
  return cells.flags[at]! >= flagDrop
}

/**
 * Asserts what holds of every cell that this process computed, before an encode and after a decode
 * of the cells [from, to). The numbers of aggregated samples come from clients: min may exceed max.
 */
export function assertCells(cells: CellColumns, from: number, to: number): void {
  const { count, m2, actuals, flags, actualKind } = cells
  assert(from >= 0 && from <= to && to <= cells.length, "Expected a range of the cells")
  for (let at = from; at < to; at++) {
    if (!isPresent(cells, at)) continue
    assert(count[at]! >= 0 && actuals[at]! >= 0, "Expected counts that are not negative")
    assert(m2[at]! >= 0, "Expected an m2 that is not negative")
    assert(flags[at]! <= flagsMax, "Expected known flags of a cell")
    assert(actualKind[at]! < actualKinds.length, "Expected a known actual kind")
    const isBoth = count[at]! > 0 && isSynthetic(cells, at)
    assert(!isBoth, "Expected a cell to be observed or synthetic, not both")
    const isOfCounter = flags[at]! < flagDrop || isCounterCell(cells, at)
    assert(isOfCounter, "Expected a drop of a counter only")
  }
}

/** Clears the cells [from, to); their increases are then undefined. */
export function clearCells(cells: CellColumns, from: number, to: number): void {
  if (to - from === 1) return clearCell(cells, from)
  for (const column of columnsOfCell) cells[column].fill(0, from, to)
}

/** Makes the cells [from, to) absent; their other columns are then undefined. */
export function clearPresence(cells: CellColumns, from: number, to: number): void {
  cells.count.fill(0, from, to)
  cells.flags.fill(0, from, to)
  cells.actuals.fill(0, from, to)
}

/** Stores each column by itself: a tenth of the cost of eleven calls of `fill`. */
function clearCell(cells: CellColumns, at: number): void {
  cells.count[at] = 0
  cells.sum[at] = 0
  cells.min[at] = 0
  cells.max[at] = 0
  cells.m2[at] = 0
  cells.first[at] = 0
  cells.last[at] = 0
  cells.actual[at] = 0
  cells.actuals[at] = 0
  cells.flags[at] = 0
  cells.actualKind[at] = 0
}

/** Copies cell `from` of `source` to cell `to` of `target`. */
export function copyCell(source: CellColumns, from: number, target: CellColumns, to: number): void {
  target.count[to] = source.count[from]!
  target.sum[to] = source.sum[from]!
  target.min[to] = source.min[from]!
  target.max[to] = source.max[from]!
  target.m2[to] = source.m2[from]!
  target.first[to] = source.first[from]!
  target.last[to] = source.last[from]!
  target.actual[to] = source.actual[from]!
  target.actuals[to] = source.actuals[from]!
  target.flags[to] = source.flags[from]!
  target.actualKind[to] = source.actualKind[from]!
  if (hasIncrease(source, from)) target.increase[to] = source.increase[from]!
}

/** Copies `count` cells of `source` from `from` on to `target` from `to` on. */
export function copyCells(
  source: CellColumns,
  from: number,
  target: CellColumns,
  to: number,
  count = 1,
): void {
  for (const column of allColumns) {
    target[column].set(source[column].subarray(from, from + count), to)
  }
}

/**
 * Computes cell `at` of `out` from at least one plain value, `values[from..to)`, in canonical
 * order. The caller has set `out.actualKind[at]`; a counter gets its actual from `applyCounter`
 * afterwards (rollup/counter.ts).
 */
export function computeCell(
  values: Float64Array,
  from: number,
  to: number,
  out: CellColumns,
  at: number,
): void {
  assert(from < to, "Expected at least one value")
  let min = values[from]!
  let max = min
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!
    min = value < min ? value : min
    max = value > max ? value : max
  }
  computeMoments(values, from, to, out, at)
  assert(min <= max && out.m2[at]! >= 0, "Expected min ≤ max and an m2 that is not negative")
  out.count[at] = to - from
  // Adding 0 turns -0 into 0, which would otherwise depend on the order of equal values.
  out.min[at] = min + 0
  out.max[at] = max + 0
  out.first[at] = values[from]! + 0
  out.last[at] = values[to - 1]! + 0
  out.flags[at] = 0
  deriveActual(out, at)
  if (isCounterKind(out.actualKind[at]!)) setIncrease(out, at, values, from, to)
  if (isOverflowed(out.sum[at]!))
    setOverflowedAverage(out, at, averageOfOverflowed(values, null, from, to))
}

/**
 * Computes cell `at` of `out` from contributions [from, to), some of which a client aggregated. The
 * distribution of the observations inside such a sample is unknown; for m2 each counts as the mean
 * of the sample. Returns false, and leaves the cell empty, if no contribution has a count.
 */
export function computeWeightedCell(
  contributions: Contributions,
  from: number,
  to: number,
  out: CellColumns,
  at: number,
): boolean {
  assert(from <= to && to <= contributions.length, "Expected a range of the contributions")
  const kept = collectWeighted(contributions, from, to, out, at)
  if (kept === 0) {
    const kind = out.actualKind[at]!
    clearCells(out, at, at + 1)
    out.actualKind[at] = kind
    return false
  }
  const { means, counts, sums, products } = contributions.observed
  const count = exactSum(counts, 0, kept)
  out.count[at] = count
  out.sum[at] = exactSum(sums, 0, kept)
  out.m2[at] = weightedM2(means, counts, kept, count, products)
  assert(count > 0 && out.m2[at]! >= 0, "Expected observations and an m2 that is not negative")
  out.first[at] = means[0]! + 0
  out.last[at] = means[kept - 1]! + 0
  deriveActual(out, at)
  if (isCounterKind(out.actualKind[at]!)) setIncrease(out, at, means, 0, kept)
  if (isOverflowed(out.sum[at]!))
    setOverflowedAverage(out, at, averageOfOverflowed(means, counts, 0, kept))
  return true
}

/** Stores the increase of a counter's cell if one of its values is below the one before. */
function setIncrease(
  cells: CellColumns,
  at: number,
  values: Float64Array,
  from: number,
  to: number,
): void {
  if (!hasDrop(values, from, to)) return
  cells.flags[at]! |= flagDrop
  cells.increase[at] = increaseOver(values, from, to, cells.actualKind[at] === wrappingKind)
}

/** Sets the average of observations whose sum overflowed: it cannot be derived from the cell. */
function setOverflowedAverage(cells: CellColumns, at: number, average: number): void {
  if (cells.actualKind[at] !== averageKind) return
  cells.actual[at] = Math.min(cells.max[at]!, Math.max(cells.min[at]!, average))
}

/** Collects the contributions that have a count, and sets min, max and flags of the cell. */
function collectWeighted(
  contributions: Contributions,
  from: number,
  to: number,
  out: CellColumns,
  at: number,
): number {
  const { observed } = contributions
  observed.reserve(to - from)
  let kept = 0
  let min = Infinity
  let max = -Infinity
  let flags = 0
  for (let i = from; i < to; i++) {
    if (contributions.count[i] === 0) continue
    observed.means[kept] = contributions.mean[i]!
    observed.counts[kept] = contributions.count[i]!
    observed.sums[kept] = contributions.sum[i]!
    min = Math.min(min, contributions.min[i]!)
    max = Math.max(max, contributions.max[i]!)
    if (contributions.partial[i]) flags = flagPartial
    kept++
  }
  out.min[at] = min + 0
  out.max[at] = max + 0
  out.flags[at] = flags
  return kept
}

/** Makes cell `at` a gap fill, or another synthetic cell; it keeps its actual kind. */
export function setSynthetic(
  cells: CellColumns,
  at: number,
  actual: number,
  flags = flagGapFill,
): void {
  assert((flags & flagSynthetic) === flags && flags !== 0, "Expected the flags of a synthetic cell")
  const kind = cells.actualKind[at]!
  clearCells(cells, at, at + 1)
  cells.actualKind[at] = kind
  cells.actual[at] = actual
  cells.actuals[at] = 1
  cells.flags[at] = flags
}

/**
 * Changes the actual kind of a cell and recomputes its actual, unless the cell is synthetic. A cell
 * that becomes a counter's lacks the drops between its samples.
 */
export function changeActualKind(cells: CellColumns, at: number, kind: number): void {
  assert(kind >= 0 && kind < actualKinds.length, "Expected a known actual kind")
  if (cells.actualKind[at] === kind) return
  cells.actualKind[at] = kind
  cells.flags[at]! &= ~flagDrop
  if (cells.count[at]! > 0) deriveActual(cells, at)
}

function deriveActual(cells: CellColumns, at: number): void {
  const isCounter = isCounterKind(cells.actualKind[at]!)
  cells.actuals[at] = isCounter ? 0 : 1
  cells.actual[at] = isCounter ? 0 : derivedActual(cells, at)
}

/**
 * Returns the actual as the cell's kind derives it from the other columns; NaN if it cannot. For a
 * coarser cell the result is valid if all finer cells share the formula, see rollup/merge.ts.
 */
export function derivedActual(cells: CellColumns, at: number): number {
  if (!(cells.count[at]! > 0)) return NaN
  switch (cells.actualKind[at]!) {
    case averageKind:
      return averageOf(cells.sum[at]!, cells.count[at]!)
    case sumKind:
      return averageOf(cells.sum[at]!, cells.actuals[at]!)
    case minKind:
      return cells.min[at]!
    case maxKind:
      return cells.max[at]!
    case lastKind:
      return cells.last[at]!
    case countKind:
      return averageOf(cells.count[at]!, cells.actuals[at]!)
    // A counter: its increase depends on the previous cell.
    default:
      return NaN
  }
}

/**
 * Returns the average of a cell that has observations, clamped to its [min, max] because of
 * rounding. If the sum overflowed, the actual holds the average, provided that its kind is average.
 */
export function cellAverage(cells: CellColumns, at: number): number {
  const [sum, min, max] = [cells.sum[at]!, cells.min[at]!, cells.max[at]!]
  const isInActual =
    isOverflowed(sum) && cells.actualKind[at] === averageKind && hasActual(cells, at)
  const average = isInActual ? cells.actual[at]! : averageOf(sum, cells.count[at]!)
  return average < min ? min : average > max ? max : average
}

/** Returns the actual, clamped to [min, max] if it is the average of a single cycle. */
export function clampedActual(cells: CellColumns, at: number): number {
  const actual = cells.actual[at]!
  const isOneCycle = cells.actuals[at] === 1 && cells.count[at]! > 0
  // Gap fills in an hour are not observations, and may be outside [min, max].
  if (!isOneCycle || cells.actualKind[at] !== averageKind) return actual
  const [min, max] = [cells.min[at]!, cells.max[at]!]
  return actual < min ? min : actual > max ? max : actual
}
