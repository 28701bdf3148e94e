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

import { addUp, packedWidthMax, unpackBits, unpackSums } from "./bits.ts"
import type { ByteReader } from "./bytes.ts"
import { CorruptError } from "./corrupt-error.ts"

export const groupSize = 64

const widthMax = 53
const widthRaw = 64

const outlierBit = 0x80

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
