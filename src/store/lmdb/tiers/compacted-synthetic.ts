/**
 * Parts of a compacted cell that do not follow from its raw samples: its actual kind, and whether
 * it is synthetic. Late samples of a compacted day need them, one cycle of one slot at a time. The
 * presence of the last day is cached, since late samples arrive day by day.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { CellColumns, clearCells, copyCell, isSynthetic, isPresent } from "../../../rollup/cell.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { dayCellsMax, isCompacted, readDayCells } from "./compacted-cells.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import type { BlockIndex, SlotIndex, Tables } from "../disk/tables.ts"

export class CompactedSynthetic {
  private readonly tables: Tables
  /** Flags, actual kinds and counts of the day; created on demand, since it takes 7 MB. */
  private presence: CellColumns | undefined
  private scratch: CellColumns | undefined
  private day = -1
  private block = -1
  private found = false

  constructor(tables: Tables) {
    this.tables = tables
  }

  invalidate(): void {
    this.day = -1
  }

  /** True if the day of a cycle is compacted. */
  has(cycle: number, block: BlockIndex): boolean {
    this.find(cycle, block, 0)
    return this.found
  }

  /**
   * Copies the actual kind, and of a synthetic cell all of it, to `out`. Returns false, with `out`
   * unchanged, if there is no compacted cell.
   */
  read(cycle: number, block: BlockIndex, slot: SlotIndex, out: CellColumns): boolean {
    const at = this.find(cycle, block, slot)
    if (at < 0) return false
    if (isSynthetic(this.presence!, at)) this.readWhole(cycle, block, slot, out)
    else out.actualKind[slot] = this.presence!.actualKind[at]!
    return true
  }

  /**
   * Copies the whole compacted cell to `out`. Returns false, with an empty cell, if there is none.
   */
  readWhole(cycle: number, block: BlockIndex, slot: SlotIndex, out: CellColumns): boolean {
    const at = this.find(cycle, block, slot)
    clearCells(out, slot, slot + 1)
    if (at < 0) return false
    this.scratch ??= new CellColumns(dayCellsMax)
    const where = { day: this.day, block }
    const wish = { columns: cellColumnNames, slots: slot + 1, onlySlot: slot }
    readDayCells(this.tables, where, this.scratch, wish)
    copyCell(this.scratch, at, out, slot)
    assert(isPresent(out, slot), "Expected the cell that the count column has")
    return true
  }

  /** Index of the cell in its day; -1 if the day is not compacted or the cell is absent. */
  private find(cycle: number, block: BlockIndex, slot: SlotIndex): number {
    assert(slot >= 0 && slot < seriesPerBlock, "Expected a slot of a block")
    const day = Math.floor(cycle / cyclesPerDay)
    if (day !== this.day || block !== this.block) this.load(day, block)
    const at = slot * cyclesPerDay + (cycle - day * cyclesPerDay)
    return this.found && isPresent(this.presence!, at) ? at : -1
  }

  private load(day: number, block: BlockIndex): void {
    this.day = day
    this.block = block
    this.found = isCompacted(this.tables, day, block)
    if (!this.found) return
    this.presence ??= new CellColumns(dayCellsMax)
    const wish = { columns: [], slots: dayCellsMax / cyclesPerDay }
    this.found = readDayCells(this.tables, { day, block }, this.presence, wish)
  }
}
