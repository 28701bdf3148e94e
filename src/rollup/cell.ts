/**
 * Cells: what is kept of one bucket of one metric. Many are kept at once, column by column:
 *
 *     count   ┌────┬────┬────┬ … one place a bucket; a cell is present where its count is above 0
 *     sum     ├────┼────┼────┼    or it is a fact (flags). What other columns hold for a bucket
 *     min     ├────┼────┼────┼    that is not present means nothing.
 *      …      └────┴────┴────┴
 *
 * A cell is a pure function of the samples of its bucket in canonical order (time, then value).
 */

import { assert } from "../base/assert.ts"
import type { Contributions } from "./contribution.ts"
import { moments, computeMoments, weightedM2 } from "./sum-of-squares.ts"
import { averageOf, averageOfOverflowed, exactSum, isOverflowed } from "./sum.ts"

/**
 * How `actual` of a PT5M bucket is made (spec/samples §5); the position is the code that is stored.
 */
export const actualKinds = ["average", "sum", "min", "max", "last", "cnt", "counter"] as const
export type ActualKind = (typeof actualKinds)[number]
export const averageKind = 0
export const sumKind = 1
export const minKind = 2
export const maxKind = 3
export const lastKind = 4
export const countKind = 5
/** The increase over the cycle: not a function of the cell alone, see `applyCounter`. */
export const counterKind = 6

/** The value was injected at the closing of a cycle without samples; count is 0. */
export const flagGapFill = 1
/** At least one sample was a partial aggregate: no bands. */
export const flagPartial = 2
/** The value of a computed metric, written at the closing of a cycle; count is 0. */
export const flagComputed = 4
/** Facts: nothing finer stands behind their actual. Observations push them out. */
export const flagSynthetic = flagGapFill | flagComputed

export class CellColumns {
  readonly length: number
  /** Observations in the bucket; may be fractional where a client's `cnt` is. */
  readonly count: Float64Array<ArrayBuffer>
  readonly sum: Float64Array<ArrayBuffer>
  readonly min: Float64Array<ArrayBuffer>
  readonly max: Float64Array<ArrayBuffer>
  /** Sum of squared deviations from the mean. */
  readonly m2: Float64Array<ArrayBuffer>
  /** Earliest and latest value; of an aggregated sample its mean. */
  readonly first: Float64Array<ArrayBuffer>
  readonly last: Float64Array<ArrayBuffer>
  /** The metric's statistic over the bucket; means nothing where `actuals` is 0. */
  readonly actual: Float64Array<ArrayBuffer>
  /** PT5M actuals in the bucket: 0 or 1 in PT5M, up to 12 in PT1H, 288 in PT24H. */
  readonly actuals: Float64Array<ArrayBuffer>
  readonly flags: Float64Array<ArrayBuffer>
  /** Code from `definitions`. */
  readonly actualKind: Float64Array<ArrayBuffer>

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
  }
}

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

export function isPresent(cells: CellColumns, at: number): boolean {
  return cells.count[at]! > 0 || isSynthetic(cells, at)
}

/** True where the cell is a filling or a computed value. */
export function isSynthetic(cells: CellColumns, at: number): boolean {
  return (cells.flags[at]! & flagSynthetic) !== 0
}

export function hasActual(cells: CellColumns, at: number): boolean {
  return cells.actuals[at]! > 0
}

/** Empties the cells [from, to). */
export function clearCells(cells: CellColumns, from: number, to: number): void {
  if (to - from === 1) return clearCell(cells, from)
  for (const column of columnsOfCell) cells[column].fill(0, from, to)
}

/** Makes the cells [from, to) absent; what their other columns hold then means nothing. */
export function clearPresence(cells: CellColumns, from: number, to: number): void {
  cells.count.fill(0, from, to)
  cells.flags.fill(0, from, to)
  cells.actuals.fill(0, from, to)
}

/** Eleven stores cost a tenth of eleven calls of `fill`. */
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

/** Copies one cell from place `from` of one set of columns to place `to` of another. */
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
}

/** Copies `count` cells from place `from` of one set of columns to place `to` of another. */
export function copyCells(
  source: CellColumns,
  from: number,
  target: CellColumns,
  to: number,
  count = 1,
): void {
  for (const column of columnsOfCell) {
    target[column].set(source[column].subarray(from, from + count), to)
  }
}

/**
 * Computes cell `at` of `out` from plain values `values[from..to)` in canonical order, at least
 * one. `out.definition[at]` must be set before; a counter gets its actual from `applyCounter`
 * afterwards.
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
  computeMoments(values, from, to)
  out.count[at] = to - from
  out.sum[at] = moments.sum
  out.m2[at] = moments.m2
  // Adding 0 turns -0 into 0, which would otherwise depend on the order of equal values.
  out.min[at] = min + 0
  out.max[at] = max + 0
  out.first[at] = values[from]! + 0
  out.last[at] = values[to - 1]! + 0
  out.flags[at] = 0
  deriveActual(out, at)
  if (isOverflowed(moments.sum))
    setOverflowedAverage(out, at, averageOfOverflowed(values, null, from, to))
}

const weighted = {
  means: new Float64Array(64),
  counts: new Float64Array(64),
  sums: new Float64Array(64),
}

/**
 * The same from contributions [from, to), some of which a client aggregated. How the observations
 * inside such a sample were spread is unknown; for m2 they all count as its mean. Where no
 * contribution has a count the cell is left empty, and the answer is false.
 */
