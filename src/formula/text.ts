/** Parses quoted texts, and bare names and patterns between parentheses. */

import type { FormulaCursor } from "./formula-cursor.ts"

/**
 * A text in single or double quotes. A backslash escapes a quote or a backslash; before any other
 * character it is literal, since regular expressions contain many.
 */
export function readText(cursor: FormulaCursor): string {
  const start = (cursor.skipSpaces(), cursor.at)
  const quote = cursor.next
  let value = ""
  for (let at = start + 1; at < cursor.text.length; at++) {
    const one = cursor.text.charAt(at)
    if (one === quote) {
      cursor.at = at + 1
      return value
    }
    const after = cursor.text.charAt(at + 1)
    const isEscape = one === "\\" && (after === quote || after === "\\")
    value += isEscape ? cursor.text.charAt(++at) : one
  }
  return cursor.fail(`Expected a closing ${quote}`, cursor.text.length)
}

/** The text up to the closing parenthesis, quoted or bare; consumes the parenthesis. */
export function readBracketed(cursor: FormulaCursor): string {
  if (cursor.next === "'" || cursor.next === '"') {
    const value = readText(cursor)
    cursor.expect(")")
    return value
  }
  const start = cursor.at
  const end = closingBracket(cursor.text, start)
  if (end < 0) cursor.fail('Expected ")"', cursor.text.length)
  const value = cursor.text.slice(start, end).trim()
  if (value === "") cursor.fail("Expected a name or an expression", start)
  cursor.at = end + 1
  return value
}

/** Index of the parenthesis that closes the pattern, not counting nested ones; -1 if none does. */
function closingBracket(text: string, start: number): number {
  let open = 0
  let inClass = false
  for (let at = start; at < text.length; at++) {
    const one = text.charAt(at)
    if (one === "\\") at++
    else if (inClass) inClass = one !== "]"
    else if (one === "[") inClass = true
    else if (one === "(") open++
    else if (one === ")" && open-- === 0) return at
  }
  return -1
}
