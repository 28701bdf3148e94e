/** A place in a template's text, and errors that tell it. */

/** Why a template cannot be read or rendered: one sentence, with the place where there is one. */
export class TemplateError extends Error {
  override readonly name = "TemplateError"
}

/** Parentheses in parentheses, directives in directives: nobody reads deeper ones. */
export const templateDepthMax = 32

/** No receiver takes more: an e-mail of this size is 100 pages. Also bounds each text on the way. */
export const renderedCharactersMax = 262_144

/** Longest piece of a template that a sentence repeats. */
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

  /** Steps over `piece` where it stands here. */
  accept(piece: string): boolean {
    if (!this.startsWith(piece)) return false
    this.at += piece.length
    return true
  }

  /** What `pattern`, which must be sticky, matches here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  skipSpace(): void {
    this.match(/\s*/y)
  }

  /** `what` completes "expected …"; what stands at `at` is what was got. */
  expected(what: string, at = this.at): TemplateError {
    const before = this.text.slice(0, at).split("\n")
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`
    const rest = this.text.slice(at).split("\n", 1)[0]!.trimEnd()
    const cut = rest.length > shownCharactersMax ? `${rest.slice(0, shownCharactersMax)}…` : rest
    const got = at >= this.text.length ? "the end" : JSON.stringify(cut)
    return new TemplateError(`${place}: expected ${what}, got ${got}`)
  }

  /** Does `work` one level deeper. */
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
