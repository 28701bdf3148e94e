/**
 * Doubles, bit for bit, in few bytes; how many they are is known from outside. NaN is never stored.
 *
 *     ┌──────────────────────────────┬──────────────────────────────────────────────┐
 *     │ tag 0..9  (× 8 + shape)      │ value × 10^tag as an integer stream          │
 *     │ tag 10..19 (× 8 + shape)     │ the same with scale tag - 10, then what does │
 *     │                              │ not fit: count, (gap varint, f64)*           │
 *     │ tag 30 (× 8)                 │ exclusive or with the value before           │
 *     │ tag 31 (× 8)                 │ f64 × count                                  │
 *     └──────────────────────────────┴──────────────────────────────────────────────┘
 *
 * Decimal where at most one value in 32 is no decimal of up to nine places; otherwise the smaller
 * of the last two. The bytes are a pure function of the values.
 */

import type { ByteReader, ByteWriter } from "./bytes.ts"
import { CorruptError } from "./corrupt-error.ts"
import { powersOfTen, scaleMax } from "./decimal.ts"
import { appendValues } from "./encoder.ts"
import { constantShape, decodeIntegers } from "./integer-stream.ts"
import { decodeXor } from "./xor-stream.ts"

export { decimalScale } from "./decimal.ts"

const exceptionTag = scaleMax + 1
const xorTag = 30
const rawTag = 31

/**
 * Appends `values[0..count)`.
 *
 * @example
 * import { ByteReader, ByteWriter } from "./bytes.ts"
 * const values = Float64Array.of(20.1, 20.2, 20.1, 20.3)
 * const writer = new ByteWriter()
 * encodeValues(writer, values, values.length)
 * assert.ok(writer.position < 12, `${writer.position} bytes instead of 32`)
 * const decoded = new Float64Array(values.length)
 * decodeValues(new ByteReader(writer.finish()), decoded, 0, values.length)
 * assert.deepEqual(decoded, values)
 */
export function encodeValues(writer: ByteWriter, values: Float64Array, count: number): void {
  if (count > 0) appendValues(writer, values, count)
}

/**
 * The same for values that live for a day: stored as doubles without a search for a smaller form,
 * which costs more.
 */
export function encodePlainValues(writer: ByteWriter, values: Float64Array, count: number): void {
  if (count === 0) return
  writer.u8(rawTag << 3)
  writer.reserve(count * 8)
  for (let i = 0; i < count; i++) writer.f64(values[i]!)
}

/** Reads `count` values into `out` from `at` on. */
export function decodeValues(
  reader: ByteReader,
  out: Float64Array,
  at: number,
  count: number,
): void {
  if (count === 0) return
  reader.require(1)
  const tag = reader.bytes[reader.position]! >>> 3
  if (tag <= scaleMax + exceptionTag) {
    decodeIntegers(reader, out, at, count)
    if (tag % exceptionTag > 0) divide(out, at, count, powersOfTen[tag % exceptionTag]!)
    if (tag >= exceptionTag) readExceptions(reader, out, at, count)
    return
  }
  reader.position++
  if (tag === xorTag) {
    decodeXor(reader, out, at, count)
  } else if (tag === rawTag) {
    reader.require(count * 8)
    for (let i = 0; i < count; i++) out[at + i] = reader.f64()
  } else {
    throw new CorruptError(`Expected the tag of a value stream, got ${tag}`)
  }
}

/**
 * The same, but as whole numbers of 10^-scale if the stream holds nothing else; returns the scale.
 * Returns -1 and reads nothing otherwise. At least one value.
 */
export function decodeScaled(
  reader: ByteReader,
  out: Float64Array,
  at: number,
  count: number,
): number {
  reader.require(1)
  const tag = reader.bytes[reader.position]! >>> 3
  return tag <= scaleMax ? decodeIntegers(reader, out, at, count) : -1
}

/**
 * True if the stream at the reader holds the same value throughout; it can be read as a stream of
 * one value then.
 */
export function isOneValue(reader: ByteReader): boolean {
  reader.require(1)
  const head = reader.bytes[reader.position]!
  return head >>> 3 <= scaleMax && (head & 7) === constantShape
}

function divide(out: Float64Array, at: number, count: number, power: number): void {
  for (let i = at; i < at + count; i++) out[i] = out[i]! / power
}

function readExceptions(reader: ByteReader, out: Float64Array, at: number, count: number): void {
  let position = 0
  for (let left = reader.varint(); left > 0; left--) {
    position += reader.varint()
    if (position >= count)
      throw new CorruptError(`Expected a position below ${count}, got ${position}`)
    out[at + position] = reader.f64()
  }
}
