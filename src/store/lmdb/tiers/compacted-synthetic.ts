/**
 * What a sealed cell holds that its raw samples do not tell: its definition, and whether it is a
 * fact. Late samples of a sealed day ask for it, one cycle of one slot at a time; the presence of
 * the last day asked for is kept, since they come day by day.
 */

import { CellColumns, clearCells, copyCell, isSynthetic, isPresent } from "../../../rollup/cell.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { dayCellsMax, isCompacted, readDayCells } from "./compacted-cells.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import type { Tables } from "../disk/tables.ts"

export class CompactedSynthetic {
  private readonly tables: Tables
  /** Flags, definitions and counts of the day; made when first needed, as it takes 6.5 MB. */
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

  /** True where the day of a cycle is sealed. */
  has(cycle: number, block: number): boolean {
    this.find(cycle, block, 0)
    return this.found
  }

  /**
   * Puts definition and, of a fact, the whole cell into `out`; false, and it is as it was, where
   * none is sealed.
   */
  read(cycle: number, block: number, slot: number, out: CellColumns): boolean {
    const at = this.find(cycle, block, slot)
    if (at < 0) return false
    if (isSynthetic(this.presence!, at)) this.readWhole(cycle, block, slot, out)
    else out.actualKind[slot] = this.presence!.actualKind[at]!
    return true
  }

  /** Puts the whole sealed cell into `out`; false, and it is empty, where none is sealed. */
  readWhole(cycle: number, block: number, slot: number, out: CellColumns): boolean {
    const at = this.find(cycle, block, slot)
    clearCells(out, slot, slot + 1)
    if (at < 0) return false
    this.scratch ??= new CellColumns(dayCellsMax)
    const where = { day: this.day, block }
    const wish = { columns: cellColumnNames, slots: slot + 1, onlySlot: slot }
    readDayCells(this.tables, where, this.scratch, wish)
    copyCell(this.scratch, at, out, slot)
    return true
  }

  /** Where the cell stands in its day; -1 where it is not sealed, or not present. */
  private find(cycle: number, block: number, slot: number): number {
    const day = Math.floor(cycle / cyclesPerDay)
    if (day !== this.day || block !== this.block) this.load(day, block)
    const at = slot * cyclesPerDay + (cycle - day * cyclesPerDay)
    return this.found && isPresent(this.presence!, at) ? at : -1
  }

  private load(day: number, block: number): void {
    this.day = day
    this.block = block
    this.found = isCompacted(this.tables, day, block)
    if (!this.found) return
    this.presence ??= new CellColumns(dayCellsMax)
    const wish = { columns: [], slots: dayCellsMax / cyclesPerDay }
    this.found = readDayCells(this.tables, { day, block }, this.presence, wish)
  }
}
