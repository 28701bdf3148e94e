/**
 * Skips parts of JSON text in bytes.
 *
 * Every function here may rely on a sentinel: the last byte before `limit` is the `]` that closes
 * the body, so loops over digits and white space end by themselves. Loops over strings check
 * `limit`.
 */

export const quote = 34
export const comma = 44
export const colon = 58
export const openBracket = 91
export const backslash = 92
export const closeBracket = 93
export const openBrace = 123
export const closeBrace = 125
export const letterN = 110

/** Index of the first byte from `at` on that is not white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  for (;;) {
    const byte = bytes[at]!
    if (byte > 32 || (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9)) return at
    at++
  }
}

/**
 * Index of the quote that closes the string whose content begins at `at`; -1 if it contains an
 * escape, a control character or non-ASCII bytes, which are left to the reference parser.
 */
export function plainStringEnd(bytes: Uint8Array, at: number, limit: number): number {
  while (at < limit && isPlain[bytes[at]!] === 1) at++
  return at < limit && bytes[at] === quote ? at : -1
}

/** 1 for printable ASCII except the quote and the backslash. */
const isPlain = new Uint8Array(256).fill(1, 32, 127)
isPlain[quote] = 0
isPlain[backslash] = 0

/** Index after `null` at `at`, or -1. */
export function skipNull(bytes: Uint8Array, at: number): number {
  return bytes[at] === letterN ? skipWord(bytes, at, nullWord) : -1
}

const nullWord = Buffer.from("null")
const trueWord = Buffer.from("true")
const falseWord = Buffer.from("false")

/** Index after `null`, `true` or `false` at `at`, or -1. */
export function skipKeyword(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  const word = byte === letterN ? nullWord : byte === trueWord[0] ? trueWord : falseWord
  return skipWord(bytes, at, word)
}

/** The sentinel differs from every letter, so a truncated word never matches. */
export function skipWord(bytes: Uint8Array, at: number, word: Uint8Array): number {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return -1
  return at + word.length
}

/**
 * Index after the value at `at`, of any type, or -1. Follows strings and brackets only: it finds
 * the end of a value that is valid JSON, and does not validate it.
 */
export function skipValue(bytes: Uint8Array, at: number, limit: number): number {
  let depth = 0
  while (at < limit) {
    const byte = bytes[at]!
    if (byte === quote) {
      at = stringEnd(bytes, at + 1, limit) + 1
      if (at === 0) return -1
      if (depth === 0) return at
      continue
    }
    if ((byte | 32) === openBrace) depth++
    else if ((byte | 32) === closeBrace) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (depth === 0 && (byte === comma || byte <= 32)) return at
    at++
  }
  return -1
}

/** As `plainStringEnd`, but accepts escapes and any other characters. */
export function stringEnd(bytes: Uint8Array, at: number, limit: number): number {
  while (at < limit) {
    const byte = bytes[at]!
    if (byte === quote) return at
    at += byte === backslash ? 2 : 1
  }
  return -1
}
