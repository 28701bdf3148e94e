/**
 * Previous value of a counter: the last value of the newest earlier cycle that has one, by slot.
 *
 *   days with uncompacted cells   unflushed or recent cells, which replace compacted ones, cycle
 *                                 by cycle; compacted cells for the other cycles
 *   other days                    `last` of the PT24H cell
 *
 * Recent counters have no actual, so that a flush costs nothing for them: readers and the
 * compaction derive it. Compacted counters have one. If a late value changes the last value of a
 * compacted day, the next day with a value is stale until it is compacted again; `hasStaleCounters`
 * reports it.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { CellColumns, clearPresence, isCounterCell, isPresent } from "../../../rollup/cell.ts"
import { counterLookbackDays } from "../../../rollup/counter.ts"
import { readCoarse } from "../encoding/coarse-record.ts"
import { readWatermarks } from "../disk/retention-watermarks.ts"
import { findRecentCells, createCycleCells } from "./recent.ts"
import { dayCellsMax, isCompacted, readDayCells } from "./compacted-cells.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import {
  oldestDay,
  periodKey,
  type Tables,
  type BlockIndex,
  type SlotIndex,
} from "../disk/tables.ts"

/** Cells that replace compacted ones. */
export interface UncompactedSource {
  /** Oldest day with any cells; Infinity if there are none. */
  readonly oldestDay: number
  /** True if the day may have cells. */
  mayHaveDay(day: number): boolean
  /** The cells of a cycle by slot, or null; valid until the next call. */
  cellsOf(cycle: number): CellColumns | null
}

export interface BlockCycle {
  readonly block: BlockIndex
  /** Slots of the block. */
  readonly slots: number
  readonly cycle: number
}

export class PreviousCounterValues {
  /** Result of the last call by slot; NaN if it found none or the slot was not requested. */
  readonly last = new Float64Array(seriesPerBlock)
  private readonly tables: Tables
  private readonly dayCell = createCycleCells()
  /** 7 MB, created for the first compacted day that is searched. */
  private dayCells: CellColumns | null = null
  private missing: readonly number[] = []
  private where: BlockCycle = { block: 0, slots: 0, cycle: 0 }

  constructor(tables: Tables) {
    this.tables = tables
  }

  /**
   * Fills `last` for the wanted slots with the value before a cycle, as far back as PT5M is kept.
   */
  find(where: BlockCycle, wanted: readonly number[], source: UncompactedSource): void {
    assert(where.slots <= seriesPerBlock, "Expected at most one slot a series")
    assert(
      wanted.every((slot) => slot < where.slots),
      "Expected slots of the block",
    )
    this.last.fill(NaN)
    this.missing = wanted
    this.where = where
    const { tables } = this
    const oldest = Math.min(source.oldestDay, oldestDay(tables.days), oldestDay(tables.openDays))
    const reach = Math.floor(where.cycle / cyclesPerDay) - counterLookbackDays
    const firstDayKept = Math.max(oldest, reach, readWatermarks(tables).PT5M)
    let day = Math.floor((where.cycle - 1) / cyclesPerDay)
    let end = where.cycle - day * cyclesPerDay
    for (; day >= firstDayKept && this.missing.length > 0; day--) {
      if (source.mayHaveDay(day) || end < cyclesPerDay) this.searchCycles(day, end, source)
      else this.searchDay(day)
      end = cyclesPerDay
    }
  }

  private searchCycles(day: number, end: number, source: UncompactedSource): void {
    const { block, slots } = this.where
    const columns = ["last"] as const
    const hasCompacted = isCompacted(this.tables, day, block)
    const compacted = hasCompacted ? (this.dayCells ??= new CellColumns(dayCellsMax)) : this.dayCell
    if (hasCompacted) readDayCells(this.tables, { day, block }, compacted, { columns, slots })
    for (let cycle = end - 1; cycle >= 0 && this.missing.length > 0; cycle--) {
      const cells = source.cellsOf(day * cyclesPerDay + cycle)
      this.resolveMissing((slot) => {
        if (cells !== null && isPresent(cells, slot)) return lastOf(cells, slot)
        return hasCompacted ? lastOf(compacted, slot * cyclesPerDay + cycle) : NaN
      })
    }
  }

  private searchDay(day: number): void {
    const key = periodKey(day, this.where.block)
    const bytes = this.tables.days.view(key)
    if (bytes === undefined) return
    clearPresence(this.dayCell, 0, seriesPerBlock)
    readCoarse(key, bytes, 1, this.dayCell)
    this.resolveMissing((slot) => lastOf(this.dayCell, slot))
  }

  private resolveMissing(lastOfSlot: (slot: SlotIndex) => number): void {
    this.missing = this.missing.filter((slot) => {
      const last = lastOfSlot(slot)
      this.last[slot] = last
      return Number.isNaN(last)
    })
  }
}

function lastOf(cells: CellColumns, at: number): number {
  return cells.count[at]! > 0 ? cells.last[at]! : NaN
}

/** The source for readers of flushed samples only: compaction and recomputation. */
export function recentSource(tables: Tables, block: BlockIndex): UncompactedSource {
  const cells = createCycleCells()
  return {
    oldestDay: Infinity,
    mayHaveDay: (day) => tables.openDays.doesExist(periodKey(day, block)),
    cellsOf: (cycle) => (findRecentCells(tables, cycle, block, cells) ? cells : null),
  }
}

/**
 * True if a day before `endDay` awaits compaction: counters of later compacted days may be stale.
 */
export function hasStaleCounters(tables: Tables, block: BlockIndex, endDay: number): boolean {
  for (let day = oldestDay(tables.openDays); day < endDay; day++) {
    if (tables.openDays.doesExist(periodKey(day, block))) return true
  }
  return false
}

/** The slots that have a counter in the buckets [from, to) of `perSlot` each. */
export function counterSlots(
  cells: CellColumns,
  slots: readonly number[],
  range: { readonly from: number; readonly to: number; readonly perSlot: number },
): number[] {
  const { from, to, perSlot } = range
  assert(from >= 0 && to <= perSlot, "Expected buckets of each slot")
  return slots.filter((slot) => {
    for (let at = from; at < to; at++) if (isCounterCell(cells, slot * perSlot + at)) return true
    return false
  })
}

/** The slots 0, 1 … `slots` - 1. */
export function slotNumbers(slots: number): number[] {
  return Array.from({ length: slots }, (_, slot) => slot)
}
