/** Charsets of one byte a character that differ from ISO-8859-1 in a few places. */

import type { Charset } from "../request.ts"

/** Each differing byte with its character; the Encoding Standard's indexes. */
const differences: Readonly<Partial<Record<Charset, ReadonlyMap<string, string>>>> = {
  "windows-1252": differing(
    "\x80\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8e" +
      "\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9e\x9f",
    "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ",
  ),
  "iso-8859-15": differing("\xa4\xa6\xa8\xb4\xb8\xbc\xbd\xbe", "€ŠšŽžŒœŸ"),
}

function differing(bytes: string, characters: string): ReadonlyMap<string, string> {
  return new Map([...characters].map((character, i) => [bytes[i]!, character]))
}

/** Decodes bytes of such a charset; `undefined` for any other. */
export function decodeSingleByte(bytes: Buffer, charset: Charset): string | undefined {
  const known = differences[charset]
  if (known === undefined) return undefined
  return bytes.toString("latin1").replace(/[\x80-\xbe]/g, (byte) => known.get(byte) ?? byte)
}
