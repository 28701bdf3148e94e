/** The encoder's calls: `input` takes doubles, `output` has the bytes of the stream then. */

import { writeDoubles } from "./doubles.ts"
import { writeIntegers } from "./integers.ts"
import {
  at,
  begin,
  double,
  exceptionsAt,
  inputAt,
  integersAt,
  outputAt,
  powerOfTen,
  reserve,
  set,
  varint,
  written,
} from "./memory.ts"

export { inputAt, outputAt, reserve }

const scaleMax = 9
const exceptionTag = scaleMax + 1
/** An exception costs ten bytes or more: beyond one in 32 the other forms are smaller. */
const exceptionShift = 5
const safeMax: f64 = 9007199254740991
/** As in decimal.ts. */
const scaledMax: f64 = 1125899906842624

let exceptionCount: i32 = 0

/** Writes safe integers, at least one; returns the bytes, or -1 for other doubles. */
export function integerStream(count: i32, tag: i32): i32 {
  begin()
  const distinct = allEqual(count) ? 1 : count
  for (let i = 0; i < distinct; i++) {
    const value = at<f64>(inputAt(), i)
    if (!(abs(value) <= safeMax && nearest(value) == value)) return -1
    set<i64>(integersAt, i, i64(value))
  }
  writeIntegers(distinct, tag)
  return written()
}

/** Writes doubles (value-stream.ts), at least one; returns the bytes. */
export function valueStream(count: i32): i32 {
  begin()
  const distinct = allEqual(count) ? 1 : count
  let scale = 0
  while (scale >= 0) {
    const wanted = convert(distinct, scale)
    if (wanted == scale) {
      writeIntegers(distinct, exceptionCount > 0 ? scale + exceptionTag : scale)
      if (exceptionCount > 0) writeExceptions()
      return written()
    }
    scale = wanted
  }
  writeDoubles(count)
  return written()
}

/** True if one number, with the same bytes, is all of the input: its stream is that of one value. */
function allEqual(count: i32): bool {
  const first = at<u64>(inputAt(), 0)
  for (let i = 1; i < count; i++) if (at<u64>(inputAt(), i) != first) return false
  return true
}

/**
 * Converts the values to whole numbers of 10^-scale. Stops at the first value that needs a larger
 * scale and gives that scale, -1 if too many values have none, else `scale`.
 */
function convert(count: i32, scale: i32): i32 {
  const exceptionsMax = count >> exceptionShift
  const power = powerOfTen(scale)
  const limit = scale == 0 ? safeMax : scaledMax
  exceptionCount = 0
  let last: i64 = 0
  for (let i = 0; i < count; i++) {
    const value = at<f64>(inputAt(), i)
    const integer = nearest(value * power)
    const isExact = integer / power == value && abs(integer) <= limit
    if (isExact && (integer != 0 || reinterpret<i64>(value) == 0)) {
      last = i64(integer)
    } else {
      const wanted = scaleOf(value, scale)
      if (wanted > scale) return wanted
      if (exceptionCount == exceptionsMax) return -1
      set<i32>(exceptionsAt, exceptionCount, i)
      exceptionCount++
    }
    set<i64>(integersAt, i, last)
  }
  return scale
}

/** As `decimalScaleOf` (decimal.ts): the scale of one value, at least `scale`; -1 if it has none. */
function scaleOf(value: f64, scale: i32): i32 {
  for (let k = scale; k <= scaleMax; k++) {
    const power = powerOfTen(k)
    if (abs(value) * power > (k == 0 ? safeMax : scaledMax)) return -1
    if (nearest(value * power) / power == value) return k
  }
  return -1
}

function writeExceptions(): void {
  varint(u64(exceptionCount))
  let last = 0
  for (let e = 0; e < exceptionCount; e++) {
    const index = at<i32>(exceptionsAt, e)
    varint(u64(index - last))
    double(at<f64>(inputAt(), index))
    last = index
  }
}
