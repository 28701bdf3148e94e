/**
 * Doubles that are no short decimals, bit for bit: each is combined by exclusive or with the one
 * before, which clears the bits they share.
 *
 * ┌───────────┬──────────────────────────────── group of 64 ────────────────────────────────────┐
 * │ first     │ shift      │ width (0..64)  │ which are not 0      │ 1..3 parts of up to 24 bits │
 * │ f64       │ u8 0..63   │ u8; 0x80: map  │ bit map, if 0x80     │ low part first, packed      │
 * └───────────┴─────────────────────────────────────────────────────────────────────────────────┘
 *
 * `shift` low bits are 0 in the whole group and not stored, then come `width` bits. A group in
 * which a value repeats often has a map, and only the other values are stored.
 */

import { unpackBits } from "./bits.ts"
import type { ByteReader } from "./bytes.ts"
import { CorruptError } from "./corrupt-error.ts"

const groupSize = 64
const partBits = 24
const mapBit = 0x80

const number = new Float64Array(1)
/** Low and high half of `number`; every platform Node runs on is little endian. */
const halves = new Uint32Array(number.buffer)

const lows = new Int32Array(groupSize)
const highs = new Int32Array(groupSize)
const partValues = new Float64Array(groupSize)
const map = new Uint8Array(groupSize / 8)

export function decodeXor(reader: ByteReader, out: Float64Array, at: number, count: number): void {
  if (count === 0) return
  out[at] = reader.f64()
  for (let from = 1; from < count; from += groupSize) {
    readGroup(reader, out, at + from, Math.min(groupSize, count - from))
  }
}

function readGroup(reader: ByteReader, out: Float64Array, at: number, count: number): void {
  const shift = reader.u8()
  const head = reader.u8()
  const width = head & 0x7f
  if (shift + width > 64) {
    throw new CorruptError(`Expected at most 64 bits, got ${width} shifted by ${shift}`)
  }
  const kept = head & mapBit ? readMap(reader, count) : count
  readParts(reader, kept, shift, width)

  number[0] = out[at - 1]!
  let low = halves[0]!
  let high = halves[1]!
  let next = 0
  for (let i = 0; i < count; i++) {
    if (!(head & mapBit) || (map[i >>> 3]! >>> (i & 7)) & 1) {
      low ^= lows[next]!
      high ^= highs[next]!
      next++
    }
    halves[0] = low
    halves[1] = high
    out[at + i] = number[0]!
  }
}

function readMap(reader: ByteReader, count: number): number {
  map.set(reader.take((count + 7) >>> 3))
  let kept = 0
  for (let i = 0; i < count; i++) kept += (map[i >>> 3]! >>> (i & 7)) & 1
  return kept
}

function readParts(reader: ByteReader, count: number, shift: number, width: number): void {
  lows.fill(0, 0, count)
  highs.fill(0, 0, count)
  for (let done = 0; done < width; done += partBits) {
    unpackBits(reader, count, Math.min(partBits, width - done), 0, partValues, 0)
    const start = shift + done
    for (let i = 0; i < count; i++) {
      const bits = partValues[i]!
      if (start >= 32) {
        highs[i] = highs[i]! | (bits << (start - 32))
      } else {
        lows[i] = lows[i]! | (bits << start)
        if (start > 32 - partBits) highs[i] = highs[i]! | (bits >>> (32 - start))
      }
    }
  }
}
