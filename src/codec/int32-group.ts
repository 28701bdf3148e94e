/**
 * Groups (drawn in integer-group.ts) of integers that are close together, as int32 distances from
 * an origin: the same bytes in a third of the time, without doubles and without data-dependent
 * branches.
 */

import { packBits, packedSize, packedWidthMax } from "./bits.ts"
import { type ByteWriter, zigzagSize } from "./bytes.ts"
import {
  groupSize,
  type GroupPlans,
  medianOfFive,
  outlierBit,
  outlierCountMax,
  outlierGroupMin,
  outlierWidthMin,
} from "./integer-group.ts"

/**
 * The distances in a group and their pairwise differences fit into signed 32 bits. Distances of up
 * to 2^26 leave room for their differences, and for the differences of those.
 */
export const int32DistanceMax = 2 ** 26

/**
 * Layout of one group, filled by `planGroup` and valid until its next call. The field order differs
 * from the plan in integer-group.ts: V8 shares field representations between objects of one order,
 * and a wide base turned this one into a double.
 */
const plan = { width: 0, base: 0, outliers: false, size: 0 }

/** Plans the smallest layout of `origin + values[0..count)`; returns its bytes. */
export function planInt32Groups(
  values: Int32Array,
  count: number,
  origin: number,
  plans: GroupPlans,
): number {
  plans.reserve(Math.ceil(count / groupSize))
  let size = 0
  for (let from = 0, group = 0; from < count; from += groupSize, group++) {
    const to = from + groupSize < count ? from + groupSize : count
    planGroup(values, from, to, origin)
    plans.bases[group] = plan.base
    plans.heads[group] = plan.outliers ? plan.width | outlierBit : plan.width
    size += plan.size
  }
  return size
}

/** Appends `origin + values[0..count)` as planned. */
export function writeInt32Groups(
  writer: ByteWriter,
  values: Int32Array,
  count: number,
  origin: number,
  plans: GroupPlans,
): void {
  for (let from = 0, group = 0; from < count; from += groupSize, group++) {
    const to = from + groupSize < count ? from + groupSize : count
    const head = plans.heads[group]!
    const base = plans.bases[group]! | 0
    writer.u8(head)
    writer.zigzag(origin + base)
    const width = head & ~outlierBit
    if ((head & outlierBit) === 0) {
      for (let i = from; i < to; i++) fields[i - from] = values[i]! - base
      writeFields(writer, to - from, width)
    } else {
      const outliers = keepInside(values, from, to, base, width)
      writeFields(writer, to - from, width)
      writeOutliers(writer, outliers)
    }
  }
}

function planGroup(values: Int32Array, from: number, to: number, origin: number): void {
  let min = values[from]!
  let max = min
  for (let i = from + 1; i < to; i++) {
    const below = (values[i]! - min) | 0
    min = (min + (below & (below >> 31))) | 0
    const above = (values[i]! - max) | 0
    max = (max + (above & ~(above >> 31))) | 0
  }
  const count = to - from
  const span = (max - min) | 0
  const width = 32 - Math.clz32(span)
  plan.base = min
  plan.width = width
  plan.outliers = false
  plan.size = 1 + zigzagSize(origin + min) + packedSize(count, width)
  if (width < outlierWidthMin || count < outlierGroupMin) return
  const pivot = sampledMedian(values, from, count)
  if (countBeyond(values, from, to, pivot, span >> 3) <= outlierCountMax) {
    planOutliers(values, from, to, pivot, origin)
  }
}

/** Number of values further than `reach` from `pivot`: a cheap test before the search below. */
function countBeyond(
  values: Int32Array,
  from: number,
  to: number,
  pivot: number,
  reach: number,
): number {
  let count = 0
  for (let i = from; i < to; i++) {
    const away = (values[i]! - pivot) | 0
    const sign = away >> 31
    count += (reach - ((away ^ sign) - sign)) >>> 31
  }
  return count
}

const lengths = new Int32Array(32)

/**
 * Searches a narrower window around the middle of the group, with the values outside it as
 * outliers.
 */
function planOutliers(
  values: Int32Array,
  from: number,
  to: number,
  pivot: number,
  origin: number,
): void {
  const count = to - from
  const { width } = plan
  for (let length = 0; length <= width; length++) lengths[length] = 0
  for (let i = from; i < to; i++) {
    const away = (values[i]! - pivot) | 0
    const sign = away >> 31
    lengths[32 - Math.clz32((away ^ sign) - sign)]!++
  }
  let bestLength = -1
  let bestSize = plan.size - 3
  let outside = 0
  for (let length = width; length > 0; length--) {
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
  if (bestLength >= 0) planWindow(values, { from, to, pivot, origin, length: bestLength })
}

/** Plans base and width for the values whose distance from `pivot` has at most `length` bits. */
function planWindow(
  values: Int32Array,
  which: { from: number; to: number; pivot: number; origin: number; length: number },
): void {
  const { from, to, pivot, origin } = which
  const reach = 1 << which.length
  let min = pivot
  let max = pivot
  for (let i = from; i < to; i++) {
    const value = values[i]!
    if (value - pivot >= reach || pivot - value >= reach) continue
    min = value < min ? value : min
    max = value > max ? value : max
  }
  const width = 32 - Math.clz32(max - min)
  const span = 1 << width
  let size = 2 + zigzagSize(origin + min) + packedSize(to - from, width)
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
function sampledMedian(values: Int32Array, from: number, count: number): number {
  const second = values[from + (count >> 2)]!
  const fourth = values[from + ((count * 3) >> 2)]!
  const last = values[from + count - 1]!
  return medianOfFive(values[from]!, second, values[from + (count >> 1)]!, fourth, last)
}

const fields = new Int32Array(groupSize)
const highs = new Int32Array(groupSize)
const places = new Int32Array(groupSize)
const offsets = new Int32Array(groupSize)

/**
 * Fills `fields`, with 0 for values outside the window; returns the number of those and their
 * `places`.
 */
function keepInside(
  values: Int32Array,
  from: number,
  to: number,
  base: number,
  width: number,
): number {
  const span = 1 << width
  let outside = 0
  for (let i = from; i < to; i++) {
    const offset = (values[i]! - base) | 0
    const isInside = offset >= 0 && offset < span
    fields[i - from] = isInside ? offset : 0
    if (isInside) continue
    places[outside] = i - from
    offsets[outside++] = offset
  }
  return outside
}

function writeFields(writer: ByteWriter, count: number, width: number): void {
  if (width === 0) return
  if (width <= packedWidthMax) {
    packBits(writer, fields, count, width)
    return
  }
  for (let i = 0; i < count; i++) {
    highs[i] = fields[i]! >>> 16
    writer.u16(fields[i]! & 0xffff)
  }
  packBits(writer, highs, count, width - 16)
}

function writeOutliers(writer: ByteWriter, count: number): void {
  writer.u8(count)
  for (let i = 0; i < count; i++) {
    writer.u8(places[i]!)
    writer.zigzag(offsets[i]!)
  }
}
