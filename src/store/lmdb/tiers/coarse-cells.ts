/** Merges the PT5M cells of a day into hours, and the hours into the day, slot by slot. */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { cyclesPerDay, cycleMs, dayMs, hourMs } from "../../../model/resolution.ts"
import { CellColumns, clearPresence, isPresent } from "../../../rollup/cell.ts"
import { mergeCells } from "../../../rollup/merge.ts"
import { wholeDay, type CycleRange } from "./compacted-cells.ts"

export const hoursPerDay = dayMs / hourMs
export const cyclesPerHour = hourMs / cycleMs

const hourScratch = createHourCells()
const dayScratch = createDayCells()

/** Creates the PT1H cells of a block's day. */
export function createHourCells(): CellColumns {
  return new CellColumns(seriesPerBlock * hoursPerDay)
}

/** Creates the PT24H cells of a block's day. */
export function createDayCells(): CellColumns {
  return new CellColumns(seriesPerBlock)
}

export interface HourOptions {
  readonly range?: CycleRange
  readonly hourCells?: CellColumns
}

/**
 * Returns PT1H cells at slot · 24 + hour, from PT5M cells at slot · 288 + cycle, all within the
 * cycles of `range`. Without `hourCells` the result is scratch memory that the next call
 * overwrites.
 */
export function mergeHours(
  cycles: CellColumns,
  slots: number,
  { range = wholeDay, hourCells = hourScratch }: HourOptions = {},
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
      mergeCells(cycles, from, from + cyclesPerHour, hourCells, slot * hoursPerDay + hour)
    }
  }
  return hourCells
}

function isEmptyHour(cycles: CellColumns, from: number): boolean {
  for (let at = from; at < from + cyclesPerHour; at++) if (isPresent(cycles, at)) return false
  return true
}

/** Returns PT24H cells by slot, from the PT1H cells of `mergeHours`; scratch memory as there. */
export function mergeDay(hours: CellColumns, slots: number, dayCells = dayScratch): CellColumns {
  assert(slots * hoursPerDay <= hours.length, "Expected the hours of each slot")
  assert(slots <= dayCells.length, "Expected space for the day of each slot")
  for (let slot = 0; slot < slots; slot++) {
    const from = slot * hoursPerDay
    mergeCells(hours, from, from + hoursPerDay, dayCells, slot)
  }
  return dayCells
}
