/**
 * The m2 column. In most cases m2 = M / 10^2k / count for a small whole number M (see
 * sum-of-squares.ts): then M is stored, as an integer stream with tag 20 + k, for the smallest k
 * that restores every m2 bit for bit. Otherwise the values themselves are stored.
 */

import { assert } from "../../base/assert.ts"
import type { ByteReader, ByteWriter } from "../../codec/bytes.ts"
import { powersOfTen, scaleMax } from "../../codec/decimal.ts"
import { decodeIntegers, encodeIntegers } from "../../codec/integer-stream.ts"
import { FloatWorkspace } from "../../codec/workspace.ts"
import { decodeValues, encodeValues } from "../../codec/value-stream.ts"
import { m2FromMoment } from "../sum-of-squares.ts"

const momentTag = 20

const scratch = new FloatWorkspace()

/** Appends `m2s[0..length)`, the m2 of cells with these `counts`. */
export function encodeM2(
  writer: ByteWriter,
  m2s: Float64Array,
  counts: Float64Array,
  length: number,
): void {
  assert(length <= m2s.length && length <= counts.length, "Expected a count of each m2")
  const moments = scratch.take(length)
  let scale = 0
  while (scale <= scaleMax) {
    const failed = toMoments(m2s, counts, length, scale, moments)
    if (failed < 0) {
      encodeIntegers(writer, moments, length, momentTag + scale)
      return
    }
    scale = nextScale(m2s[failed]!, counts[failed]!, scale + 1)
  }
  encodeValues(writer, m2s, length)
}

/** Reads `length` values into `out` from `at` on; returns the scale for `divideMoments`, or -1. */
export function decodeMoments(
  reader: ByteReader,
  out: Float64Array,
  at: number,
  length: number,
): number {
  assert(at + length <= out.length, "Expected space for the values")
  reader.require(1)
  const scale = (reader.bytes[reader.position]! >>> 3) - momentTag
  if (scale < 0 || scale > scaleMax) {
    decodeValues(reader, out, at, length)
    return -1
  }
  decodeIntegers(reader, out, at, length)
  return scale
}

/** Turns M into m2 in place, if `decodeMoments` returned a scale. */
export function divideMoments(
  out: Float64Array,
  counts: Float64Array,
  from: number,
  to: number,
  scale: number,
): void {
  const power = powersOfTen[2 * scale]!
  for (let i = from; i < to; i++) {
    const moment = out[i]!
    out[i] = moment === 0 ? 0 : moment / power / counts[i]!
  }
}

/** Fills `moments`; returns -1, or the index of the first m2 that has no M of this scale. */
function toMoments(
  m2s: Float64Array,
  counts: Float64Array,
  length: number,
  scale: number,
  moments: Float64Array,
): number {
  const power = powersOfTen[2 * scale]!
  for (let i = 0; i < length; i++) {
    const value = m2s[i]!
    const count = counts[i]!
    const moment = value === 0 ? 0 : Math.round(value * count * power)
    if (moment !== 0 && (moment / power / count !== value || moment > Number.MAX_SAFE_INTEGER)) {
      return i
    }
    // Rounded away.
    if (moment === 0 && !Object.is(value, 0)) return i
    moments[i] = moment
  }
  return -1
}

function nextScale(m2: number, count: number, from: number): number {
  for (let scale = from; scale <= scaleMax; scale++) {
    const moment = Math.round(m2 * count * powersOfTen[2 * scale]!)
    if (moment > Number.MAX_SAFE_INTEGER) return scaleMax + 1
    if (moment !== 0 && m2FromMoment(moment, scale, count) === m2) return scale
  }
  return scaleMax + 1
}
