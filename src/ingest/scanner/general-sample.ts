/**
 * One sample of any form: members in any order, with unknown ones among them. Stricter than the
 * reference parser about rare forms: -1 sends the whole body there.
 */

import { parseInstantBytes } from "../../base/iso8601.ts"
import { hasUsableCount, numericCharactersMax } from "../value.ts"
import { matchesLiteral, putLiteral } from "./byte-literal.ts"
import { readNumber } from "./number.ts"
import { classifyUnusable, readUnusableField } from "./unusable-value.ts"
import type { ScanState } from "./scan-state.ts"
import { timeBytesMax, timeKind } from "./scan-state.ts"
import {
  closeBrace,
  colon,
  comma,
  letterN,
  openBrace,
  plainStringEnd,
  quote,
  skipKeyword,
  skipNull,
  skipSpace,
} from "./skip.ts"

/** Keys 0 to 5 are the fields in the order of `sampleFields`. */
const timestampKey = 6
const metricIdKey = 7
const otherKey = 8

/** Reads the sample at `at` into `scan`; returns the index after it, or -1. */
export function readSample(scan: ScanState, start: number): number {
  const { bytes } = scan
  if (bytes[start] !== openBrace) return -1
  let at = skipSpace(bytes, start + 1)
  let seen = 0
  scan.fields.mask = 0
  scan.fields.unusableMask = 0
  scan.isLeftOut = false
  scan.valueCount = 0
  scan.isTemplatable = true
  scan.timeMs[0] = scan.injectTimestamp ? scan.nowMs : NaN
  for (;;) {
    if (bytes[at] !== quote) return -1
    at = readKey(scan, at)
    if (at < 0) return -1
    const { key } = scan
    if ((seen >> key) & 1 && key !== otherKey) return -1
    seen |= 1 << key
    at = readMember(scan, key, at)
    if (at < 0) return -1
    at = skipSpace(bytes, at)
    if (bytes[at] === closeBrace) break
    if (bytes[at] !== comma) return -1
    at = skipSpace(bytes, at + 1)
  }
  if (((seen >> metricIdKey) & 1) === 0 || Number.isNaN(scan.timeMs[0])) return -1
  const { fields } = scan
  const isPlain = fields.mask !== 0 && fields.unusableMask === 0
  return (isPlain ? hasUsableCount(fields) : classifyUnusable(scan, seen)) ? at + 1 : -1
}

/**
 * Sets `scan.key` from the key whose opening quote is at `at`; returns the index after key, colon
 * and white space.
 */
function readKey(scan: ScanState, at: number): number {
  const { bytes, view } = scan
  let end = -1
  scan.key = otherKey
  if (at + knownKeyBytesMin <= scan.limit) {
    const field = fieldKey(view.getInt32(at + 1, true))
    if (field < otherKey) {
      scan.key = field
      end = at + 4
    } else if (isMetricId(view, at + 1)) {
      scan.key = metricIdKey
      end = at + 9
    } else if (isTimestamp(view, at + 1)) {
      scan.key = timestampKey
      end = at + 10
    }
  }
  if (end < 0) end = plainStringEnd(bytes, at + 1, scan.limit)
  if (end < 0) return -1
  at = skipSpace(bytes, end + 1)
  return bytes[at] === colon ? skipSpace(bytes, at + 1) : -1
}

/** `"val":1}]}]`, the shortest end of a body from a known key on, is as long as `"timestamp"`. */
const knownKeyBytesMin = 11

/** Compares the four letters `val"` and so on as one little-endian integer. */
function fieldKey(letters: number): number {
  switch (letters) {
    case 0x22_6c_61_76:
      return 0 // val"
    case 0x22_6e_69_6d:
      return 1 // min"
    case 0x22_78_61_6d:
      return 2 // max"
    case 0x22_67_76_61:
      return 3 // avg"
    case 0x22_74_6e_63:
      return 4 // cnt"
    case 0x22_6d_75_73:
      return 5 // sum"
    default:
      return otherKey
  }
}

function isMetricId(view: DataView, at: number): boolean {
  return (
    view.getInt32(at, true) === 0x72_74_65_6d && // metr
    view.getInt32(at + 4, true) === 0x64_49_63_69 && // icId
    view.getUint8(at + 8) === quote
  )
}

