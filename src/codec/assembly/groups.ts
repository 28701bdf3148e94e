/**
 * Groups of an integer stream (integer-group.ts): plans the smallest layout of each, then writes
 * it. `T` is i32 if all numbers have at most 31 bits, differences of differences too, or else i64.
 */

import {
  at,
  bitLength,
  byte,
  double,
  four,
  groupAt,
  numbersPerGroup,
  here,
  lengthsAt,
  packedSize,
  set,
  skip,
  zigzag,
  zigzagSize,
} from "./memory.ts"

const widthRaw = 64
const widthPackedMax = 24
const outlierBit = 0x80
/** Below this width outliers cannot save their two bytes and more. */
const outlierWidthMin = 6
const outlierGroupMin = 16
/** More outliers than this cost more than the bits they save. */
const outlierCountMax = 12
export const safeMax: i64 = (1 << 53) - 1

/** Layout of one group, filled by `planGroup`. */
let planBase: i64 = 0
let planWidth: i32 = 0
let planOutliers: i32 = 0
let planSize: i32 = 0

/** Results of `findExtremes`. */
let least: i64 = 0
let greatest: i64 = 0

export function leastFound(): i64 {
  return least
}

export function greatestFound(): i64 {
  return greatest
}

export function findExtremes<T>(values: usize, from: i32, to: i32): void {
  let low = at<T>(values, from)
  let high = low
  let i = from + 1
  if (sizeof<T>() == 4 && to - from >= 4) {
    let lows = four(values, from)
    let highs = lows
    for (i = from + 4; i + 4 <= to; i += 4) {
      const next = four(values, i)
      lows = i32x4.min_s(lows, next)
      highs = i32x4.max_s(highs, next)
    }
    low = <T>(
      min(
        min(i32x4.extract_lane(lows, 0), i32x4.extract_lane(lows, 1)),
        min(i32x4.extract_lane(lows, 2), i32x4.extract_lane(lows, 3)),
      )
    )
    high = <T>(
      max(
        max(i32x4.extract_lane(highs, 0), i32x4.extract_lane(highs, 1)),
        max(i32x4.extract_lane(highs, 2), i32x4.extract_lane(highs, 3)),
      )
    )
  }
  for (; i < to; i++) {
    const value = at<T>(values, i)
    low = min<T>(low, value)
    high = max<T>(high, value)
  }
  least = i64(low)
  greatest = i64(high)
}

/** Plans the smallest layout of `count` values; returns its bytes. */
export function planLayouts<T>(values: usize, count: i32, plans: usize): i32 {
  let size = 0
  for (let from = 0; from < count; from += numbersPerGroup) {
    planGroup<T>(values, from, min(from + numbersPerGroup, count))
    const plan = plans + (usize(from / numbersPerGroup) << 4)
    store<i64>(plan, planBase)
    store<i32>(plan + 8, planWidth | planOutliers)
    size += planSize
  }
  return size
}

/** Appends `count` values as planned. */
export function writeGroups<T>(values: usize, count: i32, plans: usize): void {
  for (let from = 0; from < count; from += numbersPerGroup) {
    const plan = plans + (usize(from / numbersPerGroup) << 4)
    const to = min(from + numbersPerGroup, count)
    writeGroup<T>(values, from, to, load<i32>(plan + 8), load<i64>(plan))
  }
}

function planGroup<T>(values: usize, from: i32, to: i32): void {
  findExtremes<T>(values, from, to)
  const range = greatest - least
  const count = to - from
  planBase = least
  planOutliers = 0
  if (range > safeMax) {
    planWidth = widthRaw
    planSize = 1 + count * 8
    return
  }
  planWidth = bitLength(range)
  planSize = 1 + zigzagSize(least) + packedSize(count, planWidth)
  if (planWidth < outlierWidthMin || count < outlierGroupMin) return
  const pivot = sampledMedian<T>(values, from, count)
  if (countBeyond<T>(values, from, to, pivot, range) <= outlierCountMax) {
    searchWindow<T>(values, from, to, pivot)
  }
}

/**
 * Number of values further than an eighth of the range from `pivot`: a cheap test before the search
 * below.
 */
function countBeyond<T>(values: usize, from: i32, to: i32, pivot: i64, range: i64): i32 {
  const reach = f64(range) / 8
  const low = f64(pivot) - reach
  const high = f64(pivot) + reach
  if (sizeof<T>() == 4) return countOutside(values, from, to, i32(ceil(low)), i32(floor(high)))
  let count = 0
  for (let i = from; i < to; i++) {
    const value = f64(at<T>(values, i))
    count += i32(value < low) | i32(value > high)
  }
  return count
}

function countOutside(values: usize, from: i32, to: i32, low: i32, high: i32): i32 {
  const lows = i32x4.splat(low)
  const highs = i32x4.splat(high)
  let counts = i32x4.splat(0)
  let i = from
  for (; i + 4 <= to; i += 4) {
    const next = four(values, i)
    // One that is outside counts as -1.
    counts = i32x4.sub(counts, v128.or(i32x4.lt_s(next, lows), i32x4.gt_s(next, highs)))
  }
  let count = i32x4.extract_lane(counts, 0) + i32x4.extract_lane(counts, 1)
  count += i32x4.extract_lane(counts, 2) + i32x4.extract_lane(counts, 3)
  for (; i < to; i++) {
    const value = at<i32>(values, i)
    count += i32(value < low) | i32(value > high)
  }
  return count
}

