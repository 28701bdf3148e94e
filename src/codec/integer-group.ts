/**
 * Up to 64 safe integers as offsets from a common base:
 *
 *     ┌───────┬─────────────┬──────────────────────┬───────────────────────────────────┐
 *     │ width │ base        │ offsets              │ outliers, if width has bit 7      │
 *     │ u8    │ zigzag      │ count × width bits   │ count u8, (index u8, zigzag)*     │
 *     └───────┴─────────────┴──────────────────────┴───────────────────────────────────┘
 *
 * Width 0: all equal the base. 1..24: packed bits. 25..40: the low 16 bits of each as u16, then the
 * rest packed; 41..53: the low 32 bits as u32, then the rest. 64: no base, the numbers as f64 (if
 * they are further apart than 2^53). A few values far from the others (a spike, a gap in time) are
 * stored separately as outliers if that is smaller; their packed offset is 0.
 */

import {
  addUp,
  bitLength,
  packBits,
  packedSize,
  packedWidthMax,
  unpackBits,
  unpackSums,
} from "./bits.ts"
import { type ByteReader, type ByteWriter, zigzagSize } from "./bytes.ts"
import { CorruptError } from "./corrupt-error.ts"

export const groupSize = 64

const widthMax = 53
const widthRaw = 64

/** 2^k; a table, since `2 ** k` is a call of 20 ns. */
const powersOfTwo = Float64Array.from({ length: widthRaw + 1 }, (_, k) => 2 ** k)

const outlierBit = 0x80
/** Below this width outliers cannot save their two bytes and more. */
const outlierWidthMin = 6
const outlierGroupMin = 16
/** More outliers than this cost more than the bits they save. */
const outlierCountMax = 12

/**
 * Layout of one group, filled by `planGroup` and valid until its next call. The base is initialized
 * with NaN so that V8 does not compile for small integers first.
 */
const plan = { base: NaN, width: 0, outliers: false, size: 0 }

/** Layouts of the groups of one stream: filled by `planIntegerGroups`, used by `writeGroups`. */
export class GroupPlans {
  bases = new Float64Array(64)
  /** Width of each group, with `outlierBit`. */
  heads = new Uint8Array(64)

  reserve(groupCount: number): void {
    if (this.heads.length >= groupCount) return
    this.bases = new Float64Array(groupCount * 2)
    this.heads = new Uint8Array(groupCount * 2)
  }
}

/** Plans the smallest layout of `values[0..count)` in groups; returns its bytes. */
export function planIntegerGroups(values: Float64Array, count: number, plans: GroupPlans): number {
  plans.reserve(Math.ceil(count / groupSize))
  let size = 0
  for (let from = 0, group = 0; from < count; from += groupSize, group++) {
    planGroup(values, from, Math.min(from + groupSize, count))
    plans.bases[group] = plan.base
    plans.heads[group] = plan.outliers ? plan.width | outlierBit : plan.width
    size += plan.size
  }
  return size
}

/** Appends `values[0..count)` as planned. */
export function writeGroups(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  plans: GroupPlans,
): void {
  for (let from = 0, group = 0; from < count; from += groupSize, group++) {
    const to = Math.min(from + groupSize, count)
    writeGroup(writer, values, from, to, plans.heads[group]!, plans.bases[group]!)
  }
}

function planGroup(values: Float64Array, from: number, to: number): void {
  let min = values[from]!
  let max = min
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!
    min = value < min ? value : min
    max = value > max ? value : max
  }
  const count = to - from
  plan.base = min
  plan.outliers = false
  if (max - min > Number.MAX_SAFE_INTEGER) {
    plan.width = widthRaw
    plan.size = 1 + count * 8
    return
  }
  plan.width = bitLength(max - min)
  plan.size = 1 + zigzagSize(min) + packedSize(count, plan.width)
  if (plan.width < outlierWidthMin || count < outlierGroupMin) return
  const pivot = sampledMedian(values, from, count)
  if (countBeyond(values, from, to, pivot, (max - min) / 8) <= outlierCountMax) {
    planOutliers(values, from, to, pivot)
  }
}

