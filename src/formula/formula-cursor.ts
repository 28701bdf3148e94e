/** A place in the text of an expression, and how the text is read from there. */

import { formulaDepthMax, formulaNodesMax } from "../base/limits.ts"

/** Why a text is no expression; `position` counts characters from 1. */
export class FormulaError extends Error {
  readonly position: number

  constructor(problem: string, position: number) {
    super(`${problem} at position ${position}`)
    this.position = position
  }
}

export class FormulaCursor {
  readonly text: string
  at = 0
  private depth = 0
  private nodes = 0

  constructor(text: string) {
    this.text = text
  }

  skipSpaces(): void {
    while (/\s/.test(this.text.charAt(this.at))) this.at++
  }

  /** Passes over `token` where it stands next, after spaces. */
  accept(token: string): boolean {
    this.skipSpaces()
    if (!this.text.startsWith(token, this.at)) return false
    this.at += token.length
    return true
  }

  expect(token: string): void {
    if (!this.accept(token)) this.fail(`Expected "${token}"`)
  }

  /** What `pattern`, which is sticky, matches here after spaces; null where nothing. */
  match(pattern: RegExp): string | null {
    this.skipSpaces()
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found === null) return null
    this.at += found[0].length
    return found[0]
  }

  get atEnd(): boolean {
    this.skipSpaces()
    return this.at >= this.text.length
  }

  /** Where the next thing stands, after spaces. */
  get next(): string {
    this.skipSpaces()
    return this.text.charAt(this.at)
  }

  /** Reads something that stands within something else. */
  nested<T>(read: () => T): T {
    if (++this.depth > formulaDepthMax) {
      throw new FormulaError(`Expected at most ${formulaDepthMax} levels of nesting`, this.at + 1)
    }
    const result = read()
    this.depth--
    return result
  }

  /** Counts a part of the expression. */
  counted<T>(part: T): T {
    if (++this.nodes > formulaNodesMax) {
      throw new FormulaError(`Expected at most ${formulaNodesMax} parts`, this.at + 1)
    }
    return part
  }

  /** Throws what was expected at `at`, where another thing stands. */
  fail(expected: string, at: number = this.at): never {
    const got = at >= this.text.length ? "the end" : `"${this.text.slice(at, at + 20)}"`
    throw new FormulaError(`${expected}, got ${got}`, at + 1)
  }
}
