/**
 * Patterns: regular expressions from outside, on an engine whose time grows with the text only.
 * `(a+)+$` is as harmless here as `a`. Syntax is that of RE2: no look-around, no back references.
 */

import { RE2JS } from "re2js"
import { assert } from "./assert.ts"
import { patternCharactersMax, patternsPerFilterMax, patternStepsMax } from "./limits.ts"

export interface Pattern {
  /** True where some part of the text matches. */
  test(text: string): boolean
  /** True where the whole text matches. */
  matchesWhole(text: string): boolean
}

export interface PatternOptions {
  readonly caseless: boolean
}

/** What a pattern finds in a text. */
export interface CapturePattern {
  /**
   * The first match that begins at `from` (an index, default 0) or later, and its groups, empty
   * where a group took no part; null where nothing matches.
   */
  find(text: string, from?: number): readonly string[] | null
}

/** Where in a text a pattern matches. */
export interface MatchFinder {
  /** Where the first match begins that begins at `from` or later; -1 where there is none. */
  indexFrom(text: string, from: number): number
}

/** Why an expression cannot be taken, in one sentence; null where it can. */
export function patternProblem(text: string): string | null {
  if (text.length > patternCharactersMax) {
    return `it has ${text.length} characters, at most ${patternCharactersMax} are taken`
  }
  try {
    const compiled = RE2JS.compile(text)
    const steps = compiled.programSize()
    remember(text, compiled)
    if (steps <= patternStepsMax) return null
    return `it comes to ${steps} steps with its repetitions unrolled, at most ${patternStepsMax}`
  } catch (error) {
    return (error as Error).message
  }
}

/** An expression in which `patternProblem` found none. */
export function compilePattern(text: string, { caseless }: PatternOptions): Pattern {
  const compiled = compile(text, caseless)
  return {
    test: (given) => compiled.test(given),
    matchesWhole: (given) => compiled.testExact(given),
  }
}

/** The same with its groups; finds the first match in a text. */
export function compileCapture(text: string, { caseless }: PatternOptions): CapturePattern {
  const compiled = compile(text, caseless)
  const groupCount = compiled.groupCount()
  return {
    find(given, from = 0) {
      if (!compiled.test(given)) return null
      const matcher = compiled.matcher(given)
      if (!matcher.find(from)) return null
      return Array.from({ length: groupCount + 1 }, (_, group) => matcher.group(group) ?? "")
    },
  }
}

/** The places of an expression in which `patternProblem` found none. */
export function compileMatchFinder(text: string, { caseless }: PatternOptions): MatchFinder {
  const compiled = compile(text, caseless)
  return {
    indexFrom(given, from) {
      const matcher = compiled.matcher(given)
      return matcher.find(from) ? matcher.start() : -1
    },
  }
}

/** Groups of an expression in which `patternProblem` found none. */
export function groupCountOf(text: string): number {
  return compile(text, false).groupCount()
}

/**
 * Expressions that were judged and not used yet: compiling takes up to 3 ms. Once used they are
 * their user's, since an expression that was tried holds memory of what it saw.
 */
const checkedExpressions = new Map<string, RE2JS>()

function remember(text: string, compiled: RE2JS): void {
  if (checkedExpressions.size >= patternsPerFilterMax) checkedExpressions.clear()
  checkedExpressions.set(text, compiled)
}

function compile(text: string, caseless: boolean): RE2JS {
  assert(text.length <= patternCharactersMax, "Expected an expression that was judged")
  const known = caseless ? undefined : checkedExpressions.get(text)
  if (known !== undefined) {
    checkedExpressions.delete(text)
    return known
  }
  return RE2JS.compile(text, caseless ? RE2JS.CASE_INSENSITIVE : 0)
}

/**
 * True where the whole text matches `wanted`, in which `*` stands for any run of characters and `?`
 * for one. A star takes as little as it can; where the rest then fails, only the last star takes
 * one more, so the time is at most the product of both lengths.
 */
export function matchesWildcard(wanted: string, given: string): boolean {
  let at = 0
  let star = -1
  let taken = 0
  for (let i = 0; i < given.length;) {
    if (wanted[at] === "*") {
      star = at++
      taken = i
    } else if (at < wanted.length && (wanted[at] === "?" || wanted[at] === given[i])) {
      at++
      i++
    } else if (star >= 0) {
      at = star + 1
      i = ++taken
    } else return false
  }
  while (wanted[at] === "*") at++
  return at === wanted.length
}
