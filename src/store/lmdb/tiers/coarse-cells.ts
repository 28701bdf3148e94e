/** Merges the PT5M cells of a day into hours, and the hours into the day, slot by slot. */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerDay, cycleMs, dayMs, hourMs } from "../../../model/resolution.ts"
import { CellColumns, clearPresence, isPresent } from "../../../rollup/cell.ts"
import { mergeCells, MergeWorkspace } from "../../../rollup/merge.ts"
import { wholeDay, type CycleRange } from "./compacted-cells.ts"

export const hoursPerDay = dayMs / hourMs
export const cyclesPerHour = hourMs / cycleMs

/** Creates the PT1H cells of a block's day. */
export function createHourCells(): CellColumns {
  return new CellColumns(seriesPerBlock * hoursPerDay)
}

/** Creates the PT24H cells of a block's day. */
export function createDayCells(): CellColumns {
  return new CellColumns(seriesPerBlock)
}

/** The merged cells of one block's day, and the working memory of the merge. */
export class CoarseWorkspace {
  readonly hours = createHourCells()
  readonly days = createDayCells()
  readonly merge = new MergeWorkspace()
}

/**
 * Returns PT1H cells at slot · 24 + hour, from PT5M cells at slot · 288 + cycle, all within the
 * cycles of `range`. The result is that of the workspace; the next call overwrites it.
 */
export function mergeHours(
  cycles: CellColumns,
  slots: number,
  { hours: hourCells, merge }: CoarseWorkspace,
  range: CycleRange = wholeDay,
): CellColumns {
  assert(slots * hoursPerDay <= hourCells.length, "Expected space for the hours of each slot")
  assert(slots * cyclesPerDay <= cycles.length, "Expected the cycles of each slot")
  clearPresence(hourCells, 0, slots * hoursPerDay)
  const first = Math.floor(range.from / cyclesPerHour)
  const end = Math.ceil(range.to / cyclesPerHour)
  for (let slot = 0; slot < slots; slot++) {
    for (let hour = first; hour < end; hour++) {
      if (isEmptyHour(cycles, slot * cyclesPerDay + hour * cyclesPerHour)) continue
      const from = slot * cyclesPerDay + hour * cyclesPerHour
      mergeCells(cycles, from, from + cyclesPerHour, hourCells, slot * hoursPerDay + hour, merge)
    }
  }
  return hourCells
}

function isEmptyHour(cycles: CellColumns, from: number): boolean {
  for (let at = from; at < from + cyclesPerHour; at++) if (isPresent(cycles, at)) return false
  return true
}

/** Returns PT24H cells by slot, from the PT1H cells of `mergeHours`; overwritten as there. */
export function mergeDay(
  hours: CellColumns,
  slots: number,
  { days: dayCells, merge }: CoarseWorkspace,
): CellColumns {
  assert(slots * hoursPerDay <= hours.length, "Expected the hours of each slot")
  assert(slots <= dayCells.length, "Expected space for the day of each slot")
  for (let slot = 0; slot < slots; slot++) {
    const from = slot * hoursPerDay
    mergeCells(hours, from, from + hoursPerDay, dayCells, slot, merge)
  }
  return dayCells
}
