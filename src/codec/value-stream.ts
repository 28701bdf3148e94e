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
import { decimalScaleOf, powersOfTen, scaledMax, scaleMax } from "./decimal.ts"
import { constantShape, decodeIntegers, encodeIntegers } from "./integer-stream.ts"
import { FloatWorkspace } from "./workspace.ts"
import { decodeXor, encodeXor } from "./xor-stream.ts"

export { decimalScale } from "./decimal.ts"

const exceptionTag = scaleMax + 1
const xorTag = 30
const rawTag = 31

/** An exception costs ten bytes or more: beyond one in 32 the other forms are smaller. */
const exceptionShift = 5

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
  if (count === 0) return
  let scale = 0
  while (scale >= 0 && scale <= scaleMax) {
    const wanted = convert(values, count, scale)
    if (wanted === scale) {
      writeDecimals(writer, values, count, scale)
      return
    }
    scale = wanted
  }
  writeDoubles(writer, values, count)
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

const integerScratch = new FloatWorkspace()
const exceptionScratch = new FloatWorkspace()
const converted = {
  integers: new Float64Array(0),
  exceptions: new Float64Array(0),
  exceptionCount: 0,
}

/**
 * Fills `converted` with the values as whole numbers of 10^-scale. Stops at the first value that
 * needs a larger scale and gives that scale, -1 where too many values have none, else `scale`.
 */
function convert(values: Float64Array, count: number, scale: number): number {
  const integers = integerScratch.take(count)
  const exceptionsMax = count >>> exceptionShift
  const exceptions = exceptionScratch.take(exceptionsMax + 1)
  const power = powersOfTen[scale]!
  const limit = scale === 0 ? Number.MAX_SAFE_INTEGER : scaledMax
  let exceptionCount = 0
  let last = 0
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    const integer = Math.round(value * power)
    if (
      integer / power === value &&
      integer <= limit &&
      integer >= -limit &&
      (integer !== 0 || !Object.is(value, -0))
    ) {
      last = integer
    } else {
      const wanted = decimalScaleOf(value, scale)
      if (wanted > scale) return wanted
      if (exceptionCount === exceptionsMax) return -1
      exceptions[exceptionCount++] = i
    }
    integers[i] = last
  }
  converted.integers = integers
  converted.exceptions = exceptions
  converted.exceptionCount = exceptionCount
  return scale
}

function writeDecimals(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  scale: number,
): void {
  const { integers, exceptions, exceptionCount } = converted
  encodeIntegers(writer, integers, count, exceptionCount > 0 ? scale + exceptionTag : scale)
  if (exceptionCount > 0) writeExceptions(writer, values, exceptions, exceptionCount)
}

function writeExceptions(
  writer: ByteWriter,
  values: Float64Array,
  places: Float64Array,
  count: number,
): void {
  writer.varint(count)
  let last = 0
  for (let e = 0; e < count; e++) {
    const position = places[e]!
    writer.varint(position - last)
    writer.f64(values[position]!)
    last = position
  }
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

function writeDoubles(writer: ByteWriter, values: Float64Array, count: number): void {
  const start = writer.position
  writer.u8(xorTag << 3)
  encodeXor(writer, values, count)
  if (writer.position - start <= 1 + count * 8) return
  writer.position = start
  encodePlainValues(writer, values, count)
}
