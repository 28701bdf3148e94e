/**
 * All columns of some cells in one value, for the small tables: recent cycles, hours and days.
 *
 *   ┌ length u32 │ column "count" ┬ length u32 │ column "sum" ┬ … one after the other
 */

import { assert } from "../../../base/assert.ts"
import type { ByteReader, ByteWriter } from "../../../codec/bytes.ts"
import type { CellColumns } from "../../../rollup/cell.ts"
import { decodeColumn, encodeColumn } from "../../../rollup/encoding/cell-codec.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"

/** Appends the cells `[from, to)`. */
export function encodeCells(
  writer: ByteWriter,
  cells: CellColumns,
  from: number,
  to: number,
): void {
  assert(from <= to && to <= cells.length, "Expected a range of the cells")
  for (const name of cellColumnNames) {
    const at = writer.position
    writer.u32(0)
    encodeColumn(writer, name, cells, from, to)
    writer.patchU32(at, writer.position - at - 4)
  }
}

/** Decodes the count column of the cells `[from, to)`, which says which of them are present. */
export function decodeCountColumn(
  reader: ByteReader,
  cells: CellColumns,
  from: number,
  to: number,
): void {
  reader.u32()
  decodeColumn(reader, cellColumnNames[0], cells, from, to)
}

/** Decodes the cells `[from, to)`. */
export function decodeCells(
  reader: ByteReader,
  cells: CellColumns,
  from: number,
  to: number,
): void {
  for (const name of cellColumnNames) {
    const length = reader.u32()
    const end = reader.position + length
    decodeColumn(reader, name, cells, from, to)
    assert(reader.position === end, "Expected a column as long as it was written")
  }
}
