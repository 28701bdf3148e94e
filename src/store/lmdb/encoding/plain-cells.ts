/**
 * Cells of one cycle by slot, as they are in memory; raw-codec.ts has the reason.
 *
 *   ┌ slots varint │ count f64 × slots │ sum │ min │ max │ m2 │ first │ last │ actual │
 *   │ actuals u8 × slots │ flags │ actual kind │ increase f64 of each slot with flag 8 │
 *
 * Slots after the last present one are omitted. An absent cell is all zeros.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import type { ByteReader, ByteWriter } from "../../../codec/bytes.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { clearCells, hasIncrease, isPresent, type CellColumns } from "../../../rollup/cell.ts"
import { bytesOf } from "./plain-bytes.ts"

const wide = ["count", "sum", "min", "max", "m2", "first", "last", "actual"] as const
/** Small whole numbers. */
const narrow = ["actuals", "flags", "actualKind"] as const

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
  writer.varint(slots)
  for (const name of wide) writeWide(writer, cells[name], slots)
  for (const name of narrow) writeNarrow(writer, cells[name], slots)
  for (let slot = 0; slot < slots; slot++) {
    if (hasIncrease(cells, slot)) writer.f64(cells.increase[slot]!)
  }
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
  const slots = reader.varint()
  if (slots > seriesPerBlock) throw new CorruptError(`Expected at most 256 slots, got ${slots}`)
  assert(slots <= cells.length, "Expected space for the cells")
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