function isTimestamp(view: DataView, at: number): boolean {
  return (
    view.getInt32(at, true) === 0x65_6d_69_74 && // time
    view.getInt32(at + 4, true) === 0x6d_61_74_73 && // stam
    view.getInt16(at + 8, true) === 0x22_70 // p"
  )
}

function readMember(scan: ScanState, key: number, at: number): number {
  if (key < timestampKey) return readField(scan, key, at)
  if (key === timestampKey) return readTimestamp(scan, at)
  return key === metricIdKey ? readMetricId(scan, at) : skipScalar(scan, at)
}

function readField(scan: ScanState, field: number, at: number): number {
  const { bytes } = scan
  const first = bytes[at]!
  if (first === letterN) return skipNull(bytes, at)
  const isText = first === quote
  const start = isText ? at + 1 : at
  const end = readNumber(bytes, start, scan.fields.values, field)
  if (end < 0) return readUnusableField(scan, field, at)
  scan.fields.mask |= 1 << field
  scan.addValue(field, start, end)
  return isText ? behindText(scan, start, end) : end
}

/**
 * A string may contain a number and nothing else; longer ones are refused by the reference parser.
 */
function behindText(scan: ScanState, start: number, end: number): number {
  return scan.bytes[end] === quote && end - start <= numericCharactersMax ? end + 1 : -1
}

function readTimestamp(scan: ScanState, at: number): number {
  if (scan.injectTimestamp) {
    // The value is ignored (spec/ingest §2), so no template can cover it.
    scan.isTemplatable = false
    return skipScalar(scan, at)
  }
  const { bytes } = scan
  const isText = bytes[at] === quote
  const start = isText ? at + 1 : at
  const end = readTime(scan, start, isText)
  if (end < 0) return -1
  scan.addValue(timeKind, start, end)
  return isText ? end + 1 : end
}

/**
 * Reads the timestamp at `start` into `scan.timeMs` and returns the index after it; -1 if it is
 * invalid or outside of the accepted period. A string ends at its quote. Most samples of a body
 * share one timestamp, which is parsed once.
 */
export function readTime(scan: ScanState, start: number, isText: boolean): number {
  const { view, timeMs, lastTimeLength: length } = scan
  if (
    length > 0 &&
    isText === scan.lastTimeIsText &&
    start + length <= scan.limit &&
    matchesLiteral(view, start, scan.lastTimeWords, 0, length)
  ) {
    timeMs[0] = scan.lastTimeMs[0]!
    return start + length - 1
  }
  const end = readOtherTime(scan, start, isText)
  if (end >= 0 && end - start < timeBytesMax) {
    scan.lastTimeLength = end - start + 1
    scan.lastTimeIsText = isText
    scan.lastTimeMs[0] = timeMs[0]!
    putLiteral(scan.lastTimeWords, 0, view, start, scan.lastTimeLength)
  }
  return end
}

function readOtherTime(scan: ScanState, start: number, isText: boolean): number {
  const { bytes, timeMs } = scan
  let end = readNumber(bytes, start, timeMs, 0)
  if (isText && (end < 0 || behindText(scan, start, end) < 0)) {
    end = plainStringEnd(bytes, start, scan.limit)
    if (end < 0) return -1
    timeMs[0] = parseInstantBytes(bytes, start, end)
  } else if (end < 0) return -1
  const ms = Math.floor(timeMs[0]!)
  timeMs[0] = ms
  return ms >= scan.oldestMs && ms <= scan.newestMs ? end : -1
}

function readMetricId(scan: ScanState, at: number): number {
  if (scan.bytes[at] !== quote) return -1
  const end = plainStringEnd(scan.bytes, at + 1, scan.limit)
  if (end < 0) return -1
  scan.metricStart = at + 1
  scan.metricEnd = end
  return end + 1
}

function skipScalar(scan: ScanState, at: number): number {
  const { bytes } = scan
  const first = bytes[at]!
  if (first === quote) return plainStringEnd(bytes, at + 1, scan.limit) + 1 || -1
  if (first > 57) return skipKeyword(bytes, at)
  return readNumber(bytes, at, skipped, 0)
}

const skipped = new Float64Array(1)
