/**
 * Patterns: regular expressions of clients, on an engine whose time is linear in the text. `(a+)+$`
 * is as harmless here as `a`. The syntax is that of RE2: no look-around, no back references.
 */

import { RE2JS } from "re2js"
import { assert } from "../assert.ts"
import { patternCharactersMax, patternsPerFilterMax, patternStepsMax } from "../limits/queries.ts"

export interface Pattern {
  /** True if some part of the text matches. */
  test(text: string): boolean
  /** True if the whole text matches. */
  matchesWhole(text: string): boolean
}

interface PatternOptions {
  readonly caseless: boolean
}

/** Finds a pattern in a text, with its groups. */
export interface CapturePattern {
  /**
   * The first match at or after `from` (an index, default 0), and its groups, empty for a group
   * that did not participate; null if nothing matches.
   */
  find(text: string, from?: number): readonly string[] | null
}

/** Finds the positions of a pattern in a text. */
export interface MatchFinder {
  /** Start of the first match at or after `from`; -1 if there is none. */
  indexFrom(text: string, from: number): number
}

/** Why an expression is refused, in one sentence; null if it is accepted. */
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

/** Compiles an expression that `patternProblem` accepted. */
export function compilePattern(text: string, { caseless }: PatternOptions): Pattern {
  const compiled = compile(text, caseless)
  return {
    test: (given) => compiled.test(given),
    matchesWhole: (given) => compiled.testExact(given),
  }
}

/** The same with groups; finds the first match in a text. */
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

/** The same for the positions of matches. */
export function compileMatchFinder(text: string, { caseless }: PatternOptions): MatchFinder {
  const compiled = compile(text, caseless)
  return {
    indexFrom(given, from) {
      const matcher = compiled.matcher(given)
      return matcher.find(from) ? matcher.start() : -1
    },
  }
}

/** Number of groups of an expression that `patternProblem` accepted. */
export function groupCountOf(text: string): number {
  return compile(text, false).groupCount()
}

/**
 * Accepted expressions that are not used yet: compiling takes up to 3 ms. A used one belongs to its
 * user, since an expression keeps memory about texts it was tried on.
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
 * True if the whole text matches `wanted`, in which `*` matches any run of characters and `?` one.
 * A star first matches as little as possible; if the rest then fails, only the last star takes one
 * more, so the time is at most the product of both lengths.
 *
 * @example
 * assert.ok(matchesWildcard("web-?.*.example", "web-1.eu.example"))
 * assert.ok(!matchesWildcard("web-?", "web-12"))
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
