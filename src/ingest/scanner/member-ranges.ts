/** Locates the members of one posted element, assuming that it is valid JSON; validates nothing. */

import type { ScanState } from "./scan-state.ts"
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  stringEnd,
  openBrace,
  openBracket,
  quote,
  skipValue,
  skipSpace,
} from "./skip.ts"

export interface MemberRanges {
  /** Range of the value of `metrics` if it precedes the samples; otherwise both are the start. */
  readonly metricsStart: number
  readonly metricsEnd: number
  /** Index after the `[` of the samples; the end of the element if it has no list of them. */
  readonly headEnd: number
  /** Index after the `]` of the samples; `headEnd` if there is no list. */
  readonly tailStart: number
  readonly end: number
}

/** Returns `undefined` if the structure is unclear; the reference parser then reads the body. */
export function findMemberRanges(scan: ScanState, start: number): MemberRanges | undefined {
  const { bytes, limit } = scan
  let metricsStart = start
  let metricsEnd = start
  let hasMetrics = false
  let headEnd = -1
  let tailStart = -1
  let at = bytes[start] === openBrace ? skipSpace(bytes, start + 1) : limit
  while (at < limit && bytes[at] === quote) {
    const keyStart = at + 1
    const keyEnd = stringEnd(bytes, keyStart, limit)
    if (keyEnd < 0 || isEscaped(bytes, keyStart, keyEnd)) return undefined
    at = skipSpace(bytes, keyEnd + 1)
    if (bytes[at] !== colon) return undefined
    const valueStart = skipSpace(bytes, at + 1)
    const isSamples = isKey(bytes, keyStart, keyEnd, samplesKey)
    const valueEnd = isSamples ? skipSamples(scan, valueStart) : skipValue(bytes, valueStart, limit)
    if (valueEnd < 0) return undefined
    if (isSamples) {
      // The last one of two would count, but only one can be cut out.
      if (headEnd >= 0) return undefined
      if (bytes[valueStart] === openBracket) {
        headEnd = valueStart + 1
        tailStart = valueEnd
      }
    } else if (isKey(bytes, keyStart, keyEnd, metricsKey)) {
      if (hasMetrics) return undefined
      hasMetrics = true
      if (headEnd < 0) {
        metricsStart = valueStart
        metricsEnd = valueEnd
      }
    }
    at = skipSpace(bytes, valueEnd)
    if (bytes[at] === closeBrace) {
      const end = at + 1
      if (headEnd < 0) return { metricsStart, metricsEnd, headEnd: end, tailStart: end, end }
      return { metricsStart, metricsEnd, headEnd, tailStart, end }
    }
    if (bytes[at] !== comma) return undefined
    at = skipSpace(bytes, at + 1)
  }
  return undefined
}

/**
 * Returns the index after the samples at `at`, or -1: after the first closing bracket if it closes
 * a list of objects, since samples contain no lists. A bulk post has 75 kB of samples for each
 * element, and skipping their strings took 3 % of the CPU of a bulk load. If an unusual string or
 * value misleads this, the samples end elsewhere when they are read, and the reference parser reads
 * the body.
 */
function skipSamples({ bytes, buffer, limit }: ScanState, at: number): number {
  const close = bytes[at] === openBracket ? buffer.indexOf(closeBracket, at) : -1
  let last = close - 1
  while (last > at && bytes[last]! <= 32) last--
  return last > at && bytes[last] === closeBrace ? close + 1 : skipValue(bytes, at, limit)
}

const samplesKey = Buffer.from("samples")
const metricsKey = Buffer.from("metrics")
const idKey = Buffer.from("id")

function isKey(bytes: Uint8Array, start: number, end: number, key: Uint8Array): boolean {
  if (end - start !== key.length) return false
  for (let i = 0; i < key.length; i++) if (bytes[start + i] !== key[i]) return false
  return true
}

/** A key with an escape may spell any other key. */
function isEscaped(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === backslash) return true
  return false
}

/**
 * Returns the index of the first byte of the string of the element's first member `id`; -1 if there
 * is none. The string ends at the next quote.
 */
export function findId(scan: ScanState, start: number): number {
  const { bytes, limit } = scan
  let at = skipSpace(bytes, start + 1)
  while (at < limit && bytes[at] === quote) {
    const keyStart = at + 1
    const keyEnd = stringEnd(bytes, keyStart, limit)
    if (keyEnd < 0) return -1
    at = skipSpace(bytes, keyEnd + 1)
    if (bytes[at] !== colon) return -1
    at = skipSpace(bytes, at + 1)
    if (isKey(bytes, keyStart, keyEnd, idKey)) return bytes[at] === quote ? at + 1 : -1
    at = skipValue(bytes, at, limit)
    if (at < 0) return -1
    at = skipSpace(bytes, at)
    if (bytes[at] !== comma) return -1
    at = skipSpace(bytes, at + 1)
  }
  return -1
}
