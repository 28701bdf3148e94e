/**
 * Decodes the bytes of a body (spec/ingest §3).
 *
 *   byte order mark   overrides the declared charset: EF BB BF, FE FF or FF FE
 *   utf-16            without a mark: big-endian if the first byte is 0, as JSON begins in ASCII
 *   iso-8859-1        if declared, or if nothing was declared and the bytes are not UTF-8
 *   iso-8859-15, windows-1252   if declared
 */

import { isUtf8 } from "node:buffer"
import type { Charset } from "../request.ts"
import { decodeSingleByte } from "./single-byte.ts"

/** Returns `undefined` if the bytes are not valid in the declared charset. */
export function decodeBody(body: Uint8Array, charset: Charset): string | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return littleEndian(bytes.subarray(2))
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return bigEndian(bytes.subarray(2))
  if (hasUtf8Mark(bytes)) return utf8(bytes.subarray(3))
  if (charset === "utf-16") return bytes[0] === 0 ? bigEndian(bytes) : littleEndian(bytes)
  if (charset === "iso-8859-1") return bytes.toString("latin1")
  const text = decodeSingleByte(bytes, charset)
  if (text !== undefined) return text
  return utf8(bytes) ?? (charset === "none" ? bytes.toString("latin1") : undefined)
}

/** True if `bytes` begin with a byte order mark of UTF-8. */
export function hasUtf8Mark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function utf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined
}

function littleEndian(bytes: Buffer): string | undefined {
  return bytes.length % 2 === 0 ? bytes.toString("utf16le") : undefined
}

function bigEndian(bytes: Buffer): string | undefined {
  return bytes.length % 2 === 0 ? Buffer.from(bytes).swap16().toString("utf16le") : undefined
}
