/**
 * Sealed PT5M cells of one block and day: one record a column, so that one column is read without
 * the others, and one series without its neighbours.
 *
 *   ┌ first cycle of the day varint │ column block of the cycles that have data │
 *
 * rollup/encoding/column-block.ts draws the block. Only the cycles between the first and the last
 * with data
 * are in it, so that a day of one hour costs what an hour does.
 */

import { seriesPerBlock } from "../../../base/limits.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { clearPresence, copyCell, isPresent, type CellColumns } from "../../../rollup/cell.ts"
import {
  columnBlockShape,
  columnBlockSources,
  decodeColumnBlock,
  decodeColumnOfSlot,
  encodeColumnBlock,
} from "../../../rollup/encoding/column-block.ts"
import {
  cellColumnNames,
  columnBit,
  type CellColumnName,
} from "../../../rollup/encoding/column-name.ts"
import { encodeRecord, openRecord } from "../disk/record.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { columnKey, periodKey, type Tables } from "../disk/tables.ts"

/** Cells of a day of one block stand at slot · 288 + cycle of the day. */
export const dayCellsMax = seriesPerBlock * cyclesPerDay

/** Cycles of a day, counted from its start: `[from, to)`. */
export interface CycleRange {
  readonly from: number
  readonly to: number
}

export const wholeDay: CycleRange = { from: 0, to: cyclesPerDay }
export const noCycles: CycleRange = { from: 0, to: 0 }

/**
 * The record of one column of `slots` slots, whose present cells all lie in the cycles of `range`,
 * to stand under `key`.
 */
export function packColumn(
  key: Buffer,
  name: CellColumnName,
  cells: CellColumns,
  shape: { readonly slots: number; readonly range: CycleRange },
): Uint8Array {
  const { from, to } = shape.range
  const block = { slotCount: shape.slots, bucketCount: to - from }
  const placement = { stride: cyclesPerDay, offset: from }
  return encodeRecord(key, (writer) => {
    writer.varint(from)
    writer.append(encodeColumnBlock(name, cells, block, placement))
  })
}

/** The present cells of one cycle, one a slot, stand in place of what `day` has of their slots. */
export function overlayCycle(cycle: CellColumns, day: CellColumns, cycleOfDay: number): void {
  for (let slot = 0; slot < seriesPerBlock; slot++) {
    if (isPresent(cycle, slot)) copyCell(cycle, slot, day, slot * cyclesPerDay + cycleOfDay)
  }
}

/**
 * The smallest range that holds all present cells, none of which lies outside `within`; empty where
 * there is none.
 */
export function presentRange(
  cells: CellColumns,
  slots: number,
  within: CycleRange = wholeDay,
): CycleRange {
  let from = within.to
  let to = within.from
  for (let slot = 0; slot < slots; slot++) {
    const start = slot * cyclesPerDay
    for (let cycle = within.from; cycle < from; cycle++) {
      if (isPresent(cells, start + cycle)) from = cycle
    }
    for (let cycle = within.to; cycle > to; cycle--) {
      if (isPresent(cells, start + cycle - 1)) to = cycle
    }
  }
  return from < to ? { from, to } : noCycles
}

export interface DayOfBlock {
  readonly day: number
  readonly block: number
}

/**
 * Reads columns of sealed cells, with those they are derived from, into `cells`; false, and all
 * cells empty, where the day is not sealed. Reads all slots, or `onlySlot`, whose cells stand at
 * the same place then; a slot younger than the seal is empty.
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
  if (onlySlot < 0) clearPresence(cells, 0, options.slots * cyclesPerDay)
  else clearPresence(cells, onlySlot * cyclesPerDay, (onlySlot + 1) * cyclesPerDay)
  const reading = new DayColumnReader(tables, where, cells, onlySlot)
  if (!reading.read("count")) return false
  for (const name of options.columns) {
    if (!reading.read(name)) throw new CorruptError(`Expected column ${name} of day ${where.day}`)
  }
  return true
}

/** The columns of one day that were read so far. */
class DayColumnReader {
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
    let bytes = this.tables.cells.view(key)
    if (bytes === undefined) return false
    const sources = columnBlockSources(openColumnRecord(key, bytes).column)
    if (sources.length > 0) {
      for (const source of sources) this.read(source)
      bytes = this.tables.cells.view(key)!
    }
    this.decode(key, bytes, name)
    this.done |= columnBit(name)
    return true
  }

  private decode(key: Buffer, bytes: Uint8Array, name: CellColumnName): void {
    const { onlySlot, cells } = this
    const { column, offset } = openColumnRecord(key, bytes)
    if (onlySlot < 0) decodeColumnBlock(column, name, cells, { stride: cyclesPerDay, offset })
    else if (onlySlot < columnBlockShape(column).slotCount) {
      decodeColumnOfSlot(column, name, onlySlot, cells, onlySlot * cyclesPerDay + offset)
    }
  }
}

/** What the record of a column holds: its block, and the first cycle of it. */
export function openColumnRecord(
  key: Buffer,
  bytes: Uint8Array,
): { column: Uint8Array; offset: number } {
  const reader = openRecord(key, bytes)
  const offset = reader.varint()
  return { offset, column: reader.take(reader.end - reader.position) }
}

/** True where hours and days of (day, block) are written, which is the last thing a seal does. */
export function isCompacted(tables: Tables, day: number, block: number): boolean {
  return tables.days.doesExist(periodKey(day, block))
}
