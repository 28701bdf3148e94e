/**
 * Sealed PT5M cells of one block and day: one record a column (rollup/column-block.ts draws it), so
 * that one column is read without the others, and one series without its neighbours.
 */

import { seriesPerBlock } from "../../base/limits.ts"
import { CorruptError } from "../../codec/corrupt.ts"
import { clearCells, type CellColumns } from "../../rollup/cell.ts"
import {
  columnBlockShape,
  columnBlockSources,
  decodeColumnBlock,
  decodeColumnOfSlot,
  encodeColumnBlock,
} from "../../rollup/column-block.ts"
import { cellColumnNames, columnBit, type CellColumnName } from "../../rollup/column-name.ts"
import { encodeRecord, openRecord } from "./record.ts"
import { columnKey, cyclesPerDay, periodKey, type Tables } from "./tables.ts"

/** Cells of a day of one block stand at slot · 288 + cycle of the day. */
export const dayCellsMax = seriesPerBlock * cyclesPerDay

/** The record of one column of `slots` slots. */
export function packColumn(name: CellColumnName, cells: CellColumns, slots: number): Uint8Array {
  const shape = { slotCount: slots, bucketCount: cyclesPerDay }
  return encodeRecord((writer) => writer.append(encodeColumnBlock(name, cells, shape)))
}

export interface DayOfBlock {
  readonly day: number
  readonly block: number
}

/**
 * Reads columns of sealed cells, with those they are derived from, into `cells`; false, and all cells
 * empty, where the day is not sealed. Reads all slots, or `onlySlot`, whose cells stand at the same
 * place then; a slot younger than the seal is empty.
 */
export function readDayCells(
  tables: Tables,
  where: DayOfBlock,
  cells: CellColumns,
  options: {
    readonly columns: readonly CellColumnName[]
    /** Slots of the block; the cells of others are left as they are. */
    readonly slots: number
    readonly onlySlot?: number
  },
): boolean {
  const onlySlot = options.onlySlot ?? -1
  if (onlySlot < 0) clearCells(cells, 0, options.slots * cyclesPerDay)
  else clearCells(cells, onlySlot * cyclesPerDay, (onlySlot + 1) * cyclesPerDay)
  const reading = new DayReading(tables, where, cells, onlySlot)
  if (!reading.read("count")) return false
  for (const name of options.columns) {
    if (!reading.read(name)) throw new CorruptError(`Expected column ${name} of day ${where.day}`)
  }
  return true
}

/** The columns of one day that were read so far. */
class DayReading {
  private readonly tables: Tables
  private readonly where: DayOfBlock
  private readonly cells: CellColumns
  private readonly onlySlot: number
  private done = 0

  constructor(tables: Tables, where: DayOfBlock, cells: CellColumns, onlySlot: number) {
    this.tables = tables
    this.where = where
    this.cells = cells
    this.onlySlot = onlySlot
  }

  /** Reads a column and, before it, its sources; false where it is not stored. */
  read(name: CellColumnName): boolean {
    if ((this.done & columnBit(name)) !== 0) return true
    const { day, block } = this.where
    const key = columnKey(day, block, cellColumnNames.indexOf(name))
    // Volatile: what it holds is read before the next get, unless there are sources to get first.
    let bytes = this.tables.cells.getBinaryFast(key)
    if (bytes === undefined) return false
    let column = payload(bytes)
    const sources = columnBlockSources(column)
    if (sources.length > 0) {
      for (const source of sources) this.read(source)
      bytes = this.tables.cells.getBinaryFast(key)!
      column = payload(bytes)
    }
    this.decode(column, name)
    this.done |= columnBit(name)
    return true
  }

  private decode(column: Uint8Array, name: CellColumnName): void {
    const { onlySlot, cells } = this
    if (onlySlot < 0) decodeColumnBlock(column, name, cells)
    else if (onlySlot < columnBlockShape(column).slotCount) {
      decodeColumnOfSlot(column, name, onlySlot, cells, onlySlot * cyclesPerDay)
    }
  }
}

function payload(bytes: Uint8Array): Uint8Array {
  const reader = openRecord(bytes)
  return reader.take(reader.end - reader.position)
}

/** True where hours and days of (day, block) are written, which is the last thing a seal does. */
export function isSealed(tables: Tables, day: number, block: number): boolean {
  return tables.days.doesExist(periodKey(day, block))
}
