/**
 * Safe integers (|v| < 2^53, held as doubles) in few bytes; how many they are is known from
 * outside.
 *
 *     ┌──────────────────┬────────────────────────────┬─────────────────────┬────────────────────┐
 *     │ tag × 8 + shape  │ divisor, remainder         │ leading values      │ groups of 64       │
 *     │ u8               │ varint, zigzag; if divided │ zigzag × 0, 1 or 2  │ see integer-group  │
 *     └──────────────────┴────────────────────────────┴─────────────────────┴────────────────────┘
 *
 *     shape  0 plain     the values                              5 plain, divided
 *            1 delta     differences, after the first value      6 delta, divided
 *            2 delta²    differences of those, after the first   7 delta², divided
 *                        value and the first difference
 *            3 constant  one value
 *            4 steps     first value, step
 *
 * Divided means value = divisor × stored + remainder: times in whole seconds, sizes in whole pages.
 * The smallest shape is taken (delta² is tried where delta wins), so the bytes are a pure function
 * of the values and the tag. No values are no bytes. The tag (0..31) belongs to the caller, who
 * saves a byte by it.
 */

import { assert } from "../base/assert.ts"
import { addUp } from "./bits.ts"
import type { ByteReader, ByteWriter } from "./bytes.ts"
import { appendIntegers } from "./encoder.ts"
import { groupSize, readGroup, readSums } from "./integer-group.ts"

const tagMax = 31

/** The shapes, as drawn above. */
const plain = 0
const delta = 1
const deltaDelta = 2
export const constantShape = 3
const steps = 4
/** Added to one of the first three: values were divided by a common divisor. */
const divided = 5

/** Appends `values[0..count)`. */
export function encodeIntegers(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  tag = 0,
): void {
  if (count === 0) return
  assert(tag >= 0 && tag <= tagMax, "Expected a tag of five bits")
  appendIntegers(writer, values, count, tag)
}

/** Reads `count` integers into `out` from `at` on; returns the tag. */
export function decodeIntegers(
  reader: ByteReader,
  out: Float64Array,
  at: number,
  count: number,
): number {
  if (count === 0) return 0
  const head = reader.u8()
  const shape = head & 7
  if (shape === constantShape) {
    out.fill(reader.zigzag(), at, at + count)
  } else if (shape === steps) {
    readSteps(reader, out, at, count)
  } else if (shape < divided) {
    readShape(reader, out, at, count, shape)
  } else {
    const divisor = reader.varint()
    const remainder = reader.zigzag()
    readShape(reader, out, at, count, shape - divided)
    for (let i = at; i < at + count; i++) out[i] = out[i]! * divisor + remainder
  }
  return head >>> 3
}

function readSteps(reader: ByteReader, out: Float64Array, at: number, count: number): void {
  const first = reader.zigzag()
  const step = reader.zigzag()
  for (let i = 0; i < count; i++) out[at + i] = first + i * step
}

function readShape(
  reader: ByteReader,
  out: Float64Array,
  at: number,
  count: number,
  shape: number,
): void {
  let start = at
  if (shape >= delta) out[start++] = reader.zigzag()
  if (shape === deltaDelta && count > 1) out[start++] = reader.zigzag()
  const end = at + count
  // First differences, or second differences, which are summed to first ones.
  let sum = shape === plain || start > end ? 0 : out[start - 1]!
  for (let from = start; from < end; from += groupSize) {
    const size = Math.min(groupSize, end - from)
    if (shape === plain) readGroup(reader, out, from, size)
    else sum = readSums(reader, out, from, size, sum)
  }
  if (shape === deltaDelta && count > 1) addUp(out, at + 1, end, out[at]!)
}
