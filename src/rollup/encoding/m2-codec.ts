/**
 * The m2 column. Mostly m2 = M / 10^2k / count for a small whole number M (see squares.ts): then M
 * is stored, as an integer stream with tag 20 + k, for the smallest k that gives every m2 back bit
 * for bit. Otherwise the values are stored as they are.
 */

import type { ByteReader, ByteWriter } from "../../codec/bytes.ts"
import { powersOfTen, scaleMax } from "../../codec/decimal.ts"
import { decodeIntegers, encodeIntegers } from "../../codec/integer-stream.ts"
import { FloatScratch } from "../../codec/workspace.ts"
import { decodeValues, encodeValues } from "../../codec/value-stream.ts"
import { m2FromMoment } from "../sum-of-squares.ts"

const momentTag = 20

const scratch = new FloatScratch()

/** Appends `squares[0..length)`, which belong to as many `counts`. */
export function encodeM2(
  writer: ByteWriter,
  squares: Float64Array,
  counts: Float64Array,
  length: number,
): void {
  const moments = scratch.take(length)
  let scale = 0
  while (scale <= scaleMax) {
    const failed = toMoments(squares, counts, length, scale, moments)
    if (failed < 0) {
      encodeIntegers(writer, moments, length, momentTag + scale)
      return
    }
    scale = nextScale(squares[failed]!, counts[failed]!, scale + 1)
  }
  encodeValues(writer, squares, length)
}

/**
 * Reads `length` values of m2 into `out` from `at` on, before `divideMoments`; gives scale or -1.
 */
export function decodeMoments(
  reader: ByteReader,
  out: Float64Array,
  at: number,
  length: number,
): number {
  reader.require(1)
  const scale = (reader.bytes[reader.position]! >>> 3) - momentTag
  if (scale < 0 || scale > scaleMax) {
    decodeValues(reader, out, at, length)
    return -1
  }
  decodeIntegers(reader, out, at, length)
  return scale
}

/** Turns M into m2 in place, where `decodeMoments` gave a scale. */
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

/** Fills `moments`; gives the place of the first m2 that has none at this scale, or -1. */
function toMoments(
  squares: Float64Array,
  counts: Float64Array,
  length: number,
  scale: number,
  moments: Float64Array,
): number {
  const power = powersOfTen[2 * scale]!
  for (let i = 0; i < length; i++) {
    const value = squares[i]!
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

function nextScale(squares: number, count: number, from: number): number {
  for (let scale = from; scale <= scaleMax; scale++) {
    const moment = Math.round(squares * count * powersOfTen[2 * scale]!)
    if (moment > Number.MAX_SAFE_INTEGER) return scaleMax + 1
    if (moment !== 0 && m2FromMoment(moment, scale, count) === squares) return scale
  }
  return scaleMax + 1
}
