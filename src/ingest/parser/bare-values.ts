/**
 * Bare NaN and Infinity as values of samples. Real agents write them (Python's json does by
 * default), and no JSON parser reads them, so they are quoted, which has the same meaning
 * (left-out.ts).
 *
 *   [ {"samples": [ {"metricId": "a", "val": NaN } ] } ]
 *   1 2            3 4                └ a key of depth 4
 *
 * Anywhere else they are left as they are, and the body is not JSON.
 */

import { sampleFields } from "../../model/sample-batch.ts"

/** The brackets that enclose the members of a sample. */
const sampleBrackets = "[{[{"
const elementDepth = 2
const sampleDepth = 4
const words = ["NaN", "Infinity", "-Infinity"]
const fieldKeys: ReadonlySet<string> = new Set(sampleFields)

/**
 * Returns the text with these words quoted, `undefined` if there is none. The rest of the text is
 * not checked.
 */
export function quoteBareValues(text: string): string | undefined {
  if (!words.some((word) => text.includes(word))) return undefined
  const walk = new BareValueQuoter(text)
  walk.run()
  return walk.parts.length === 0 ? undefined : walk.parts.join("") + text.slice(walk.from)
}

/** Processes one text, whose nesting was bounded before (depth.ts). */
class BareValueQuoter {
  /** The text before `from`, with quotes added. */
  readonly parts: string[] = []
  from = 0
  private readonly text: string
  private brackets = ""
  /** The last key of the element, and of the sample. */
  private elementKey = ""
  private sampleKey = ""

  constructor(text: string) {
    this.text = text
  }

  run(): void {
    const { text } = this
    for (let at = 0; at < text.length; at++) {
      const one = text[at]!
      if (one === '"') at = this.skipString(at)
      else if (one === "{" || one === "[") this.open(one)
      else if (one === "}" || one === "]") this.brackets = this.brackets.slice(0, -1)
      else if (one === ",") this.clearKey()
      else if (one === "N" || one === "I" || one === "-") at = this.quoteWord(at)
    }
  }

  private open(bracket: string): void {
    this.brackets += bracket
    this.clearKey()
  }

  /** The next value does not belong to the last key. */
  private clearKey(): void {
    if (this.brackets.length === elementDepth) this.elementKey = ""
    if (this.brackets.length === sampleDepth) this.sampleKey = ""
  }

  /**
   * Returns the index of the quote that closes the string at `at`; keeps the string if it may be a
   * key.
   */
  private skipString(at: number): number {
    const end = closingQuote(this.text, at + 1)
    const depth = this.brackets.length
    if (depth !== elementDepth && depth !== sampleDepth) return end
    if (!isFollowedByColon(this.text, end + 1)) return end
    const key = keyText(this.text.slice(at, end + 1))
    if (depth === elementDepth) this.elementKey = key
    else this.sampleKey = key
    return end
  }

  /** Quotes the word at `at`; returns the index of its last character. */
  private quoteWord(at: number): number {
    const word = words.find((one) => this.text.startsWith(one, at))
    if (word === undefined || !this.isSampleValue()) return at
    this.parts.push(this.text.slice(this.from, at), `"${word}"`)
    this.from = at + word.length
    return this.from - 1
  }

  private isSampleValue(): boolean {
    return (
      this.brackets === sampleBrackets &&
      this.elementKey === "samples" &&
      fieldKeys.has(this.sampleKey)
    )
  }
}

function closingQuote(text: string, at: number): number {
  let end = at
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1
  return end
}

function isFollowedByColon(text: string, at: number): boolean {
  let next = at
  while (next < text.length && " \n\r\t".includes(text[next]!)) next++
  return text[next] === ":"
}

/** A key with an escape may spell any other key; an invalid string is no key. */
function keyText(literal: string): string {
  if (!literal.includes("\\")) return literal.slice(1, -1)
  try {
    return String(JSON.parse(literal))
  } catch {
    return ""
  }
}
