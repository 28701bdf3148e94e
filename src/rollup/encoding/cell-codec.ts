/**
 * One column of the cells of one series as bytes. Only present cells are in the streams.
 *
 *     count                         presence and count, see presence-codec.ts
 *     sum, min, max, first, last    a value stream; or one byte if all equal the sum, as they do if
 *                                   each bucket has one observation
 *     m2                            see m2-codec.ts
 *     actual                        see actual-codec.ts
 *
 * The count column is decoded first, because the others depend on it. A column may be derived from
 * others, its sources, which are decoded before it; `encodeColumn` returns them.
 */

import { assert } from "../../base/assert.ts"
import type { ByteReader, ByteWriter } from "../../codec/bytes.ts"
import { FloatWorkspace } from "../../codec/workspace.ts"
import { decodeValues, encodeValues } from "../../codec/value-stream.ts"
import { decodeActual, encodeActual } from "./actual-codec.ts"
import type { CellColumns } from "../cell.ts"
import { isPresent } from "../cell.ts"
import { type CellColumnName, columnBit } from "./column-name.ts"
import {
  countPresent,
  decodePresence,
  encodePresence,
  gatherPresent,
  spreadPresent,
} from "./presence-codec.ts"
import { decodeMoments, divideMoments, encodeM2 } from "./m2-codec.ts"

/** A mode byte that no value stream begins with. */
const sameAsSum = 29 << 3

const scratch = new FloatWorkspace()
const countScratch = new FloatWorkspace()

/** Appends one column of the cells [from, to) of one series; returns the bits of its sources. */
export function encodeColumn(
  writer: ByteWriter,
  column: CellColumnName,
  cells: CellColumns,
  from: number,
  to: number,
): number {
  assert(from <= to && to <= cells.length, "Expected a range of the cells")
  if (column === "count") {
    encodePresence(writer, cells, from, to)
    return 0
  }
  if (column === "actual") return encodeActual(writer, cells, from, to)
  const values = scratch.take(to - from)
  const count = gatherPresent(cells[column], cells, from, to, values)
  if (count === 0) return 0
  if (column === "m2") {
    const counts = countScratch.take(to - from)
    gatherPresent(cells.count, cells, from, to, counts)
    encodeM2(writer, values, counts, count)
    return 0
  }
  if (column !== "sum" && equalsSum(cells[column], cells, from, to)) {
    writer.u8(sameAsSum)
    return columnBit("sum")
  }
  encodeValues(writer, values, count)
  return 0
}

/** Reads one column of one series into the cells [from, to); absent cells get 0. */
export function decodeColumn(
  reader: ByteReader,
  column: CellColumnName,
  cells: CellColumns,
  from: number,
  to: number,
): void {
  assert(from <= to && to <= cells.length, "Expected space for the cells")
  if (column === "count") decodePresence(reader, cells, from, to)
  else if (column === "actual") decodeActual(reader, cells, from, to)
  else if (column === "m2") decodeM2(reader, cells, from, to)
  else decodePlain(reader, cells[column], cells, from, to)
}

function decodePlain(
  reader: ByteReader,
  column: Float64Array,
  cells: CellColumns,
  from: number,
  to: number,
): void {
  const count = countPresent(cells, from, to)
  if (count > 0) {
    reader.require(1)
    if (reader.bytes[reader.position] === sameAsSum) {
      reader.position++
      column.set(cells.sum.subarray(from, to), from)
      return
    }
  }
  decodeValues(reader, column, from, count)
  spreadPresent(column, cells, from, to, count)
}

/** True if the column at the reader, of present cells, says that all its values equal the sum. */
export function isSameAsSum(reader: ByteReader): boolean {
  return reader.end - reader.position === 1 && reader.u8() === sameAsSum
}

function decodeM2(reader: ByteReader, cells: CellColumns, from: number, to: number): void {
  const count = countPresent(cells, from, to)
  if (count === 0) {
    cells.m2.fill(0, from, to)
    return
  }
  const scale = decodeMoments(reader, cells.m2, from, count)
  spreadPresent(cells.m2, cells, from, to, count)
  if (scale >= 0) divideMoments(cells.m2, cells.count, from, to, scale)
}

function equalsSum(column: Float64Array, cells: CellColumns, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (!Object.is(column[i], cells.sum[i]) && isPresent(cells, i)) return false
  }
  return true
}
