/**
 * Counters: the actual of a cycle is its increase since the last value of the previous cycle that
 * has observations (spec/samples §6). Synthetic cells have no last value and are skipped.
 */

import { assert } from "../base/assert.ts"
import { applyCounter, counterKind, type CellColumns } from "./cell.ts"

/**
 * How many days before the day of a cycle are searched for a counter's previous value: the default
 * retention of PT5M (spec/retention §1). After a longer gap the counter starts over.
 */
export const counterLookbackDays = 90

/** True if the cell holds observations of a counter. */
export function isCounterCell(cells: CellColumns, at: number): boolean {
  return cells.actualKind[at] === counterKind && cells.count[at]! > 0
}

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
    const isCounter = cells.actualKind[at] === counterKind
    if (isCounter && !Number.isNaN(previous)) applyCounter(cells, at, previous)
    previous = cells.last[at]!
  }
}
