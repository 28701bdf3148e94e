/**
 * One column of a block of series over one span (256 series × the 288 buckets of a day) as one
 * value of the store, from which a single series can be read:
 *
 *     ┌────────────┬───────────┬────────────┬─────────┬─────────┬───────────────┬────────────────┐
 *     │ version u8 │ layout u8 │ sources u8 │ slots   │ buckets │ bytes a slot, │ the column of  │
 *     │ 1          │ 0 or 1    │ columnBit  │ varint  │ varint  │ integer stream│ slot 0, 1, 2 … │
 *     └────────────┴───────────┴────────────┴─────────┴─────────┴───────────────┴────────────────┘
 *
 * Layout 1: all slots have the same bytes, which are stored once, with one size (a block whose
 * series all have five samples per bucket has a count column of a dozen bytes). Cells are ordered
 * by slot: those of slot s are [s × buckets, (s + 1) × buckets).
 */

import { assert } from "../../base/assert.ts"
import { ByteReader, ByteWriter } from "../../codec/bytes.ts"
import { CorruptError } from "../../codec/corrupt-error.ts"
import { decodeIntegers, encodeIntegers } from "../../codec/integer-stream.ts"
import { FloatWorkspace } from "../../codec/workspace.ts"
import { decodeColumn, encodeColumn } from "./cell-codec.ts"
import type { CellColumns } from "../cell.ts"
import { type CellColumnName, columnsOfBits } from "./column-name.ts"

const version = 1
const layoutSlots = 0
const layoutSame = 1

/** Bounds the memory that a damaged value can make a reader allocate. */
const slotCountMax = 65_536
const bucketCountMax = 65_536

export interface BlockShape {
  readonly slotCount: number
  readonly bucketCount: number
}

/**
 * Position of the buckets of a block among cells: those of slot s are at [s × stride + offset,
 * s × stride + offset + bucketCount). A block can thus hold a part of the buckets of the cells.
 */
export interface CellPlacement {
  readonly stride: number
  readonly offset: number
}

const body = new ByteWriter(1 << 16)
const head = new ByteWriter(1 << 10)
const sizeScratch = new FloatWorkspace()

/**
 * Encodes one column of all slots of `cells`; a pure function of the cells. Without a placement
 * the slots are contiguous.
 */
export function encodeColumnBlock(
  column: CellColumnName,
  cells: CellColumns,
  { slotCount, bucketCount }: BlockShape,
  { stride, offset }: CellPlacement = { stride: bucketCount, offset: 0 },
): Uint8Array<ArrayBuffer> {
  assert(offset + bucketCount <= stride, "Expected the buckets of a slot within its stride")
  assert(slotCount * stride <= cells.length, "Expected cells for all slots")
  assert(slotCount <= slotCountMax && bucketCount <= bucketCountMax, "Expected a smaller block")
  const sizes = sizeScratch.take(slotCount)
  let sources = 0
  body.reset()
  for (let slot = 0; slot < slotCount; slot++) {
    const start = body.position
    const from = slot * stride + offset
    sources |= encodeColumn(body, column, cells, from, from + bucketCount)
    sizes[slot] = body.position - start
  }
  const isSame = slotCount > 1 && slotsAreSame(sizes, slotCount)
  head.reset()
  head.u8(version)
  head.u8(isSame ? layoutSame : layoutSlots)
  head.u8(sources)
  head.varint(slotCount)
  head.varint(bucketCount)
  encodeIntegers(head, sizes, isSame ? 1 : slotCount)
  head.append(body.bytes, isSame ? sizes[0]! : body.position)
  return head.finish()
}

function slotsAreSame(sizes: Float64Array, slotCount: number): boolean {
  const size = sizes[0]!
  for (let slot = 1; slot < slotCount; slot++) if (sizes[slot] !== size) return false
  const { bytes } = body
  for (let at = size; at < size * slotCount; at++) if (bytes[at] !== bytes[at - size]) return false
  return true
}

interface Block extends BlockShape {
  readonly reader: ByteReader
  readonly isSame: boolean
  readonly sources: number
  /** Position of slot 0. */
  readonly start: number
  /** Valid until the next head is read. */
  readonly sizes: Float64Array
}

/**
 * Reads the slots of a block one after the other, while other blocks are being read. The bytes must
 * not change until the last slot has been read.
 */
export class ColumnBlockReader {
  readonly column: CellColumnName
  slotCount = 0
  bucketCount = 0
  /** True if all slots have the same bytes. */
  isSame = false
  private reader = new ByteReader(new Uint8Array(0))
  /** Start of each slot, and end of the last one. */
  private starts = new Int32Array(2)

  constructor(column: CellColumnName) {
    this.column = column
  }

