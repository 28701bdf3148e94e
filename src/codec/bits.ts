/**
 * Fields of one width, side by side without gaps, lowest bits first:
 *
 *     byte 0            byte 1            byte 2
 *     │f0 f0 f0 f0 f0│f1 f1 f1│f1 f1│f2 f2 f2 f2 f2│f3│ …
 *
 * Widths up to 24 bits, because a field may start at bit 7 of a byte and is read as one 32-bit
 * word.
 */

import type { ByteReader } from "./bytes.ts"

export const packedWidthMax = 24

/** Up to this byte index the bit index is a small integer. */
const bytesNearMax = 0x3fffffff / 8

function packedSize(count: number, width: number): number {
  return (count * width + 7) >>> 3
}

const tailBytes = new Uint8Array(64 * 8 + 8)
const tailView = new DataView(tailBytes.buffer)

/** Reads `count` (<= 64) fields of `width` (1..24) bits: `out[at + i] = base + field`. */
export function unpackBits(
  reader: ByteReader,
  count: number,
  width: number,
  base: number,
  out: Float64Array,
  at: number,
): void {
  const size = packedSize(count, width)
  reader.require(size)
  const start = reader.position
  reader.position = start + size
  if (start + size + 4 <= reader.view.byteLength) {
    unpackWords(reader.view, start, count, width, base, out, at)
    return
  }
  // At the very end a 32-bit word would exceed the bytes.
  tailBytes.set(reader.bytes.subarray(start, start + size))
  unpackWords(tailView, 0, count, width, base, out, at)
}

/**
 * Reads `count` (<= 64) fields of `width` (1..24) bits and writes prefix sums: each `out[at + i]`
 * is the previous sum plus `base + field`. Returns the last sum.
 */
export function unpackSums(
  reader: ByteReader,
  count: number,
  width: number,
  { base, sum: before }: { readonly base: number; readonly sum: number },
  out: Float64Array,
  at: number,
): number {
  const size = packedSize(count, width)
  let sum = before
  if (reader.position + size + 4 > reader.view.byteLength || reader.position > bytesNearMax) {
    unpackBits(reader, count, width, base, out, at)
    return addUp(out, at, at + count, sum)
  }
  reader.require(size)
  const { view } = reader
  const mask = (1 << width) - 1
  let bit = (reader.position * 8) | 0
  for (let i = 0; i < count; i++) {
    sum += base + ((view.getInt32(bit >>> 3, true) >>> (bit & 7)) & mask)
    out[at + i] = sum
    bit = (bit + width) | 0
  }
  reader.position += size
  return sum
}

/** Replaces each number by the running sum that begins with `sum`. Returns the last sum. */
export function addUp(out: Float64Array, from: number, to: number, sum: number): number {
  let total = sum
  for (let i = from; i < to; i++) {
    total += out[i]!
    out[i] = total
  }
  return total
}

function unpackWords(
  view: DataView,
  start: number,
  count: number,
  width: number,
  base: number,
  out: Float64Array,
  at: number,
): void {
  const mask = (1 << width) - 1
  let bit = start * 8
  if (start > bytesNearMax) {
    unpackFar(view, start, count, width, base, out, at)
    return
  }
  bit |= 0
  for (let i = 0; i < count; i++) {
    out[at + i] = base + ((view.getInt32(bit >>> 3, true) >>> (bit & 7)) & mask)
    bit = (bit + width) | 0
  }
}

/** The same for bit indexes that are not small integers. */
function unpackFar(
  view: DataView,
  start: number,
  count: number,
  width: number,
  base: number,
  out: Float64Array,
  at: number,
): void {
  const mask = (1 << width) - 1
  for (let i = 0; i < count; i++) {
    const bit = i * width
    out[at + i] = base + ((view.getInt32(start + (bit >>> 3), true) >>> (bit & 7)) & mask)
  }
}
