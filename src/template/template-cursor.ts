/** A position in a template's text, with the operations of its parser. */

/** A template cannot be parsed or rendered: one sentence, with the position if there is one. */
export class TemplateError extends Error {
  override readonly name = "TemplateError"
}

/** Nesting of parentheses and directives: more than any legible template has. */
const templateDepthMax = 32

/** Characters of a rendered or intermediate text: an e-mail of this size is 100 pages. */
export const renderedCharactersMax = 262_144

/** Longest piece of a template that an error message quotes. */
const shownCharactersMax = 40

export class TemplateCursor {
  readonly text: string
  at = 0
  private depth = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  startsWith(piece: string): boolean {
    return this.text.startsWith(piece, this.at)
  }

  /** Consumes `piece` if it is next. */
  accept(piece: string): boolean {
    if (!this.startsWith(piece)) return false
    this.at += piece.length
    return true
  }

  /** Consumes the match of a sticky `pattern`; undefined if it does not match. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  skipSpace(): void {
    this.match(/\s*/y)
  }

  /** An error with the position `at`: `what` completes "expected …", followed by the text there. */
  expected(what: string, at = this.at): TemplateError {
    const before = this.text.slice(0, at).split("\n")
    const location = `line ${before.length}, column ${before.at(-1)!.length + 1}`
    const rest = this.text.slice(at).split("\n", 1)[0]!.trimEnd()
    const cut = rest.length > shownCharactersMax ? `${rest.slice(0, shownCharactersMax)}…` : rest
    const got = at >= this.text.length ? "the end" : JSON.stringify(cut)
    return new TemplateError(`${location}: expected ${what}, got ${got}`)
  }

  /** Calls `work` one level deeper; throws TemplateError beyond `templateDepthMax` levels. */
  nested<Result>(work: () => Result): Result {
    if (this.depth >= templateDepthMax) {
      throw this.expected(`at most ${templateDepthMax} levels within one another`)
    }
    this.depth++
    const result = work()
    this.depth--
    return result
  }
}
