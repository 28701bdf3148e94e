/**
 * Compacted PT5M cells of one block and day: one record per column, so that a column is read
 * without the others, and a series without its neighbours.
 *
 *   ┌ first cycle of the day varint │ column block of the cycles that have data │
 *
 * rollup/encoding/column-block.ts draws the block. It holds only the cycles between the first and
 * the last with data, so that a day with one hour of data costs as much as an hour.
 */

import { assert } from "../../../base/assert.ts"
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
import { readSampleTotal } from "../encoding/coarse-record.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { columnKey, periodKey, type Tables, type BlockIndex } from "../disk/tables.ts"

/** The cells of one block's day are at slot · 288 + cycle of the day. */
export const dayCellsMax = seriesPerBlock * cyclesPerDay

/** Cycles of a day, counted from its start: `[from, to)`. */
export interface CycleRange {
  readonly from: number
  readonly to: number
}

export const wholeDay: CycleRange = { from: 0, to: cyclesPerDay }
export const noCycles: CycleRange = { from: 0, to: 0 }

/**
 * Encodes the record, for `key`, of one column of `slots` slots, whose present cells are all in the
 * cycles of `range`.
 */
export function packColumn(
  key: Buffer,
  name: CellColumnName,
  cells: CellColumns,
  shape: { readonly slots: number; readonly range: CycleRange },
): Uint8Array {
  const { from, to } = shape.range
  assert(0 <= from && from <= to && to <= cyclesPerDay, "Expected cycles of one day")
  assert(shape.slots <= seriesPerBlock, "Expected at most one slot a series")
  const block = { slotCount: shape.slots, bucketCount: to - from }
  const placement = { stride: cyclesPerDay, offset: from }
  return encodeRecord(key, (writer) => {
    writer.varint(from)
    writer.append(encodeColumnBlock(name, cells, block, placement))
  })
}

/** Replaces the cells in `day` by the present cells of the first slots of one cycle. */
export function overlayCycle(
  cycle: CellColumns,
  slots: number,
  day: CellColumns,
  cycleOfDay: number,
): void {
  assert(cycleOfDay >= 0 && cycleOfDay < cyclesPerDay, "Expected a cycle of the day")
  assert(slots <= seriesPerBlock, "Expected at most one slot a series")
  for (let slot = 0; slot < slots; slot++) {
    if (isPresent(cycle, slot)) copyCell(cycle, slot, day, slot * cyclesPerDay + cycleOfDay)
  }
}

/**
 * The smallest range that holds all present cells, which must all be in `within`; empty if there
 * are none.
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
  readonly block: BlockIndex
}

/**
 * Reads columns of compacted cells, and the columns they derive from, into `cells`. Returns false,
 * and all cells empty, if the day is not compacted. Reads all slots, or only `onlySlot`, whose
 * cells have the same index then. A slot younger than the compaction is empty.
 */
export function readDayCells(
  tables: Tables,
  where: DayOfBlock,
  cells: CellColumns,
  options: {
    readonly columns: readonly CellColumnName[]
    /** Slots of the block; the cells of other slots are left as they are. */
    readonly slots: number
    readonly onlySlot?: number
  },
): boolean {
  const onlySlot = options.onlySlot ?? -1
  assert(onlySlot < options.slots, "Expected a slot of the block")
  assert(options.slots * cyclesPerDay <= cells.length, "Expected space for the cells of each slot")
  if (onlySlot < 0) clearPresence(cells, 0, options.slots * cyclesPerDay)
  else clearPresence(cells, onlySlot * cyclesPerDay, (onlySlot + 1) * cyclesPerDay)
  const reading = new DayColumnReader(tables, where, cells, onlySlot)
  if (!reading.read("count")) return false
  for (const name of options.columns) {
    if (!reading.read(name)) throw new CorruptError(`Expected column ${name} of day ${where.day}`)
  }
  return true
}

/** The columns of one day that have been read. */
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

  /** Reads a column after its sources. Returns false if it is not stored. */
  read(name: CellColumnName): boolean {
    if ((this.done & columnBit(name)) !== 0) return true
    const { day, block } = this.where
    const key = columnKey(day, block, cellColumnNames.indexOf(name))
    // The view is valid until the next get: decode it first, unless sources must be read before.
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
    const shape = columnBlockShape(column)
    assert(offset + shape.bucketCount <= cyclesPerDay, "Expected cycles of one day")
    if (onlySlot < 0) decodeColumnBlock(column, name, cells, { stride: cyclesPerDay, offset })
    else if (onlySlot < shape.slotCount) {
      decodeColumnOfSlot(column, name, onlySlot, cells, onlySlot * cyclesPerDay + offset)
    }
  }
}

/** Opens the record of a column: its block, and the first cycle in it. */
export function openColumnRecord(
  key: Buffer,
  bytes: Uint8Array,
): { column: Uint8Array; offset: number } {
  const reader = openRecord(key, bytes)
  const offset = reader.varint()
  assert(offset <= cyclesPerDay, "Expected a cycle of the day")
  return { offset, column: reader.take(reader.end - reader.position) }
}

/** True if hours and days of (day, block) are stored, which is the last step of a compaction. */
export function isCompacted(tables: Tables, day: number, block: BlockIndex): boolean {
  return tables.days.doesExist(periodKey(day, block))
}

/**
 * Returns how many raw samples (day, block) had when it was compacted; -1 if it was not, and
 * Infinity if the record that holds their number is damaged.
 */
export function compactedSamples(tables: Tables, day: number, block: BlockIndex): number {
  const key = periodKey(day, block)
  const bytes = tables.days.view(key)
  if (bytes === undefined) return -1
  try {
    return readSampleTotal(key, bytes)
  } catch (error) {
    if (error instanceof CorruptError) return Infinity
    throw error
  }
}
