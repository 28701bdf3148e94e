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
import { addUp, bitLength } from "./bits.ts"
import { type ByteReader, type ByteWriter, zigzagSize } from "./bytes.ts"
import {
  GroupPlans,
  groupSize,
  planIntegerGroups,
  readGroup,
  readSums,
  writeGroups,
} from "./integer-group.ts"
import { FloatWorkspace } from "./workspace.ts"

const tagMax = 31

/** The shapes, as drawn above. */
const plain = 0
const delta = 1
const deltaDelta = 2
export const constantShape = 3
const steps = 4
/** Added to one of the first three: values were divided by a common divisor. */
const divided = 5

/** Differences are safe integers as long as all values are in a range of this size. */
const spanMax = 2 ** 51

const quotientScratch = new FloatWorkspace()
const deltaScratch = new FloatWorkspace()
const deltaDeltaScratch = new FloatWorkspace()
const plainPlans = new GroupPlans()
const deltaPlans = new GroupPlans()
const deltaDeltaPlans = new GroupPlans()

/** Appends `values[0..count)`. */
export function encodeIntegers(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  tag = 0,
): void {
  if (count === 0) return
  assert(tag >= 0 && tag <= tagMax, "Expected a tag of five bits")
  const head = tag << 3
  if (writeSteps(writer, values, count, head)) return
  if (!differencesAreSafe(values, count)) {
    writer.u8(head | plain)
    planIntegerGroups(values, count, plainPlans)
    writeGroups(writer, values, count, plainPlans)
    return
  }
  const divisor = commonDivisor(values, count)
  if (!isWorthDividing(divisor, count)) {
    writeSmallest(writer, values, count, { head, divisor: 1, remainder: 0 })
    return
  }
  const remainder = values[0]! % divisor
  const quotients = quotientScratch.take(count)
  for (let i = 0; i < count; i++) quotients[i] = (values[i]! - remainder) / divisor
  writeSmallest(writer, quotients, count, { head, divisor, remainder })
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

/** The cheap case: all equal, or equidistant. */
function writeSteps(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  head: number,
): boolean {
  const first = values[0]!
  const step = count > 1 ? values[1]! - first : 0
  // Decoding multiplies the step: the product must be a safe integer.
  if (!Number.isSafeInteger(values[count - 1]! - first)) return false
  for (let i = 2; i < count; i++) {
    if (values[i]! - values[i - 1]! !== step) return false
  }
  writer.u8(head | (step === 0 ? constantShape : steps))
  writer.zigzag(first)
  if (step !== 0) writer.zigzag(step)
  return true
}

function readSteps(reader: ByteReader, out: Float64Array, at: number, count: number): void {
  const first = reader.zigzag()
  const step = reader.zigzag()
  for (let i = 0; i < count; i++) out[at + i] = first + i * step
}

function differencesAreSafe(values: Float64Array, count: number): boolean {
  let min = values[0]!
  let max = min
  for (let i = 1; i < count; i++) {
    const value = values[i]!
    min = value < min ? value : min
    max = value > max ? value : max
  }
  return max - min < spanMax && max < spanMax && min > -spanMax
}

/** A divisor must save more than its own bytes. */
function isWorthDividing(divisor: number, count: number): boolean {
  return (bitLength(divisor) - 1) * count > 32
}

/** The greatest common divisor of all distances from the first value; mostly 1, found early. */
function commonDivisor(values: Float64Array, count: number): number {
  const first = values[0]!
  let divisor = 0
  for (let i = 1; i < count; i++) {
    const value = values[i]!
    const distance = value < first ? first - value : value - first
    if (divisor > 0 && Math.round(distance / divisor) * divisor === distance) continue
    let a = distance
    while (divisor !== 0) {
      // A third of the time of `%`, which is a call. The quotient may be rounded up by one.
      const rest = a - Math.floor(a / divisor) * divisor
      a = divisor
      divisor = rest < 0 ? rest + divisor : rest
    }
    divisor = a
    if (divisor === 1) return 1
  }
  return divisor
}

interface Division {
  readonly head: number
  readonly divisor: number
  readonly remainder: number
}

function writeSmallest(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  division: Division,
): void {
  const plainSize = planIntegerGroups(values, count, plainPlans)
  const deltas = differences(values, count, deltaScratch)
  const deltaSize = zigzagSize(values[0]!) + planIntegerGroups(deltas, count - 1, deltaPlans)
  let shape = deltaSize < plainSize ? delta : plain
  let deltaDeltas = deltas
  // If differences are no smaller than the values, second differences are not either.
  if (shape === delta) {
    deltaDeltas = differences(deltas, count - 1, deltaDeltaScratch)
    const size = zigzagSize(values[0]!) + zigzagSize(deltas[0]!)
    if (size + planIntegerGroups(deltaDeltas, count - 2, deltaDeltaPlans) < deltaSize)
      shape = deltaDelta
  }
  const isDivided = division.divisor > 1
  writer.u8(division.head | (isDivided ? shape + divided : shape))
  if (isDivided) {
    writer.varint(division.divisor)
    writer.zigzag(division.remainder)
  }
  if (shape >= delta) writer.zigzag(values[0]!)
  if (shape === deltaDelta) writer.zigzag(deltas[0]!)
  if (shape === plain) writeGroups(writer, values, count, plainPlans)
  else if (shape === delta) writeGroups(writer, deltas, count - 1, deltaPlans)
  else writeGroups(writer, deltaDeltas, count - 2, deltaDeltaPlans)
}

function differences(values: Float64Array, count: number, scratch: FloatWorkspace): Float64Array {
  const out = scratch.take(count)
  for (let i = 1; i < count; i++) out[i - 1] = values[i]! - values[i - 1]!
  return out
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