export function computeWeightedCell(
  contributions: Contributions,
  from: number,
  to: number,
  out: CellColumns,
  at: number,
): boolean {
  const kept = collectWeighted(contributions, from, to, out, at)
  if (kept === 0) {
    const definition = out.actualKind[at]!
    clearCells(out, at, at + 1)
    out.actualKind[at] = definition
    return false
  }
  const { means, counts, sums } = weighted
  const count = exactSum(counts, 0, kept)
  out.count[at] = count
  out.sum[at] = exactSum(sums, 0, kept)
  out.m2[at] = weightedM2(means, counts, kept, count)
  out.first[at] = means[0]! + 0
  out.last[at] = means[kept - 1]! + 0
  deriveActual(out, at)
  if (isOverflowed(out.sum[at]!))
    setOverflowedAverage(out, at, averageOfOverflowed(means, counts, 0, kept))
  return true
}

/** The average of observations whose sum is held, which the cell's own columns do not tell. */
function setOverflowedAverage(cells: CellColumns, at: number, average: number): void {
  if (cells.actualKind[at] !== averageKind) return
  cells.actual[at] = Math.min(cells.max[at]!, Math.max(cells.min[at]!, average))
}

/** Collects the contributions with a count; writes min, max and flags of the cell on the way. */
function collectWeighted(
  contributions: Contributions,
  from: number,
  to: number,
  out: CellColumns,
  at: number,
): number {
  if (weighted.means.length < to - from) {
    weighted.means = new Float64Array((to - from) * 2)
    weighted.counts = new Float64Array((to - from) * 2)
    weighted.sums = new Float64Array((to - from) * 2)
  }
  let kept = 0
  let min = Infinity
  let max = -Infinity
  let flags = 0
  for (let i = from; i < to; i++) {
    if (contributions.count[i] === 0) continue
    weighted.means[kept] = contributions.mean[i]!
    weighted.counts[kept] = contributions.count[i]!
    weighted.sums[kept] = contributions.sum[i]!
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

/** Makes cell `at` the filling of a cycle without samples, or another fact. */
export function setSynthetic(
  cells: CellColumns,
  at: number,
  actual: number,
  flags = flagGapFill,
): void {
  const definition = cells.actualKind[at]!
  clearCells(cells, at, at + 1)
  cells.actualKind[at] = definition
  cells.actual[at] = actual
  cells.actuals[at] = 1
  cells.flags[at] = flags
}

/** Records how the actual of a cell is made, and makes it anew; that of a fact stays. */
export function changeActualKind(cells: CellColumns, at: number, kind: number): void {
  if (cells.actualKind[at] === kind) return
  cells.actualKind[at] = kind
  if (cells.count[at]! > 0) deriveActual(cells, at)
}

function deriveActual(cells: CellColumns, at: number): void {
  const counter = cells.actualKind[at] === counterKind
  cells.actuals[at] = counter ? 0 : 1
  cells.actual[at] = counter ? 0 : derivedActual(cells, at)
}

/** Gives a counter's cell its actual; `previousLast` is undefined where no cycle went before. */
export function applyCounter(
  cells: CellColumns,
  at: number,
  previousLast: number | undefined,
): void {
  cells.actuals[at] = previousLast === undefined ? 0 : 1
  cells.actual[at] = previousLast === undefined ? 0 : counterIncrease(cells.last[at]!, previousLast)
}

/** Increase of a counter; a fall means a restart, and then the new value is the increase. */
export function counterIncrease(last: number, previousLast: number): number {
  if (last < previousLast) return last
  pair[0] = last
  pair[1] = -previousLast
  return exactSum(pair, 0, 2)
}

const pair = new Float64Array(2)

/**
 * The actual as the cell's definition makes it from its other columns, NaN where it cannot. For a
 * coarser cell it holds where all the finer ones were made alike, see rollup/merge.ts.
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
    // A counter, whose increase is no function of the cell alone.
    default:
      return NaN
  }
}

/**
 * The average of a cell that has observations: inside its [min, max], which rounding must not carry
 * it out of, nor a sum that is held. Of such a sum the actual tells it, where that is an average.
 */
export function cellAverage(cells: CellColumns, at: number): number {
  const [sum, min, max] = [cells.sum[at]!, cells.min[at]!, cells.max[at]!]
  const isTold = isOverflowed(sum) && cells.actualKind[at] === averageKind && hasActual(cells, at)
  const average = isTold ? cells.actual[at]! : averageOf(sum, cells.count[at]!)
  return average < min ? min : average > max ? max : average
}

/** The actual as it is told: that of one cycle likewise, where it is an average. */
export function clampedActual(cells: CellColumns, at: number): number {
  const actual = cells.actual[at]!
  const isOne = cells.actuals[at] === 1 && cells.count[at]! > 0
  // Fillings in an hour are no observations, and may lie beyond them.
  if (!isOne || cells.actualKind[at] !== averageKind) return actual
  const [min, max] = [cells.min[at]!, cells.max[at]!]
  return actual < min ? min : actual > max ? max : actual
}
