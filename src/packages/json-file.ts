/** Parses JSON files of packages, with limits on bytes and depth that are checked first. */

import { invalid } from "../base/errors.ts"
import { isDeeper } from "../wire/json-depth.ts"
import { jsonDepthMax } from "../base/limits.ts"
import { jsonFileBytesMax } from "./limits.ts"

/** The text of a file; throws `invalid` if it is too large or not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > jsonFileBytesMax) {
    throw invalid(`expected at most ${jsonFileBytesMax} bytes, got ${bytes.length}`)
  }
  try {
    // The decoder drops a byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw invalid("expected a text in UTF-8")
  }
}

/** The value of a JSON text; throws `invalid` if it is not JSON or nests too deeply. */
export function jsonOf(text: string): unknown {
  if (isDeeper(text, jsonDepthMax)) {
    throw invalid(`expected JSON nested at most ${jsonDepthMax} deep`)
  }
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    // The parser quotes a part of the text, which may begin or end with half a surrogate pair.
    const words = (cause as Error).message.replace(/\p{Surrogate}/gu, "\ufffd")
    throw invalid(`expected JSON: ${words}`)
  }
}
