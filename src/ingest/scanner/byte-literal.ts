/**
 * Byte literals: bytes that are expected to occur again, compared eight at a time.
 *
 *   length ≥ 8    ├── word ──┤├── word ──┤        words of eight bytes from the start,
 *                          ├── word ──┤           the last one ends with the literal
 *   length 4 to 7 ├half┤  ├half┤                  the first four bytes and the last four
 *   length < 4    ├── word ──┤                    padded with zeros, compared byte by byte
 *
 * A word is the double with the same bytes, which JavaScript loads at any address in one operation.
 * For ASCII and for valid UTF-8 without NUL, two doubles are equal if and only if their bytes are:
 * no such eight bytes encode a NaN (that needs 0x7f or 0xff after a byte from 0xf0) or a zero.
 */

const wordBytes = 8
const halfBytes = 4
const scratchWord = new Float64Array(1)
const scratchHalves = new Int32Array(scratchWord.buffer)
const scratchBytes = new Uint8Array(scratchWord.buffer)

/** Words of a literal of `length` bytes. */
export function wordsOf(length: number): number {
  return (length + wordBytes - 1) >>> 3
}

/** Stores the bytes `[start, start + length)` of `source` from `words[at]` on. */
export function putLiteral(
  words: Float64Array,
  at: number,
  source: DataView,
  start: number,
  length: number,
): void {
  const whole = length >>> 3
  for (let i = 0; i < whole; i++) words[at + i] = source.getFloat64(start + i * wordBytes, true)
  if ((length & 7) === 0) return
  if (whole > 0) words[at + whole] = source.getFloat64(start + length - wordBytes, true)
  else words[at] = shortWord(source, start, length)
}

function shortWord(source: DataView, start: number, length: number): number {
  scratchWord[0] = 0
  if (length >= halfBytes) {
    scratchHalves[0] = source.getInt32(start, true)
    scratchHalves[1] = source.getInt32(start + length - halfBytes, true)
  } else for (let i = 0; i < length; i++) scratchBytes[i] = source.getUint8(start + i)
  return scratchWord[0]!
}

/**
 * True if `text` contains the literal at `start`. At least `length` bytes of `text` must follow
 * `start`.
 */
export function matchesLiteral(
  text: DataView,
  start: number,
  words: Float64Array,
  at: number,
  length: number,
): boolean {
  if (length < wordBytes) return matchesShort(text, start, words[at]!, length)
  const lastStart = start + length - wordBytes
  while (start < lastStart) {
    if (text.getFloat64(start, true) !== words[at]) return false
    start += wordBytes
    at++
  }
  return text.getFloat64(lastStart, true) === words[at]
}

function matchesShort(text: DataView, start: number, word: number, length: number): boolean {
  scratchWord[0] = word
  if (length >= halfBytes) {
    return (
      text.getInt32(start, true) === scratchHalves[0] &&
      text.getInt32(start + length - halfBytes, true) === scratchHalves[1]
    )
  }
  for (let i = 0; i < length; i++) if (text.getUint8(start + i) !== scratchBytes[i]) return false
  return true
}

/**
 * A 32-bit hash of the bytes `[start, end)`, four at a time (mixing of MurmurHash3, public domain).
 */
export function hashBytes(text: DataView, start: number, end: number, seed: number): number {
  let hash = seed ^ (end - start)
  let at = start
  for (; at + 4 <= end; at += 4) hash = mixed(hash, text.getInt32(at, true))
  for (; at < end; at++) hash = mixed(hash, text.getUint8(at))
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  return hash ^ (hash >>> 13)
}

function mixed(hash: number, word: number): number {
  const product = Math.imul(word, 0xcc9e2d51)
  const turned = hash ^ Math.imul((product << 15) | (product >>> 17), 0x1b873593)
  return (Math.imul((turned << 13) | (turned >>> 19), 5) + 0xe6546b64) | 0
}
