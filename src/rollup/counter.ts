/**
 * Counters: the actual of a cycle is the sum of the steps between its samples, from the last sample
 * of the previous cycle that has observations on (spec/samples §6):
 *
 *   previous cell   this cell
 *        last ──step──► first ──increase──► last
 *
 * Synthetic cells have no values and are skipped.
 */

import { assert } from "../base/assert.ts"
import { hasIncrease, isCounterCell, wrappingKind, type CellColumns } from "./cell.ts"
import { increaseOver } from "./increase.ts"
import { exactDifference } from "./sum.ts"

/**
 * How many days before the day of a cycle are searched for a counter's previous value: the default
 * retention of PT5M (spec/retention §1). After a longer gap the counter starts over.
 */
export const counterLookbackDays = 90

/**
 * Sets the actuals of the counters among the PT5M cells [from, to) of one series, in time order.
 * `previousLast` is the last value before `from`, NaN if none is known: the first cell then stays
 * unchanged.
 */
export function applyCounters(
  cells: CellColumns,
  from: number,
  to: number,
  previousLast: number,
): void {
  assert(from <= to && to <= cells.length, "Expected a range of the cells")
  let previous = previousLast
  for (let at = from; at < to; at++) {
    if (!(cells.count[at]! > 0)) continue
    if (isCounterCell(cells, at) && !Number.isNaN(previous)) applyCounter(cells, at, previous)
    previous = cells.last[at]!
  }
}

/**
 * Sets the actual of a counter's cell; `previousLast` is undefined if there is no earlier cycle.
 */
export function applyCounter(
  cells: CellColumns,
  at: number,
  previousLast: number | undefined,
): void {
  cells.actuals[at] = previousLast === undefined ? 0 : 1
  cells.actual[at] = previousLast === undefined ? 0 : increaseSince(cells, at, previousLast)
}

function increaseSince(cells: CellColumns, at: number, previousLast: number): number {
  const [first, last] = [cells.first[at]!, cells.last[at]!]
  const doesWrap = cells.actualKind[at] === wrappingKind
  if (hasIncrease(cells, at)) {
    const step = increaseOver(Float64Array.of(previousLast, first), 0, 2, doesWrap)
    return exactDifference(step, -cells.increase[at]!)
  }
  if (previousLast <= first && first <= last) return exactDifference(last, previousLast)
  // Cells of stores before format 8 have no increase: they may end below their first value.
  return increaseOver(Float64Array.of(previousLast, first, last), 0, 3, doesWrap)
}
