/**
 * Counters: the actual of a cycle is its increase, which takes the last value of the cycle before
 * that had one (spec/samples §6). Fillings are no values, and are passed by.
 */

import { applyCounter, counterKind, type CellColumns } from "./cell.ts"

/**
 * A counter's last value is looked for in the day of its cycle and so many days before: as long as
 * PT5M is kept by default (spec/retention §1). After a longer silence it begins anew.
 */
export const counterLookbackDays = 90

/** True where the cell holds observations of a counter. */
export function isCounterCell(cells: CellColumns, at: number): boolean {
  return cells.actualKind[at] === counterKind && cells.count[at]! > 0
}

/**
 * Gives the counters among the PT5M cells [from, to) of one series, in time order, their actuals.
 * `previousLast` is the last value before `from`, NaN where nothing is known to have gone before:
 * then the first cell stays as it is.
 */
export function applyCounters(
  cells: CellColumns,
  from: number,
  to: number,
  previousLast: number,
): void {
  let previous = previousLast
  for (let at = from; at < to; at++) {
    if (!(cells.count[at]! > 0)) continue
    const isCounter = cells.actualKind[at] === counterKind
    if (isCounter && !Number.isNaN(previous)) applyCounter(cells, at, previous)
    previous = cells.last[at]!
  }
}
