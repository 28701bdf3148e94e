/** The definition codes that sealed cells record, one day of one block at a time. */

import { seriesPerBlock } from "../../base/limits.ts"
import { CellColumns, isPresent } from "../../rollup/cell.ts"
import { dayCellsMax, isSealed, readDayCells } from "./sealed-cells.ts"
import { cyclesPerDay, type Tables } from "./tables.ts"

export class SealedDefinitions {
  private readonly tables: Tables
  /** At slot · 288 + cycle of the day: the code plus one, 0 where there is no cell. */
  private codes: Uint8Array | null = null
  /** 6.5 MB, made for the first late sample of a sealed day. */
  private cells: CellColumns | null = null
  private day = -1
  private block = -1
  private found = false

  constructor(tables: Tables) {
    this.tables = tables
  }

  /** The code of a sealed cell; -1 where there is none. */
  codeOf(cycle: number, block: number, slot: number): number {
    const day = Math.floor(cycle / cyclesPerDay)
    if (day !== this.day || block !== this.block) this.load(day, block)
    return this.found ? this.codes![slot * cyclesPerDay + (cycle - day * cyclesPerDay)]! - 1 : -1
  }

  /** Forgets what was read: the store has changed. */
  forget(): void {
    this.day = -1
  }

  private load(day: number, block: number): void {
    this.day = day
    this.block = block
    this.found = isSealed(this.tables, day, block)
    if (!this.found) return
    const cells = (this.cells ??= new CellColumns(dayCellsMax))
    this.found = readDayCells(this.tables, { day, block }, cells, {
      columns: [],
      slots: seriesPerBlock,
    })
    this.codes ??= new Uint8Array(dayCellsMax)
    for (let at = 0; at < dayCellsMax; at++) {
      this.codes[at] = isPresent(cells, at) ? cells.definition[at]! + 1 : 0
    }
  }
}
