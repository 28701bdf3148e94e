/**
 * Cells of one cycle by slot, as they are in memory; raw-codec.ts has the reason.
 *
 *   ┌ slots + 512 varint │ count u8 × slots │ sum f64 × slots │ min │ max │ m2 │ first │ last │
 *   │ actual │ actuals u8 × slots │ flags │ actual kind │ increase f64 of each slot with flag 8 │
 *
 * If a count is no whole number below 256, and in stores of format 8, all counts are f64 and the
 * first number is that of the slots alone. With counts of a byte the record of a full block fits
 * one page of LMDB. Slots after the last present one are omitted. An absent cell is all zeros.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import type { ByteReader, ByteWriter } from "../../../codec/bytes.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { clearCells, hasIncrease, isPresent, type CellColumns } from "../../../rollup/cell.ts"
import { bytesOf } from "./plain-bytes.ts"

const wide = ["sum", "min", "max", "m2", "first", "last", "actual"] as const
/** Small whole numbers. */
const narrow = ["actuals", "flags", "actualKind"] as const

/** Is added to the number of slots if each count takes a byte. */
const byteCounts = 512

/** Fewer numbers are copied one by one in less time than creating a view takes. */
const viewedMin = 32

/** Appends the cells, all of them in the first `end` slots; clears absent cells between them. */
export function encodePlainCells(writer: ByteWriter, cells: CellColumns, end: number): void {
  assert(end <= seriesPerBlock && cells.length >= end, "Expected a cell a slot")
  let slots = end
  while (slots > 0 && !isPresent(cells, slots - 1)) slots--
  for (let slot = 0; slot < slots; slot++) {
    if (!isPresent(cells, slot)) clearCells(cells, slot, slot + 1)
  }
  if (fitBytes(cells.count, slots)) {
    writer.varint(slots + byteCounts)
    writeNarrow(writer, cells.count, slots)
  } else {
    writer.varint(slots)
    writeWide(writer, cells.count, slots)
  }
  for (const name of wide) writeWide(writer, cells[name], slots)
  for (const name of narrow) writeNarrow(writer, cells[name], slots)
  for (let slot = 0; slot < slots; slot++) {
    if (hasIncrease(cells, slot)) writer.f64(cells.increase[slot]!)
  }
}

function fitBytes(column: Float64Array, slots: number): boolean {
  for (let slot = 0; slot < slots; slot++) {
    const value = column[slot]!
    if (value !== (value & 255)) return false
  }
  return true
}

function writeWide(writer: ByteWriter, column: Float64Array, slots: number): void {
  if (slots >= viewedMin) writer.append(bytesOf(column, slots))
  else for (let slot = 0; slot < slots; slot++) writer.f64(column[slot]!)
}

function writeNarrow(writer: ByteWriter, column: Float64Array, slots: number): void {
  writer.reserve(slots)
  const { bytes, position } = writer
  for (let slot = 0; slot < slots; slot++) bytes[position + slot] = column[slot]!
  writer.position += slots
}

/**
 * Decodes up to the end into the first cells; leaves the others as they are. Returns the number of
 * slots.
 */
export function decodePlainCells(reader: ByteReader, cells: CellColumns): number {
  const head = reader.varint()
  const slots = head < byteCounts ? head : head - byteCounts
  if (slots > seriesPerBlock) throw new CorruptError(`Expected at most 256 slots, got ${slots}`)
  assert(slots <= cells.length, "Expected space for the cells")
  if (head < byteCounts) readWide(reader, cells.count, slots)
  else readNarrow(reader, cells.count, slots)
  for (const name of wide) readWide(reader, cells[name], slots)
  for (const name of narrow) readNarrow(reader, cells[name], slots)
  if (reader.position === reader.end) return slots
  for (let slot = 0; slot < slots; slot++) {
    if (hasIncrease(cells, slot)) cells.increase[slot] = reader.f64()
  }
  return slots
}

function readWide(reader: ByteReader, column: Float64Array, slots: number): void {
  if (slots >= viewedMin) bytesOf(column, slots).set(reader.take(8 * slots))
  else for (let slot = 0; slot < slots; slot++) column[slot] = reader.f64()
}

function readNarrow(reader: ByteReader, column: Float64Array, slots: number): void {
  if (slots >= viewedMin) column.set(reader.take(slots))
  else for (let slot = 0; slot < slots; slot++) column[slot] = reader.u8()
}
