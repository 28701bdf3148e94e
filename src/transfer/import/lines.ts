/** Cuts a stream of UTF-8 bytes into lines. */

import { StringDecoder } from "node:string_decoder"
import { invalid } from "../../base/errors.ts"
import { importLineCharactersMax } from "../../base/limits.ts"

/** True for a line without a character, or of blanks. */
export function isBlank(line: string): boolean {
  return line.length <= blankCharactersMax && line.trim() === ""
}

/** Longer lines are not looked at twice. */
const blankCharactersMax = 1_000

/** Lines of one piece of input, without their ends. */
export interface LinePiece {
  /** Number of the first line; 1 for the first of the file. */
  readonly firstLine: number
  readonly lines: readonly string[]
}

/** Throws `invalid` for a line that is longer than the limit. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LinePiece> {
  const decoder = new StringDecoder("utf8")
  let rest = ""
  let line = 1
  for await (const chunk of chunks) {
    const text = rest + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    const end = text.lastIndexOf("\n")
    if (end < 0) rest = text
    else {
      const lines = withoutMark(text.slice(0, end), line).split("\n")
      rest = text.slice(end + 1)
      yield { firstLine: line, lines }
      line += lines.length
    }
    refuseLong(rest, line)
  }
  rest = withoutMark(rest + decoder.end(), line)
  if (rest !== "") yield { firstLine: line, lines: [rest] }
}

function withoutMark(text: string, line: number): string {
  return line === 1 && text.startsWith("\ufeff") ? text.slice(1) : text
}

function refuseLong(rest: string, line: number): void {
  if (rest.length <= importLineCharactersMax) return
  throw invalid(`line ${line} has more than ${importLineCharactersMax} characters`)
}
