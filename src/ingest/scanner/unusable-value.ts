/**
 * Values of samples that are no observation (left-out.ts), as the scanner reads them. They are
 * rare: a sample with one gets no template.
 */

import { isUtf8 } from "node:buffer"
import { jsonDepthMax } from "../../base/limits.ts"
import { fieldCount } from "../../model/sample-batch.ts"
import { isStillUsable } from "../left-out.ts"
import type { LeftOutReason } from "../left-out.ts"
import { isNestedDeeper } from "../parser/depth.ts"
import { reasonOf, sentText } from "../parser/sample.ts"
import { hasUsableCount } from "../value.ts"
import { parseJsonOrNull } from "./changed-section.ts"
import type { ScanState } from "./scan-state.ts"
import { openBrace, openBracket, quote, skipValue, skipWord } from "./skip.ts"

const words = ["NaN", "Infinity", "-Infinity"].map((word) => Buffer.from(word))
/** The list of elements, the element, its list of samples, the sample. */
const levelsAbove = 4
const fieldKeys = (1 << fieldCount) - 1

/** Returns the index after the value of `field` at `at`; -1 if it is not one that is left out. */
export function readUnusableField(scan: ScanState, field: number, at: number): number {
  const { bytes } = scan
  const first = bytes[at]!
  const isNested = first === openBrace || first === openBracket
  const end = isNested ? nestedEnd(scan, at) : wordEnd(bytes, at)
  if (end < 0) return -1
  scan.isTemplatable = false
  scan.fields.unusableMask |= 1 << field
  scan.unusableStarts[field] = at
  scan.unusableEnds[field] = end
  return end
}

/**
 * Decides about a sample with unusable or no values; `seen` has a bit for each of its keys. Returns
 * false if the reference parser has to refuse it.
 */
export function classifyUnusable(scan: ScanState, seen: number): boolean {
  const { fields } = scan
  if ((seen & fieldKeys) === 0 || !hasUsableCount(fields)) return false
  scan.isLeftOut = !isStillUsable(fields)
  const first = fields.unusableMask === 0 ? seen & fieldKeys : fields.unusableMask
  scan.unusableField = 31 - Math.clz32(first & -first)
  return true
}

/** Why the last sample is left out. */
export function unusableReason(scan: ScanState): LeftOutReason {
  return reasonOf(unusableValue(scan))
}

/** Its unusable value, in the words of the reference parser. */
export function unusableText(scan: ScanState): string {
  return sentText(unusableValue(scan))
}

function unusableValue({
  fields,
  bytes,
  unusableField,
  unusableStarts,
  unusableEnds,
}: ScanState): unknown {
  if (fields.unusableMask === 0) return null
  const text = textOf(bytes, unusableStarts[unusableField]!, unusableEnds[unusableField]!).toString(
    "utf8",
  )
  return text.startsWith("{") || text.startsWith("[")
    ? parseJsonOrNull(text)
    : text.replaceAll('"', "")
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

function nestedEnd({ bytes, limit }: ScanState, at: number): number {
  const end = skipValue(bytes, at, limit)
  if (end < 0) return -1
  const text = textOf(bytes, at, end)
  if (!isUtf8(text) || isNestedDeeper(text, jsonDepthMax - levelsAbove)) return -1
  return parseJsonOrNull(text.toString("utf8")) === null ? -1 : end
}

function textOf(bytes: Uint8Array, start: number, end: number): Buffer {
  return Buffer.from(bytes.buffer, start, end - start)
}
