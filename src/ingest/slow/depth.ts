/**
 * Nesting of JSON text, counted before it is parsed: sixteen megabytes of `[` would otherwise cost
 * the parser half a gigabyte before it finds that nothing closes them.
 */

const quote = 34
const backslash = 92
/** `[` and `{`, and `]` and `}`, differ in this bit alone. */
const caseBit = 32
const opening = 123
const closing = 125

/** True where `text` nests deeper than `depthMax`. Says nothing about whether it is JSON. */
export function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at + 1)
    else if ((code | caseBit) === opening) {
      if (++depth > depthMax) return true
    } else if ((code | caseBit) === closing) depth--
  }
  return false
}

/** Index of the quote that closes the string whose content begins at `at`. */
function stringEnd(text: string, at: number): number {
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    at += code === backslash ? 2 : 1
  }
  return at
}
