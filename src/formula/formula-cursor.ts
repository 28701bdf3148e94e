/** A position in the text of an expression, with the operations of its parser. */

import { formulaDepthMax, formulaNodesMax } from "../base/limits.ts"

/** A syntax error; `position` counts characters from 1. */
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

  /** Consumes `token` if it is next, after spaces. */
  accept(token: string): boolean {
    this.skipSpaces()
    if (!this.text.startsWith(token, this.at)) return false
    this.at += token.length
    return true
  }

  expect(token: string): void {
    if (!this.accept(token)) this.fail(`Expected "${token}"`)
  }

  /** Consumes the match of a sticky `pattern` after spaces; null if it does not match. */
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

  /** The next character after spaces; empty at the end. */
  get next(): string {
    this.skipSpaces()
    return this.text.charAt(this.at)
  }

  /** Calls `read` one level deeper; throws FormulaError beyond `formulaDepthMax` levels. */
  nested<T>(read: () => T): T {
    if (++this.depth > formulaDepthMax) {
      throw new FormulaError(`Expected at most ${formulaDepthMax} levels of nesting`, this.at + 1)
    }
    const result = read()
    this.depth--
    return result
  }

  /** Counts a node of the tree; throws FormulaError beyond `formulaNodesMax` nodes. */
  counted<T>(part: T): T {
    if (++this.nodes > formulaNodesMax) {
      throw new FormulaError(`Expected at most ${formulaNodesMax} parts`, this.at + 1)
    }
    return part
  }

  /** Throws FormulaError with the expectation and the text at `at`. */
  fail(expected: string, at: number = this.at): never {
    const got = at >= this.text.length ? "the end" : `"${this.text.slice(at, at + 20)}"`
    throw new FormulaError(`${expected}, got ${got}`, at + 1)
  }
}
