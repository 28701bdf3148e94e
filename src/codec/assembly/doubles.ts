/** Doubles that are no short decimals: combined with the one before (xor-stream.ts), or as they are. */

import { packOffsets } from "./groups.ts"
import {
  at,
  byte,
  double,
  groupAt,
  numbersPerGroup,
  here,
  inputAt,
  packedSize,
  set,
  skip,
  dropAfter,
  written,
} from "./memory.ts"

const xorTag = 30
const rawTag = 31
const partBits = 24
const mapBit = 0x80

/** Writes the smaller form of the doubles of the input; at least one. */
export function writeDoubles(count: i32): void {
  const begin = written()
  byte(xorTag << 3)
  double(at<f64>(inputAt(), 0))
  for (let from = 1; from < count; from += numbersPerGroup) {
    writeXorGroup(from, min(numbersPerGroup, count - from))
  }
  if (written() - begin <= 1 + count * 8) return
  dropAfter(begin)
  byte(rawTag << 3)
  memory.copy(here(), inputAt(), usize(count) << 3)
  skip(count << 3)
}

function writeXorGroup(from: i32, count: i32): void {
  const map = combine(from, count)
  const kept = i32(popcnt(map))
  let union: u64 = 0
  for (let i = 0; i < count; i++) union |= at<u64>(groupAt, i)
  const shift = kept == 0 ? 0 : i32(ctz(union))
  const width = kept == 0 ? 0 : 64 - i32(clz(union)) - shift
  const mapSize = (count + 7) >> 3
  const isMapped = packedSize(kept, width) + mapSize < packedSize(count, width)
  byte(shift)
  byte(isMapped ? width | mapBit : width)
  if (isMapped) {
    store<u64>(here(), map)
    skip(mapSize)
    dropZeros(count)
  }
  writeParts(isMapped ? kept : count, shift, width)
}

/** Fills the group with exclusive ors; returns the bit map of those that are not 0. */
function combine(from: i32, count: i32): u64 {
  let last = at<u64>(inputAt(), from - 1)
  let map: u64 = 0
  for (let i = 0; i < count; i++) {
    const next = at<u64>(inputAt(), from + i)
    set<u64>(groupAt, i, next ^ last)
    map |= u64(next != last) << i
    last = next
  }
  return map
}

function dropZeros(count: i32): void {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const bits = at<u64>(groupAt, i)
    if (bits == 0) continue
    set<u64>(groupAt, kept, bits)
    kept++
  }
}

/** Packs `width` bits from `shift` on, 24 of each number at a time; takes them from the numbers. */
function writeParts(count: i32, shift: i32, width: i32): void {
  let start = shift
  for (let done = 0; done < width; done += partBits) {
    const bits = min(partBits, width - done)
    packPart(count, start, bits)
    start += bits
  }
}

function packPart(count: i32, start: i32, bits: i32): void {
  const mask = (u64(1) << bits) - 1
  const part = groupAt + (numbersPerGroup << 3)
  for (let i = 0; i < count; i++) set<u64>(part, i, (at<u64>(groupAt, i) >> start) & mask)
  packOffsets<i64>(part, 0, count, 0, bits)
}
