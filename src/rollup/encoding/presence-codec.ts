/**
 * The count column: which cells are present, and the attributes of each:
 *
 *     ┌─────────┬──────────────────┬─────────────────────────────────────────────────────────────┐
 *     │ form u8 │ presence         │ value streams over the present cells: count; then flags,    │
 *     │         │                  │ actual kind and actuals as `form` says                      │
 *     └─────────┴──────────────────┴─────────────────────────────────────────────────────────────┘
 *     form & 3   0 none · 1 all · 2 varint lengths of runs, absent first, in turn
 *                3 bit map, lowest bit first
 *     form & 4   some flags are not 0   & 8   some kind is not 0   & 16   some actuals are not 1
 *
 * The encoder chooses the smaller of runs and bit map.
 */

import type { ByteReader } from "../../codec/bytes.ts"
import { ByteWriter } from "../../codec/bytes.ts"
import { CorruptError } from "../../codec/corrupt-error.ts"
import { FloatWorkspace } from "../../codec/workspace.ts"
import { decodeValues, encodeValues, isOneValue } from "../../codec/value-stream.ts"
import type { CellColumns } from "../cell.ts"
import { flagSynthetic, isPresent } from "../cell.ts"

const presentNone = 0
const presentAll = 1
const presentRuns = 2
const presentMap = 3
const flagsBit = 4
const kindBit = 8
const actualsBit = 16

const scratch = new FloatWorkspace()
const maskScratch = new FloatWorkspace()
const runs = new ByteWriter(256)

/** Returns the number of cells in [from, to) that are present. */
export function countPresent(cells: CellColumns, from: number, to: number): number {
  const counts = cells.count
  const flags = cells.flags
  let present = 0
  for (let i = from; i < to; i++) {
    present += counts[i]! > 0 || (flags[i]! & flagSynthetic) !== 0 ? 1 : 0
  }
  return present
}

/** Copies `column` of the present cells in [from, to) to `values`; returns their number. */
export function gatherPresent(
  column: Float64Array,
  cells: CellColumns,
  from: number,
  to: number,
  values: Float64Array,
): number {
  let count = 0
  for (let i = from; i < to; i++) {
    if (isPresent(cells, i)) values[count++] = column[i]!
  }
  return count
}

/** The inverse, in place: moves `count` values from `from` on to their cells; the others get 0. */
export function spreadPresent(
  column: Float64Array,
  cells: CellColumns,
  from: number,
  to: number,
  count: number,
): void {
  if (count === to - from) return
  let next = from + count
  for (let i = to - 1; i >= from; i--) column[i] = isPresent(cells, i) ? column[--next]! : 0
}

/** Appends the count column of the cells [from, to). */
export function encodePresence(
  writer: ByteWriter,
  cells: CellColumns,
  from: number,
  to: number,
): void {
  const present = countPresent(cells, from, to)
  if (present === 0) {
    writer.u8(presentNone)
    return
  }
  const kind = present === to - from ? presentAll : smallerOfRunsAndMap(cells, from, to)
  const form =
    kind |
    (hasOther(cells.flags, cells, from, to, 0) ? flagsBit : 0) |
    (hasOther(cells.actualKind, cells, from, to, 0) ? kindBit : 0) |
    (hasOther(cells.actuals, cells, from, to, 1) ? actualsBit : 0)
  writer.u8(form)
  if (kind === presentRuns) writer.append(runs.bytes, runs.position)
  if (kind === presentMap) writeMap(writer, cells, from, to)
  writeColumn(writer, cells.count, cells, from, to)
  if (form & flagsBit) writeColumn(writer, cells.flags, cells, from, to)
  if (form & kindBit) writeColumn(writer, cells.actualKind, cells, from, to)
  if (form & actualsBit) writeColumn(writer, cells.actuals, cells, from, to)
}

/** Returns the smaller form; writes the runs to `runs`. */
function smallerOfRunsAndMap(cells: CellColumns, from: number, to: number): number {
  writeRuns(cells, from, to)
  const mapSize = (to - from + 7) >>> 3
  return runs.position <= mapSize ? presentRuns : presentMap
}

