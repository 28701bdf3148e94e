/**
 * The actual column. In most cases every actual can be derived from the other columns by its kind;
 * then only that fact is stored:
 *
 *     0                      all derived; averages lie within [min, max]
 *     1 │ values             all stored
 *     2 │ 0/1 │ values       stored if 1 (a gap fill, a coarser minimum)
 *
 * Only cells that have an actual are in the streams. If 4 is added to the first byte, the increases
 * of the counters' cells with drops follow as values.
 */

import type { ByteReader, ByteWriter } from "../../codec/bytes.ts"
import { CorruptError } from "../../codec/corrupt-error.ts"
import { decodeIntegers, encodeIntegers } from "../../codec/integer-stream.ts"
import { FloatWorkspace } from "../../codec/workspace.ts"
import { decodeValues, encodeValues } from "../../codec/value-stream.ts"
import type { CellColumns } from "../cell.ts"
import { averageKind, derivedActual, hasActual, hasIncrease } from "../cell.ts"
import { columnBit } from "./column-name.ts"
import { averageOf } from "../sum.ts"

const allDerived = 0
const allStored = 1
const mixed = 2
const increasesBit = 4

/** By actual kind: the column that an actual is derived from, besides the count column. */
const sourceBits = [
  columnBit("sum"),
  columnBit("sum"),
  columnBit("min"),
  columnBit("max"),
  columnBit("last"),
  0,
  0,
  0,
]

const markScratch = new FloatWorkspace()
const valueScratch = new FloatWorkspace()

/**
 * Appends the actuals of the cells [from, to); returns the bits of the columns they derive from.
 */
export function encodeActual(
  writer: ByteWriter,
  cells: CellColumns,
  from: number,
  to: number,
): number {
  const marks = markScratch.take(to - from)
  const values = valueScratch.take(to - from)
  let count = 0
  let stored = 0
  let sources = 0
  for (let i = from; i < to; i++) {
    if (!hasActual(cells, i)) continue
    const actual = cells.actual[i]!
    const isDerived = Object.is(actual, derivedActual(cells, i)) && isInRange(cells, i)
    marks[count++] = isDerived ? 0 : 1
    if (isDerived) sources |= sourceBits[cells.actualKind[i]!] ?? 0
    else values[stored++] = actual
  }
  const form = stored === 0 ? allDerived : stored === count ? allStored : mixed
  // The actual of a counter is never derived.
  const hasIncreases = count - stored < to - from && haveIncreases(cells, from, to)
  writer.u8(hasIncreases ? form | increasesBit : form)
  if (stored > 0 && stored < count) encodeIntegers(writer, marks, count)
  encodeValues(writer, values, stored)
  if (hasIncreases) encodeIncreases(writer, cells, from, to)
  return sources
}

/**
 * False for an average beyond min or max, as rounding or an aggregate of a client can make it: if
 * all actuals are derived, averages are read without min and max.
 */
function isInRange({ actualKind, actual, min, max }: CellColumns, at: number): boolean {
  return actualKind[at] !== averageKind || (actual[at]! >= min[at]! && actual[at]! <= max[at]!)
}

function haveIncreases(cells: CellColumns, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (hasIncrease(cells, i)) return true
  return false
}

function encodeIncreases(writer: ByteWriter, cells: CellColumns, from: number, to: number): void {
  const values = valueScratch.take(to - from)
  let count = 0
  for (let i = from; i < to; i++) if (hasIncrease(cells, i)) values[count++] = cells.increase[i]!
  encodeValues(writer, values, count)
}

/** Reads actuals and increases of the cells [from, to), whose source columns are decoded. */
export function decodeActual(
  reader: ByteReader,
  cells: CellColumns,
  from: number,
  to: number,
): void {
  const head = reader.u8()
  const form = head & ~increasesBit
  if (form === allDerived) deriveAll(cells, from, to)
  else if (form === allStored || form === mixed) readStored(reader, cells, from, to, form)
  else throw new CorruptError(`Expected the form of an actual column, got ${head}`)
  if (head !== form) readIncreases(reader, cells, from, to)
}

function readIncreases(reader: ByteReader, cells: CellColumns, from: number, to: number): void {
  let count = 0
  for (let i = from; i < to; i++) if (hasIncrease(cells, i)) count++
  const values = valueScratch.take(to - from)
  decodeValues(reader, values, 0, count)
  let next = 0
  for (let i = from; i < to; i++) if (hasIncrease(cells, i)) cells.increase[i] = values[next++]!
}

/** True if the actual column at the reader says that all are derived, and averages in range. */
export function isAllDerived(reader: ByteReader): boolean {
  return reader.end - reader.position === 1 && reader.u8() === allDerived
}

function deriveAll(cells: CellColumns, from: number, to: number): void {
  const { actual, actuals, sum, count, actualKind } = cells
  for (let i = from; i < to; i++) {
    if (!(actuals[i]! > 0)) actual[i] = 0
    else if (actualKind[i] === averageKind) actual[i] = averageOf(sum[i]!, count[i]!)
    else actual[i] = derivedActual(cells, i)
  }
}

function readStored(
  reader: ByteReader,
  cells: CellColumns,
  from: number,
  to: number,
  form: number,
): void {
  let count = 0
  for (let i = from; i < to; i++) if (hasActual(cells, i)) count++
  const marks = markScratch.take(to - from)
  if (form === mixed) decodeIntegers(reader, marks, 0, count)
  else marks.fill(1, 0, count)
  let stored = 0
  for (let i = 0; i < count; i++) stored += marks[i] === 1 ? 1 : 0
  const values = valueScratch.take(to - from)
  decodeValues(reader, values, 0, stored)
  let nextMark = 0
  let nextValue = 0
  for (let i = from; i < to; i++) {
    if (!hasActual(cells, i)) cells.actual[i] = 0
    else cells.actual[i] = marks[nextMark++] === 1 ? values[nextValue++]! : derivedActual(cells, i)
  }
}
