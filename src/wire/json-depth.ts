/** Tests the nesting depth of JSON before it is parsed, because parsers recurse on their stack. */

const quote = 0x22
const backslash = 0x5c

/** True if arrays and objects nest deeper than `depthMax`; the text need not be valid JSON. */
export function isDeeper(text: string, depthMax: number): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === backslash) at++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    // `[` and `{` differ in one bit only, and so do `]` and `}`.
    else if ((code | 0x20) === 0x7b) depth++
    else if ((code | 0x20) === 0x7d) depth--
    if (depth > depthMax) return true
  }
  return false
}