/** Number of values further than `reach` from `pivot`: a cheap test before the search below. */
function countBeyond(
  values: Float64Array,
  from: number,
  to: number,
  pivot: number,
  reach: number,
): number {
  const low = pivot - reach
  const high = pivot + reach
  let count = 0
  for (let i = from; i < to; i++) {
    const value = values[i]!
    count += value < low || value > high ? 1 : 0
  }
  return count
}

const lengths = new Int32Array(64)

/**
 * Searches a narrower window around the middle of the group, with the values outside it as
 * outliers.
 */
function planOutliers(values: Float64Array, from: number, to: number, pivot: number): void {
  const count = to - from
  lengths.fill(0, 0, plan.width + 1)
  for (let i = from; i < to; i++) {
    const distance = values[i]! - pivot
    const index = bitLength(distance < 0 ? -distance : distance)
    lengths[index] = lengths[index]! + 1
  }
  let bestLength = -1
  let bestSize = plan.size - 3
  let outside = 0
  for (let length = plan.width; length > 0; length--) {
    const here = lengths[length]!
    if (here === 0) continue
    const size = 3 + packedSize(count, length + 1) + outside
    if (outside > 0 && size < bestSize) {
      bestSize = size
      bestLength = length
    }
    outside += here * (2 + ((length / 7) | 0))
  }
  if (lengths[0]! > 0 && outside > 0 && 3 + outside < bestSize) bestLength = 0
  if (bestLength >= 0) planWindow(values, from, to, pivot, bestLength)
}

/** Plans base and width for the values whose distance from `pivot` has at most `length` bits. */
function planWindow(
  values: Float64Array,
  from: number,
  to: number,
  pivot: number,
  length: number,
): void {
  const reach = powersOfTwo[length]!
  let min = pivot
  let max = pivot
  for (let i = from; i < to; i++) {
    const value = values[i]!
    const distance = value < pivot ? pivot - value : value - pivot
    if (distance >= reach) continue
    min = value < min ? value : min
    max = value > max ? value : max
  }
  const width = bitLength(max - min)
  const span = powersOfTwo[width]!
  let size = 2 + zigzagSize(min) + packedSize(to - from, width)
  for (let i = from; i < to; i++) {
    const offset = values[i]! - min
    if (offset < 0 || offset >= span) size += 1 + zigzagSize(offset)
  }
  if (size >= plan.size) return
  plan.base = min
  plan.width = width
  plan.size = size
  plan.outliers = true
}

/** Median of five values spread over the group: no outlier as long as outliers are rare. */
function sampledMedian(values: Float64Array, from: number, count: number): number {
  const second = values[from + (count >> 2)]!
  const fourth = values[from + ((count * 3) >> 2)]!
  const last = values[from + count - 1]!
  return medianOfFive(values[from]!, second, values[from + (count >> 1)]!, fourth, last)
}

/** The median of five numbers. */
function medianOfFive(a: number, b: number, c: number, d: number, e: number): number {
  const low = Math.max(Math.min(a, b), Math.min(d, e))
  const high = Math.min(Math.max(a, b), Math.max(d, e))
  return Math.max(Math.min(low, high), Math.min(c, Math.max(low, high)))
}

const fields = new Int32Array(groupSize)
const offsets = new Float64Array(groupSize)

function writeGroup(
  writer: ByteWriter,
  values: Float64Array,
  from: number,
  to: number,
  head: number,
  base: number,
): void {
  const width = head & ~outlierBit
  writer.u8(head)
  if (width === widthRaw) {
    for (let i = from; i < to; i++) writer.f64(values[i]!)
    return
  }
  writer.zigzag(base)
  const count = to - from
  const span = powersOfTwo[width]!
  for (let i = 0; i < count; i++) {
    const offset = values[from + i]! - base
    offsets[i] = offset < 0 || offset >= span ? 0 : offset
  }
  if (width > 0) writeOffsets(writer, count, width)
  if (head & outlierBit) writeOutliers(writer, values, from, to, base, span)
}