function writeColumn(
  writer: ByteWriter,
  column: Float64Array,
  cells: CellColumns,
  from: number,
  to: number,
): void {
  const values = scratch.take(to - from)
  encodeValues(writer, values, gatherPresent(column, cells, from, to, values))
}

function hasOther(
  column: Float64Array,
  cells: CellColumns,
  from: number,
  to: number,
  usual: number,
): boolean {
  for (let i = from; i < to; i++) {
    if (column[i] !== usual && isPresent(cells, i)) return true
  }
  return false
}

function writeRuns(cells: CellColumns, from: number, to: number): void {
  runs.reset()
  let present = false
  let start = from
  for (let i = from; i < to; i++) {
    if (isPresent(cells, i) === present) continue
    runs.varint(i - start)
    present = !present
    start = i
  }
  runs.varint(to - start)
}

function writeMap(writer: ByteWriter, cells: CellColumns, from: number, to: number): void {
  for (let i = from; i < to; i += 8) {
    let bits = 0
    for (let bit = 0; bit < 8 && i + bit < to; bit++) {
      if (isPresent(cells, i + bit)) bits |= 1 << bit
    }
    writer.u8(bits)
  }
}

/** Reads the count column into the cells [from, to): count, flags, actual kind and actuals. */
export function decodePresence(
  reader: ByteReader,
  cells: CellColumns,
  from: number,
  to: number,
): void {
  const form = reader.u8()
  if (form > 31) throw new CorruptError(`Expected the form of a count column, got ${form}`)
  const kind = form & 3
  if (kind === presentNone && form !== presentNone) {
    throw new CorruptError(`Expected no other bits with absence, got ${form}`)
  }
  const mask = maskScratch.take(to - from)
  const present = readMask(reader, kind, mask, to - from)
  readColumn(reader, cells.count, from, to, mask, present)
  if (form & flagsBit) readColumn(reader, cells.flags, from, to, mask, present)
  else cells.flags.fill(0, from, to)
  if (form & kindBit) readColumn(reader, cells.actualKind, from, to, mask, present)
  else cells.actualKind.fill(0, from, to)
  if (form & actualsBit) readColumn(reader, cells.actuals, from, to, mask, present)
  else cells.actuals.set(mask.subarray(0, to - from), from)
}

/**
 * Returns the common count of `length` cells if all are present and have the same count, no flags,
 * the first actual kind and one actual; otherwise 0. Moves the reader in both cases.
 */
export function readUniformCount(reader: ByteReader, length: number): number {
  if (reader.u8() !== presentAll || length === 0) return 0
  const counts = scratch.take(1)
  if (!isOneValue(reader)) return 0
  decodeValues(reader, counts, 0, 1)
  return reader.position === reader.end && counts[0]! > 0 ? counts[0]! : 0
}

/** Fills `mask` with 1 for present and 0 for absent; returns the number of present cells. */
function readMask(reader: ByteReader, kind: number, mask: Float64Array, length: number): number {
  if (kind === presentRuns) return readRuns(reader, mask, length)
  if (kind === presentMap) return readMap(reader, mask, length)
  mask.fill(kind === presentAll ? 1 : 0, 0, length)
  return kind === presentAll ? length : 0
}

function readRuns(reader: ByteReader, mask: Float64Array, length: number): number {
  let at = 0
  let value = 0
  let present = 0
  while (at < length) {
    const run = reader.varint()
    if (run > length - at || (run === 0 && at > 0)) {
      throw new CorruptError(`Expected a run of 1 to ${length - at} cells, got ${run}`)
    }
    mask.fill(value, at, at + run)
    present += value * run
    at += run
    value = 1 - value
  }
  return present
}

function readMap(reader: ByteReader, mask: Float64Array, length: number): number {
  const map = reader.take((length + 7) >>> 3)
  let present = 0
  for (let i = 0; i < length; i++) {
    const bit = (map[i >>> 3]! >>> (i & 7)) & 1
    mask[i] = bit
    present += bit
  }
  return present
}

function readColumn(
  reader: ByteReader,
  column: Float64Array,
  from: number,
  to: number,
  mask: Float64Array,
  present: number,
): void {
  decodeValues(reader, column, from, present)
  if (present === to - from) return
  let next = from + present
  for (let i = to - from - 1; i >= 0; i--) column[from + i] = mask[i] === 1 ? column[--next]! : 0
}
