/** JSON text, printed by hand for long answers (json-bytes.ts). */

import { JsonBytes, jsonBytesOf } from "./json-bytes.ts"

/** A number as JSON; `null` if JSON cannot represent it. */
export function jsonNumber(value: number): string {
  return Number.isFinite(value) ? `${value}` : "null"
}

/** A text as JSON, quoted; lone surrogates are escaped. */
export function jsonText(text: string): string {
  return JSON.stringify(text)
}

/** An array of items that are JSON already. */
export function jsonArray<T>(items: readonly T[], print: (item: T) => string): string {
  let text = "["
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ","
    text += print(items[i]!)
  }
  return text + "]"
}

/** A finished JSON text, or what prints a long one. */
export type JsonText = string | JsonPrinter

/**
 * Prints a text piece by piece, so that neither the text nor the documents behind it are ever whole
 * in memory. Calls `endPiece` at least once for as much as a thread should hold.
 */
export type JsonPrinter = (out: JsonBytes, endPiece: () => void) => void

/** An answer in UTF-8: parts that follow one another, each a buffer of its own. */
export type AnswerParts = readonly Uint8Array[]

/** Length of a part: a connection sends it in a few event-loop turns, and copying it is cheap. */
const partBytes = 256 * 1024

/**
 * Encodes a text; `reserve` is called with the bytes of each part, and may throw.
 *
 * @example
 * const series = [{ fqn: "cpu", value: NaN }]
 * const pieces = jsonPieces('{"series":', series, ({ fqn, value }) => {
 *   return `{"fqn":${jsonText(fqn)},"value":${jsonNumber(value)}}`
 * }, "}")
 * let bytes = 0
 * const parts = encodeParts(pieces, (more) => (bytes += more))
 * const text = Buffer.concat(parts).toString()
 * assert.deepEqual(JSON.parse(text), { series: [{ fqn: "cpu", value: null }] })
 * assert.equal(bytes, text.length)
 */
export function encodeParts(text: JsonText, reserve: (bytes: number) => void): AnswerParts {
  const parts: Uint8Array[] = []
  const add = (part: Uint8Array): void => {
    reserve(part.byteLength)
    parts.push(part)
  }
  if (typeof text === "string") {
    add(jsonBytesOf(text))
    return parts
  }
  const out = new JsonBytes()
  text(out, () => {
    if (out.byteLengthMin >= partBytes) add(out.take())
  })
  if (out.byteLengthMin > 0 || parts.length === 0) add(out.end())
  return parts
}

/** An array, preceded by `before` and followed by `after`; a piece an item, or several. */
export function jsonItems<T>(
  before: string,
  items: Iterable<T>,
  print: (out: JsonBytes, item: T, endPiece: () => void) => void,
  after: string,
): JsonPrinter {
  return (out, endPiece) => {
    out.text(`${before}[`)
    let isFirst = true
    for (const item of items) {
      if (!isFirst) out.text(",")
      isFirst = false
      print(out, item, endPiece)
      endPiece()
    }
    out.text(`]${after}`)
  }
}

/** The same, of items that are printed as text. */
export function jsonPieces<T>(
  before: string,
  items: Iterable<T>,
  print: (item: T) => string,
  after: string,
): JsonPrinter {
  return jsonItems(before, items, (out, item) => out.text(print(item)), after)
}