/**
 * Searches a narrower window around the middle of the group, with the values outside it as
 * outliers.
 */
function searchWindow<T>(values: usize, from: i32, to: i32, pivot: i64): void {
  const count = to - from
  memory.fill(lengthsAt, 0, usize(planWidth + 1) << 2)
  for (let i = from; i < to; i++) {
    const distance = i64(at<T>(values, i)) - pivot
    const length = bitLength(distance < 0 ? -distance : distance)
    set<i32>(lengthsAt, length, at<i32>(lengthsAt, length) + 1)
  }
  let bestLength = -1
  let bestSize = planSize - 3
  let outside = 0
  for (let length = planWidth; length > 0; length--) {
    const found = at<i32>(lengthsAt, length)
    if (found == 0) continue
    const size = 3 + packedSize(count, length + 1) + outside
    if (outside > 0 && size < bestSize) {
      bestSize = size
      bestLength = length
    }
    outside += found * (2 + length / 7)
  }
  if (at<i32>(lengthsAt, 0) > 0 && outside > 0 && 3 + outside < bestSize) bestLength = 0
  if (bestLength >= 0) planWindow<T>(values, from, to, pivot, bestLength)
}

/** Plans base and width for the values whose distance from `pivot` has at most `length` bits. */
function planWindow<T>(values: usize, from: i32, to: i32, pivot: i64, length: i32): void {
  const reach = i64(1) << length
  let low = pivot
  let high = pivot
  for (let i = from; i < to; i++) {
    const value = i64(at<T>(values, i))
    const distance = value < pivot ? pivot - value : value - pivot
    if (distance >= reach) continue
    low = min(low, value)
    high = max(high, value)
  }
  const width = bitLength(high - low)
  let size = 2 + zigzagSize(low) + packedSize(to - from, width)
  for (let i = from; i < to; i++) {
    const offset = i64(at<T>(values, i)) - low
    if (isOutlier(offset, width)) size += 1 + zigzagSize(offset)
  }
  if (size >= planSize) return
  planBase = low
  planWidth = width
  planSize = size
  planOutliers = outlierBit
}

/** True for a negative offset, too. */
function isOutlier(offset: i64, width: i32): bool {
  return u64(offset) >> width != 0
}

/** Median of five values spread over the group: no outlier as long as outliers are rare. */
function sampledMedian<T>(values: usize, from: i32, count: i32): i64 {
  const a = i64(at<T>(values, from))
  const b = i64(at<T>(values, from + (count >> 2)))
  const c = i64(at<T>(values, from + (count >> 1)))
  const d = i64(at<T>(values, from + ((count * 3) >> 2)))
  const e = i64(at<T>(values, from + count - 1))
  const low = max(min(a, b), min(d, e))
  const high = min(max(a, b), max(d, e))
  return max(min(low, high), min(c, max(low, high)))
}

function writeGroup<T>(values: usize, from: i32, to: i32, head: i32, base: i64): void {
  const width = head & ~outlierBit
  byte(head)
  if (width == widthRaw) {
    for (let i = from; i < to; i++) double(f64(at<T>(values, i)))
    return
  }
  zigzag(base)
  if (width > widthPackedMax) writeWide<T>(values, from, to, base, width)
  else if (width > 0) packOffsets<T>(values, from, to, base, width)
  if (head & outlierBit) writeOutliers<T>(values, from, to, base, width)
}

/** Packs `width` bits of each offset, lowest first; those of outliers are 0. */
export function packOffsets<T>(values: usize, from: i32, to: i32, base: i64, width: i32): void {
  let next = here()
  let word: u64 = 0
  let filled = 0
  for (let i = from; i < to; i++) {
    const offset = i64(at<T>(values, i)) - base
    word |= (isOutlier(offset, width) ? 0 : u64(offset)) << filled
    filled += width
    if (filled < 32) continue
    store<u32>(next, u32(word))
    next += 4
    word >>= 32
    filled -= 32
  }
  if (filled > 0) store<u32>(next, u32(word))
  skip(packedSize(to - from, width))
}

/** The low 16 or 32 bits of each offset, then the rest packed. */
function writeWide<T>(values: usize, from: i32, to: i32, base: i64, width: i32): void {
  const lowBits = width <= 40 ? 16 : 32
  const count = to - from
  for (let i = 0; i < count; i++) {
    const offset = i64(at<T>(values, from + i)) - base
    const inside = isOutlier(offset, width) ? 0 : u64(offset)
    if (lowBits == 16) store<u16>(here(), u16(inside))
    else store<u32>(here(), u32(inside))
    skip(lowBits >> 3)
    set<u64>(groupAt, i, inside >> lowBits)
  }
  packOffsets<i64>(groupAt, 0, count, 0, width - lowBits)
}

function writeOutliers<T>(values: usize, from: i32, to: i32, base: i64, width: i32): void {
  const countAt = here()
  skip(1)
  let count = 0
  for (let i = from; i < to; i++) {
    const offset = i64(at<T>(values, i)) - base
    if (!isOutlier(offset, width)) continue
    byte(i - from)
    zigzag(offset)
    count++
  }
  store<u8>(countAt, u8(count))
}
