/** Integer streams (integer-stream.ts): finds the smallest shape, and writes it. */

import {
  findExtremes,
  greatestFound,
  leastFound,
  planLayouts,
  safeMax,
  writeGroups,
} from "./groups.ts"
import {
  at,
  bitLength,
  byte,
  deltaDeltaPlans,
  deltaDeltasAt,
  deltaPlans,
  deltasAt,
  four,
  integersAt,
  plainPlans,
  quotientsAt,
  set,
  varint,
  zigzag,
  zigzagSize,
} from "./memory.ts"

/** The shapes, as drawn in integer-stream.ts. */
const plain = 0
const delta = 1
const deltaDelta = 2
const constant = 3
const steps = 4
/** Added to one of the first three: values were divided by a common divisor. */
const divided = 5

/** Differences are safe integers as long as all values are in a range of this size. */
const spanMax: i64 = 1 << 51
/** Below this size differences of differences, and an eighth more, have 31 bits. */
const smallMax: i64 = 1 << 28

/** Writes the numbers at `integersAt`, of 8 bytes each; at least one. */
export function writeIntegers(count: i32, tag: i32): void {
  const head = tag << 3
  if (writeSteps(count, head)) return
  findExtremes<i64>(integersAt, 0, count)
  const least = leastFound()
  const greatest = greatestFound()
  if (greatest < smallMax && least > -smallMax) {
    for (let i = 0; i < count; i++) set<i32>(integersAt, i, i32(at<i64>(integersAt, i)))
    writeDivided<i32>(count, head)
  } else if (greatest - least < spanMax && greatest < spanMax && least > -spanMax) {
    writeDivided<i64>(count, head)
  } else {
    byte(head | plain)
    planLayouts<i64>(integersAt, count, plainPlans)
    writeGroups<i64>(integersAt, count, plainPlans)
  }
}

/** The cheap case: all equal, or equidistant. */
function writeSteps(count: i32, head: i32): bool {
  const first = at<i64>(integersAt, 0)
  const step = count > 1 ? at<i64>(integersAt, 1) - first : 0
  // Decoding multiplies the step: the product must be a safe integer.
  const span = at<i64>(integersAt, count - 1) - first
  if (span > safeMax || span < -safeMax) return false
  for (let i = 2; i < count; i++) {
    if (at<i64>(integersAt, i) - at<i64>(integersAt, i - 1) != step) return false
  }
  byte(head | (step == 0 ? constant : steps))
  zigzag(first)
  if (step != 0) zigzag(step)
  return true
}

function writeDivided<T>(count: i32, head: i32): void {
  const divisor = commonDivisor<T>(count)
  // A divisor must save more than its own bytes.
  if ((bitLength(i64(divisor)) - 1) * count <= 32) {
    writeSmallest<T>(integersAt, count, head, 1, 0)
    return
  }
  const remainder = at<T>(integersAt, 0) % divisor
  for (let i = 0; i < count; i++) {
    set<T>(quotientsAt, i, (at<T>(integersAt, i) - remainder) / divisor)
  }
  writeSmallest<T>(quotientsAt, count, head, i64(divisor), i64(remainder))
}

/** The greatest common divisor of all distances from the first value; mostly 1, found early. */
function commonDivisor<T>(count: i32): T {
  const first = at<T>(integersAt, 0)
  let divisor: T = 0
  for (let i = 1; i < count; i++) {
    const value = at<T>(integersAt, i)
    let a: T = value < first ? first - value : value - first
    if (divisor > 0 && a % divisor == 0) continue
    while (divisor != 0) {
      const rest: T = a % divisor
      a = divisor
      divisor = rest
    }
    divisor = a
    if (divisor == 1) return divisor
  }
  return divisor
}

function writeSmallest<T>(
  values: usize,
  count: i32,
  head: i32,
  divisor: i64,
  remainder: i64,
): void {
  const first = i64(at<T>(values, 0))
  const plainSize = planLayouts<T>(values, count, plainPlans)
  subtract<T>(values, count, deltasAt)
  const second = i64(at<T>(deltasAt, 0))
  const deltaSize = zigzagSize(first) + planLayouts<T>(deltasAt, count - 1, deltaPlans)
  let shape = deltaSize < plainSize ? delta : plain
  // If differences are no smaller than the values, second differences are not either.
  if (shape == delta) {
    subtract<T>(deltasAt, count - 1, deltaDeltasAt)
    const size = planLayouts<T>(deltaDeltasAt, count - 2, deltaDeltaPlans)
    if (zigzagSize(first) + zigzagSize(second) + size < deltaSize) shape = deltaDelta
  }
  byte(head | (divisor > 1 ? shape + divided : shape))
  if (divisor > 1) {
    varint(u64(divisor))
    zigzag(remainder)
  }
  if (shape >= delta) zigzag(first)
  if (shape == deltaDelta) zigzag(second)
  if (shape == plain) writeGroups<T>(values, count, plainPlans)
  else if (shape == delta) writeGroups<T>(deltasAt, count - 1, deltaPlans)
  else writeGroups<T>(deltaDeltasAt, count - 2, deltaDeltaPlans)
}

/** Writes the differences of neighbours, one less than there are values. */
function subtract<T>(values: usize, count: i32, out: usize): void {
  let i = 1
  if (sizeof<T>() == 4) {
    for (; i + 4 <= count; i += 4) {
      const next = i32x4.sub(four(values, i), four(values, i - 1))
      v128.store(out + (usize(i - 1) << 2), next)
    }
  }
  for (; i < count; i++) set<T>(out, i - 1, at<T>(values, i) - at<T>(values, i - 1))
}
