/**
 * Expressions on names, matched ignoring case. Most of those in packages are a name with a star or
 * two, such as `diskspace\..*percent$`. These are matched here: compiling one for the general
 * engine takes half a millisecond, and an installation has thousands.
 */

import type { Pattern } from "../base/text/pattern.ts"
import { compileExpression } from "./lookahead.ts"

/** ASCII: lower-casing relates exactly the characters that the engine treats as equal. */
const plainName = /^[\x20-\x7e]*$/
/** One token of a simple expression: a gap, any one character, or a literal character. */
const simpleStep = /\.\*|\.\+|\.|\\[^\w\s]|\[\.\]|[\w\- /%:=@,;<>&#!~]/y
/** Longer expressions go to the engine, which has a limit of its own. */
const simpleCharactersMax = 200

/** Placeholder for any one character; no name that is matched here contains it. */
const anyOne = "\0"

/** Literal runs in lower case, with any text between them. */
interface Simple {
  readonly runs: readonly string[]
  readonly fromStart: boolean
  readonly toEnd: boolean
}

/** True if an expression is matched here, and so is valid. */
export function isSimplePattern(text: string): boolean {
  return simpleOf(text) !== null
}

export class NamePattern {
  private readonly text: string
  private readonly simple: Simple | null
  private engine: Pattern | null = null

  /** `text` is an expression that passed `expressionProblem`. */
  constructor(text: string) {
    this.text = text
    this.simple = simpleOf(text)
  }

  /** Compiles the expression before its first use; returns false if it needs no engine. */
  prepare(): boolean {
    if (this.simple !== null) return false
    this.compiled().test(this.text)
    return true
  }

  /** True if some part of the name matches; `lower` is the name in lower case. */
  finds(name: string, lower: string): boolean {
    if (this.simple !== null && plainName.test(name)) return matches(this.simple, lower)
    return this.compiled().test(name)
  }

  /** True if the whole name matches. */
  fits(name: string, lower: string): boolean {
    if (this.simple !== null && plainName.test(name)) {
      return matches({ ...this.simple, fromStart: true, toEnd: true }, lower)
    }
    return this.compiled().matchesWhole(name)
  }

  private compiled(): Pattern {
    return (this.engine ??= compileExpression(this.text))
  }
}

function simpleOf(text: string): Simple | null {
  if (text.length > simpleCharactersMax) return null
  const fromStart = text.startsWith("^")
  const toEnd = text.endsWith("$") && !text.endsWith("\\$")
  const runs = [""]
  const end = text.length - (toEnd ? 1 : 0)
  let at = fromStart ? 1 : 0
  while (at < end) {
    simpleStep.lastIndex = at
    const step = simpleStep.exec(text)?.[0]
    if (step === undefined) return null
    at += step.length
    if (/[*+?{]/.test(text.charAt(at))) return null
    const last = runs.length - 1
    if (step === ".*") runs.push("")
    else if (step === ".+") runs.splice(last, 1, runs[last]! + anyOne, "")
    else if (step === ".") runs[last] += anyOne
    else runs[last] += step === "[.]" ? "." : step.at(-1)!.toLowerCase()
  }
  return { runs, fromStart, toEnd }
}

/** Greedy: each run at its first possible index leaves the most text for the runs after it. */
function matches({ runs, fromStart, toEnd }: Simple, lower: string): boolean {
  const last = runs.length - 1
  let at = 0
  for (let i = 0; i <= last; i++) {
    const run = runs[i]!
    const isFixed = i === 0 && fromStart
    let found = at
    if (i === last && toEnd) {
      found = lower.length - run.length
      if (isFixed && found !== 0) return false
      if (found < at || !isRunAt(run, lower, found)) return false
    } else if (isFixed) {
      if (!isRunAt(run, lower, 0)) return false
    } else found = indexOfRun(run, lower, at)
    if (found < 0) return false
    at = found + run.length
  }
  return true
}

function indexOfRun(run: string, lower: string, from: number): number {
  if (!run.includes(anyOne)) return lower.indexOf(run, from)
  for (let at = from; at + run.length <= lower.length; at++) if (isRunAt(run, lower, at)) return at
  return -1
}

function isRunAt(run: string, lower: string, at: number): boolean {
  if (at + run.length > lower.length) return false
  for (let i = 0; i < run.length; i++) {
    const one = run.charAt(i)
    if (one !== anyOne && one !== lower.charAt(at + i)) return false
  }
  return true
}