  /** Throws CorruptError if the bytes are not exactly one block. */
  open(bytes: Uint8Array): void {
    const { reader, isSame, slotCount, bucketCount, start, sizes } = readBlockHead(bytes)
    const stored = isSame ? 1 : slotCount
    if (this.starts.length <= stored) this.starts = new Int32Array(stored + 1)
    let at = start
    for (let slot = 0; slot < stored; slot++) {
      this.starts[slot] = at
      at += checkedSize(sizes[slot]!, at, bytes.length)
    }
    this.starts[stored] = at
    if (slotCount > 0 && at !== bytes.length) {
      throw new CorruptError(`Expected ${at} bytes, got ${bytes.length}`)
    }
    Object.assign(this, { reader, isSame, slotCount, bucketCount })
  }

  /** Returns a reader of the column of a slot; valid until the next call. */
  slot(slot: number): ByteReader {
    const at = this.isSame ? 0 : slot
    assert(slot < this.slotCount, `Expected a slot below ${this.slotCount}`)
    this.reader.position = this.starts[at]!
    this.reader.end = this.starts[at + 1]!
    return this.reader
  }

  /** Reads the column of a slot into the cells from `at` on, which hold the source columns. */
  decode(slot: number, cells: CellColumns, at: number): void {
    const reader = this.slot(slot)
    decodeColumn(reader, this.column, cells, at, at + this.bucketCount)
    checkEnd(reader)
  }
}

/** Throws CorruptError unless all bytes of a slot were read. */
export function checkEnd(reader: ByteReader): void {
  if (reader.position !== reader.end) {
    throw new CorruptError(`Expected the slot to end at ${reader.end}, not ${reader.position}`)
  }
}

function checkedSize(size: number, start: number, length: number): number {
  if (Number.isInteger(size) && size >= 0 && start + size <= length) return size
  throw new CorruptError(`Expected ${size} bytes at ${start}, got ${length} in all`)
}

function readBlockHead(bytes: Uint8Array): Block {
  const reader = new ByteReader(bytes)
  const written = reader.u8()
  if (written !== version) throw new CorruptError(`Expected block version 1, got ${written}`)
  const layout = reader.u8()
  if (layout > layoutSame) throw new CorruptError(`Expected a block layout 0 or 1, got ${layout}`)
  const sources = reader.u8()
  const slotCount = reader.varint()
  const bucketCount = reader.varint()
  if (slotCount > slotCountMax || bucketCount > bucketCountMax) {
    throw new CorruptError(`Expected a smaller block, got ${slotCount} × ${bucketCount}`)
  }
  const isSame = layout === layoutSame
  const sizes = sizeScratch.take(slotCount)
  decodeIntegers(reader, sizes, 0, isSame ? 1 : slotCount)
  return { reader, isSame, sources, slotCount, bucketCount, start: reader.position, sizes }
}

/** Returns the number of slots and buckets of a block. */
export function columnBlockShape(bytes: Uint8Array): BlockShape {
  const { slotCount, bucketCount } = readBlockHead(bytes)
  return { slotCount, bucketCount }
}

/**
 * Returns the columns that must be decoded before this one, besides `count`: in most cases none,
 * for `actual` the sum.
 */
export function columnBlockSources(bytes: Uint8Array): CellColumnName[] {
  return columnsOfBits(readBlockHead(bytes).sources)
}

/**
 * Reads one column of all slots into `cells`, which hold the source columns. Without a placement
 * the slots are contiguous. Throws CorruptError.
 */
export function decodeColumnBlock(
  bytes: Uint8Array,
  column: CellColumnName,
  cells: CellColumns,
  placement?: CellPlacement,
): void {
  const block = readBlockHead(bytes)
  const { stride, offset } = placement ?? { stride: block.bucketCount, offset: 0 }
  assert(block.slotCount * stride <= cells.length, "Expected space for all slots")
  let start = block.start
  for (let slot = 0; slot < block.slotCount; slot++) {
    const size = block.sizes[block.isSame ? 0 : slot]!
    decodeSlot(block, start, size, column, cells, slot * stride + offset)
    if (!block.isSame) start += size
  }
  const end = block.isSame ? start + block.sizes[0]! : start
  if (block.slotCount > 0 && end !== bytes.length) {
    throw new CorruptError(`Expected ${end} bytes, got ${bytes.length}`)
  }
}

/** Reads one column of one slot into the cells from `at` on, which hold the source columns. */
export function decodeColumnOfSlot(
  bytes: Uint8Array,
  column: CellColumnName,
  slot: number,
  cells: CellColumns,
  at: number,
): void {
  const block = readBlockHead(bytes)
  assert(slot >= 0 && slot < block.slotCount, `Expected a slot below ${block.slotCount}`)
  assert(at + block.bucketCount <= cells.length, "Expected space for the slot")
  let start = block.start
  if (!block.isSame) for (let s = 0; s < slot; s++) start += block.sizes[s]!
  decodeSlot(block, start, block.sizes[block.isSame ? 0 : slot]!, column, cells, at)
}

function decodeSlot(
  { reader, bucketCount }: Block,
  start: number,
  size: number,
  column: CellColumnName,
  cells: CellColumns,
  at: number,
): void {
  reader.position = start
  reader.end = start + checkedSize(size, start, reader.bytes.length)
  decodeColumn(reader, column, cells, at, at + bucketCount)
  checkEnd(reader)
}