function writeOffsets(writer: ByteWriter, count: number, width: number): void {
  if (width <= packedWidthMax) {
    for (let i = 0; i < count; i++) fields[i] = offsets[i]!
    packBits(writer, fields, count, width)
    return
  }
  const lowBits = width <= 40 ? 16 : 32
  const factor = 2 ** lowBits
  for (let i = 0; i < count; i++) {
    const high = Math.floor(offsets[i]! / factor)
    fields[i] = high
    const low = offsets[i]! - high * factor
    if (lowBits === 16) writer.u16(low)
    else writer.u32(low)
  }
  packBits(writer, fields, count, width - lowBits)
}

function writeOutliers(
  writer: ByteWriter,
  values: Float64Array,
  from: number,
  to: number,
  base: number,
  span: number,
): void {
  const at = writer.position
  let count = 0
  writer.u8(0)
  for (let i = from; i < to; i++) {
    const offset = values[i]! - base
    if (offset >= 0 && offset < span) continue
    writer.u8(i - from)
    writer.zigzag(offset)
    count++
  }
  writer.bytes[at] = count
}

/** Reads `count` (<= 64) integers into `out` from `at` on. */
export function readGroup(reader: ByteReader, out: Float64Array, at: number, count: number): void {
  const head = reader.u8()
  const width = head & 0x7f
  if (width === widthRaw) {
    for (let i = 0; i < count; i++) out[at + i] = reader.f64()
    return
  }
  if (width > widthMax) throw new CorruptError(`Expected a width up to 53 bits, got ${width}`)
  const base = reader.zigzag()
  if (width === 0) out.fill(base, at, at + count)
  else if (width <= packedWidthMax) unpackBits(reader, count, width, base, out, at)
  else readWide(reader, out, at, count, width, base)
  if (head & outlierBit) readOutliers(reader, out, at, count, base)
}

/**
 * Reads `count` (<= 64) integers and writes their running sum, which begins with `sum`, to `out`
 * from `at` on. Returns the last sum.
 */
export function readSums(
  reader: ByteReader,
  out: Float64Array,
  at: number,
  count: number,
  sum: number,
): number {
  reader.require(1)
  const width = reader.bytes[reader.position]!
  if (width === 0 || width > packedWidthMax) {
    readGroup(reader, out, at, count)
    return addUp(out, at, at + count, sum)
  }
  reader.position++
  return unpackSums(reader, count, width, { base: reader.zigzag(), sum }, out, at)
}

function readWide(
  reader: ByteReader,
  out: Float64Array,
  at: number,
  count: number,
  width: number,
  base: number,
): void {
  const lowBits = width <= 40 ? 16 : 32
  const factor = 2 ** lowBits
  const lowAt = reader.position
  const lowSize = lowBits >>> 3
  reader.require(count * lowSize)
  reader.position += count * lowSize
  unpackBits(reader, count, width - lowBits, 0, out, at)
  const view = reader.view
  for (let i = 0; i < count; i++) {
    const position = lowAt + i * lowSize
    const low = lowBits === 16 ? view.getUint16(position, true) : view.getUint32(position, true)
    out[at + i] = base + (out[at + i]! * factor + low)
  }
}

function readOutliers(
  reader: ByteReader,
  out: Float64Array,
  at: number,
  count: number,
  base: number,
): void {
  for (let left = reader.u8(); left > 0; left--) {
    const position = reader.u8()
    if (position >= count)
      throw new CorruptError(`Expected a position below ${count}, got ${position}`)
    out[at + position] = base + reader.zigzag()
  }
}
