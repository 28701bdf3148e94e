/**
 * JSON text, built by hand for long answers: strings are joined and encoded once at the end.
 * An answer of 1,000 metrics then costs little more than the digits of its numbers.
 */

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

/**
 * A finished JSON text, or the pieces of a long one, each printed when it is asked for: then
 * neither the text nor the documents behind it are ever whole in memory.
 */
export type JsonText = string | Generator<string, void>

/** An answer in UTF-8: parts that follow one another, each a buffer of its own. */
export type AnswerParts = readonly Uint8Array[]

/** Length of a part: a connection sends it in a few event-loop turns, and copying it is cheap. */
const partCharacters = 256 * 1024

const encoder = new TextEncoder()

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
  const add = (piece: string): void => {
    const part = encoder.encode(piece)
    reserve(part.byteLength)
    parts.push(part)
  }
  let waiting = ""
  for (const piece of typeof text === "string" ? [text] : text) {
    waiting += piece
    if (waiting.length < partCharacters) continue
    add(waiting)
    waiting = ""
  }
  if (waiting !== "" || parts.length === 0) add(waiting)
  return parts
}

/** The pieces of an array, preceded by `before` and followed by `after`. */
export function* jsonPieces<T>(
  before: string,
  items: Iterable<T>,
  print: (item: T) => string,
  after: string,
): Generator<string, void> {
  let separator = before + "["
  for (const item of items) {
    yield separator + print(item)
    separator = ","
  }
  yield separator === "," ? `]${after}` : `${separator}]${after}`
}
