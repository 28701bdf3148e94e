/** Multipart forms (RFC 7578): finds one part of a body in memory, without copying. */

import { invalid } from "../../base/errors.ts"
import { shown } from "../../wire/problems.ts"

/** Forms of clients have one part, forms of web pages a few. */
const partsMax = 100
/** Headers of one part: two or three lines. */
const partHeaderBytesMax = 8 * 1024
/** RFC 2046, 5.1.1. */
const boundaryCharactersMax = 70

/** Returns the content of the part `name`. Throws `invalid` if the body is no form with it. */
export function formPart(body: Uint8Array, contentType: string | null, name: string): Uint8Array {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`)
  // The first delimiter may be at the start of the body, without a line break before it.
  let at = startsWith(buffer, delimiter.subarray(2)) ? -2 : buffer.indexOf(delimiter)
  for (let parts = 0; at !== -1 && parts < partsMax; parts++) {
    const start = at + delimiter.length
    if (buffer.toString("latin1", start, start + 2) === "--") break
    const headerEnd = buffer.indexOf("\r\n\r\n", start)
    const end = headerEnd < 0 ? -1 : buffer.indexOf(delimiter, headerEnd + 2)
    if (end < 0) throw invalid("body: expected a whole form, it ends within a part")
    if (headerEnd - start > partHeaderBytesMax) {
      throw invalid(`body: expected at most ${partHeaderBytesMax} bytes of headers in a part`)
    }
    const isWanted = nameOf(buffer.toString("utf8", start, headerEnd)) === name
    // An empty part ends with its headers.
    if (isWanted) return buffer.subarray(Math.min(headerEnd + 4, end), end)
    at = end
  }
  throw invalid(`body: expected a part named ${shown(name)} among the first ${partsMax}`)
}

function startsWith(buffer: Buffer, start: Buffer): boolean {
  return (
    buffer.length >= start.length && buffer.compare(start, 0, start.length, 0, start.length) === 0
  )
}

function boundaryOf(contentType: string | null): string {
  const type = contentType ?? ""
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    throw invalid(`Content-Type: expected multipart/form-data, got ${shown(type)}`)
  }
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined || boundary.length > boundaryCharactersMax) {
    throw invalid(
      `Content-Type: expected a boundary of 1 to ${boundaryCharactersMax} characters, ` +
        `got ${shown(type)}`,
    )
  }
  return boundary
}

/** The name in a part's Content-Disposition, quoted or not. */
function nameOf(headers: string): string | undefined {
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? ""
  const [, quoted, plain] = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? []
  return quoted ?? plain
}
