/**
 * Values of samples that are no observation (left-out.ts), as the scanner reads them. They are
 * rare: a sample with one gets no template, and what it costs is a look at its metric id.
 */

import { isUtf8 } from "node:buffer"
import { jsonDepthMax } from "../../base/limits.ts"
import { fieldCount } from "../../model/sample-columns.ts"
import { isStillMeant } from "../left-out.ts"
import type { LeftOutReason } from "../left-out.ts"
import { isDeeperThan } from "../parser/depth.ts"
import { reasonOf, sentText } from "../parser/sample.ts"
import { hasUsableCount } from "../value.ts"
import { parsed } from "./amend.ts"
import type { Scan } from "./scan.ts"
import { openBrace, openBracket, quote, skipLoosely, skipWord } from "./skip.ts"

const words = ["NaN", "Infinity", "-Infinity"].map((word) => Buffer.from(word))
/** The list of elements, the element, its list of samples, the sample. */
const levelsAbove = 4
const fieldKeys = (1 << fieldCount) - 1

/** Index behind the value of `field` at `at`; -1 if it is not one that is left out. */
export function readOddField(scan: Scan, field: number, at: number): number {
  const { bytes } = scan
  const first = bytes[at]!
  const isNested = first === openBrace || first === openBracket
  const end = isNested ? nestedEnd(scan, at) : wordEnd(bytes, at)
  if (end < 0) return -1
  scan.repeatable = false
  scan.fields.oddMask |= 1 << field
  scan.oddStarts[field] = at
  scan.oddEnds[field] = end
  return end
}

/**
 * Judges a sample whose finite fields, if any, are not all that was sent; `seen` has a bit for each
 * of its keys. False if the slow path has to refuse it.
 */
export function judgeOdd(scan: Scan, seen: number): boolean {
  const { fields } = scan
  if ((seen & fieldKeys) === 0 || !hasUsableCount(fields)) return false
  scan.isLeftOut = !isStillMeant(fields)
  const first = fields.oddMask === 0 ? seen & fieldKeys : fields.oddMask
  scan.oddField = 31 - Math.clz32(first & -first)
  return true
}

/** Why the sample that was read last is left out. */
export function oddReason(scan: Scan): LeftOutReason {
  return reasonOf(oddValue(scan))
}

/** What it has in place of a number, as the slow path tells it. */
export function oddText(scan: Scan): string {
  return sentText(oddValue(scan))
}

function oddValue({ fields, bytes, oddField, oddStarts, oddEnds }: Scan): unknown {
  if (fields.oddMask === 0) return null
  const text = textOf(bytes, oddStarts[oddField]!, oddEnds[oddField]!).toString("utf8")
  return text.startsWith("{") || text.startsWith("[") ? parsed(text) : text.replaceAll('"', "")
}

function wordEnd(bytes: Uint8Array, at: number): number {
  const isText = bytes[at] === quote
  const start = isText ? at + 1 : at
  for (const word of words) {
    const end = skipWord(bytes, start, word)
    if (end >= 0) return isText ? closedEnd(bytes, end) : end
  }
  return -1
}

function closedEnd(bytes: Uint8Array, at: number): number {
  return bytes[at] === quote ? at + 1 : -1
}

function nestedEnd({ bytes, limit }: Scan, at: number): number {
  const end = skipLoosely(bytes, at, limit)
  if (end < 0) return -1
  const text = textOf(bytes, at, end)
  if (!isUtf8(text) || isDeeperThan(text, jsonDepthMax - levelsAbove)) return -1
  return parsed(text.toString("utf8")) === null ? -1 : end
}

function textOf(bytes: Uint8Array, start: number, end: number): Buffer {
  return Buffer.from(bytes.buffer, start, end - start)
}
