/**
 * Literals that a regular expression requires: a text without them cannot match. Most expressions
 * of packages are names with a star or two, so only few of thousands have to be tried on a name.
 * An expression that is not understood here requires nothing, and is always tried.
 */

import { pushAll, smallestOf } from "../base/iterables.ts"

/** A text that matches contains at least one literal of each of these sets, in lower case. */
export type RequiredLiterals = readonly (readonly string[])[]

const nothing: RequiredLiterals = []

export function requiredLiterals(pattern: string): RequiredLiterals {
  // \Q…\E quotes anything.
  if (pattern.includes("\\Q")) return nothing
  const reader = new LiteralParser(pattern)
  const needs = reader.alternation()
  return reader.at === pattern.length ? needs : nothing
}

class LiteralParser {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Branches up to the closing bracket or the end: one of them matches. */
  alternation(): RequiredLiterals {
    const branches: RequiredLiterals[] = []
    do branches.push(this.sequence())
    while (this.accept("|"))
    if (branches.length === 1) return branches[0]!
    const best = branches.map(longest)
    return best.includes(null) ? nothing : [best.flatMap((set) => set ?? [])]
  }

  /** One branch: all of its parts must match, so it requires the literals of each part. */
  private sequence(): RequiredLiterals {
    const needs: (readonly string[])[] = []
    let run = ""
    const close = (): void => {
      if (run !== "") needs.push([run])
      run = ""
    }
    while (this.at < this.text.length && !"|)".includes(this.text.charAt(this.at))) {
      const part = this.part()
      const { isOptional, isRepeated } = this.quantifier()
      if (typeof part === "string") {
        if (isOptional) close()
        else run += part
        if (isRepeated) close()
        continue
      }
      close()
      if (!isOptional) pushAll(needs, part)
    }
    close()
    return needs
  }

  /** A literal character as a text; for any other part the literals that it requires. */
  private part(): string | RequiredLiterals {
    const one = this.text.charAt(this.at++)
    if (one === "(") return this.group()
    if (one === "[") return this.skipClass()
    if (one === "\\") return this.escape()
    if (".^$".includes(one) || one > "\x7f") return nothing
    return one.toLowerCase()
  }

  private group(): RequiredLiterals {
    const isMarked = this.accept("?")
    // Flags and names up to the colon, or the bracket that ends them.
    const name = /^(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+(?=\)))/.exec(this.text.slice(this.at))
    const head = isMarked ? name : null
    this.at += head?.[0].length ?? 0
    const needs = this.alternation()
    const isClosed = this.accept(")")
    // A lookahead requires nothing here, whether positive or negative.
    return isClosed && isMarked === (head !== null) ? needs : nothing
  }

  private skipClass(): RequiredLiterals {
    this.accept("^")
    // A leading bracket is literal.
    this.accept("]")
    while (this.at < this.text.length && this.text.charAt(this.at) !== "]") {
      this.at += this.text.charAt(this.at) === "\\" ? 2 : 1
      if (this.text.startsWith("[:", this.at)) {
        this.at = Math.max(this.at, this.text.indexOf(":]", this.at) + 2)
      }
    }
    this.at++
    return nothing
  }

  /** An escaped sign is literal; an escaped letter or digit is a class or an assertion. */
  private escape(): string | RequiredLiterals {
    const one = this.text.charAt(this.at++)
    if (/[^\w]/.test(one)) return one
    if (/[pPx]/.test(one)) {
      const rest = /^(?:\{[^}]*\}|\w{1,2})/.exec(this.text.slice(this.at))
      this.at += rest?.[0].length ?? 0
    }
    return nothing
  }

  private quantifier(): { isOptional: boolean; isRepeated: boolean } {
    const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.text.slice(this.at))
    if (found === null) return { isOptional: false, isRepeated: false }
    this.at += found[0].length
    return { isOptional: !found[0].startsWith("+"), isRepeated: true }
  }

  private accept(one: string): boolean {
    if (this.text.charAt(this.at) !== one) return false
    this.at++
    return true
  }
}

/** The set whose shortest literal is longest; null if there is none. */
function longest(needs: RequiredLiterals): readonly string[] | null {
  const shortest = (set: readonly string[] | null): number =>
    set === null ? 0 : smallestOf(set.map((one) => one.length))
  return needs.reduce<readonly string[] | null>(
    (best, set) => (shortest(set) > shortest(best) ? set : best),
    null,
  )
}
