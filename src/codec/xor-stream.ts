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

import { packBits, packedSize, unpackBits } from "./bits.ts"
import type { ByteReader, ByteWriter } from "./bytes.ts"
import { CorruptError } from "./corrupt-error.ts"

const groupSize = 64
const partBits = 24
const mapBit = 0x80

const number = new Float64Array(1)
/** Low and high half of `number`; every platform Node runs on is little endian. */
const halves = new Uint32Array(number.buffer)

const lows = new Int32Array(groupSize)
const highs = new Int32Array(groupSize)
const fields = new Int32Array(groupSize)
const partValues = new Float64Array(groupSize)
const map = new Uint8Array(groupSize / 8)

export function encodeXor(writer: ByteWriter, values: Float64Array, count: number): void {
  if (count === 0) return
  writer.f64(values[0]!)
  for (let from = 1; from < count; from += groupSize) {
    writeGroup(writer, values, from, Math.min(groupSize, count - from))
  }
}

export function decodeXor(reader: ByteReader, out: Float64Array, at: number, count: number): void {
  if (count === 0) return
  out[at] = reader.f64()
  for (let from = 1; from < count; from += groupSize) {
    readGroup(reader, out, at + from, Math.min(groupSize, count - from))
  }
}

function writeGroup(writer: ByteWriter, values: Float64Array, from: number, count: number): void {
  number[0] = values[from - 1]!
  let low = halves[0]!
  let high = halves[1]!
  let lowUnion = 0
  let highUnion = 0
  let kept = 0
  map.fill(0)
  for (let i = 0; i < count; i++) {
    number[0] = values[from + i]!
    const lowBits = halves[0]! ^ low
    const highBits = halves[1]! ^ high
    low = halves[0]!
    high = halves[1]!
    lows[i] = lowBits
    highs[i] = highBits
    lowUnion |= lowBits
    highUnion |= highBits
    if ((lowBits | highBits) === 0) continue
    map[i >>> 3] = map[i >>> 3]! | (1 << (i & 7))
    kept++
  }
  const shift =
    lowUnion !== 0 ? lowestBit(lowUnion) : highUnion !== 0 ? 32 + lowestBit(highUnion) : 0
  const top = highUnion !== 0 ? 64 - Math.clz32(highUnion) : 32 - Math.clz32(lowUnion)
  const width = kept === 0 ? 0 : top - shift
  const mapSize = (count + 7) >>> 3
  const mapped = packedSize(kept, width) + mapSize < packedSize(count, width)

  writer.u8(shift)
  writer.u8(mapped ? width | mapBit : width)
  if (mapped) {
    writer.append(map.subarray(0, mapSize))
    dropZeros(count)
  }
  writeParts(writer, mapped ? kept : count, shift, width)
}

function dropZeros(count: number): void {
  let kept = 0
  for (let i = 0; i < count; i++) {
    if ((lows[i]! | highs[i]!) === 0) continue
    lows[kept] = lows[i]!
    highs[kept] = highs[i]!
    kept++
  }
}

function writeParts(writer: ByteWriter, count: number, shift: number, width: number): void {
  for (let done = 0; done < width; done += partBits) {
    const bits = Math.min(partBits, width - done)
    const mask = (1 << bits) - 1
    for (let i = 0; i < count; i++) fields[i] = bitsFrom(lows[i]!, highs[i]!, shift + done) & mask
    packBits(writer, fields, count, bits)
  }
}

/** The bits of a 64-bit number from bit `start` on; at least the next 24 are right. */
function bitsFrom(low: number, high: number, start: number): number {
  if (start >= 32) return high >>> (start - 32)
  return start === 0 ? low : (low >>> start) | (high << (32 - start))
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
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
