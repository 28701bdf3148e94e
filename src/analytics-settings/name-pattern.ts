/**
 * Expressions over names, matched in either case. Most of those in packages are a name with a star
 * or two, such as `diskspace\..*percent$`. These are matched here: an engine for all expressions
 * takes half a millisecond to make ready for each, and an installation has thousands.
 */

import type { Pattern } from "../base/pattern.ts"
import { compileExpression } from "./lookahead.ts"

/** Characters that stand for one another in either case, and in no other way. */
const plainName = /^[\x20-\x7e]*$/
/** One step of a simple expression: a gap, any one character, or a character that stands. */
const simpleStep = /\.\*|\.\+|\.|\\[^\w\s]|\[\.\]|[\w\- /%:=@,;<>&#!~]/y
/** Longer ones go to the engine, which has a limit of its own. */
const simpleCharactersMax = 200

/** Stands for any one character; no name that is matched here holds it. */
const anyOne = "\0"

/** Runs of characters in lower case, with any text between them. */
interface Simple {
  readonly runs: readonly string[]
  readonly fromStart: boolean
  readonly toEnd: boolean
}

/** True where an expression is matched here, and therefore has no problem. */
export function isSimplePattern(text: string): boolean {
  return simpleOf(text) !== null
}

export class NamePattern {
  private readonly text: string
  private readonly simple: Simple | null
  private engine: Pattern | null = null

  /** Of an expression in which `expressionProblem` finds none. */
  constructor(text: string) {
    this.text = text
    this.simple = simpleOf(text)
  }

  /** Makes the engine ready, so that the first name need not wait; false where none is needed. */
  prepare(): boolean {
    if (this.simple !== null) return false
    this.compiled().test(this.text)
    return true
  }

  /** True where some part of the name matches; `lower` is the name in lower case. */
  finds(name: string, lower: string): boolean {
    if (this.simple !== null && plainName.test(name)) return matches(this.simple, lower)
    return this.compiled().test(name)
  }

  /** True where the whole name matches. */
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

/** Each run where it first can be is best for those behind it; the last one may have to be last. */
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
