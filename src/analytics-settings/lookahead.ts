/**
 * Negative lookahead at the head of an expression, without a backtracking engine.
 *
 *   ^(?!.*idle)cpu\..*   ─►  rest `^cpu\..*`, forbidden [`.*idle`]
 *
 * The expression matches at an index at which the rest matches and no forbidden expression does.
 * Look-around elsewhere, back references and possessive quantifiers are not supported.
 */

import {
  compileCapture,
  compilePattern,
  compileMatchFinder,
  groupCountOf,
} from "../base/text/pattern.ts"
import {
  patternProblem,
  type CapturePattern,
  type Pattern,
  type MatchFinder,
} from "../base/text/pattern.ts"

interface Split {
  readonly rest: string
  readonly forbidden: readonly string[]
}

/** Flags and `^` may precede the lookahead. */
const head = /^(?:\(\?[a-zA-Z]+\))?\^?/
const opening = "(?!"
const backtracking = /\(\?(?:<?[=!]|>)|\\[1-9]|\\k<|(?<!\\)[*+?}]\+/

/** Why an expression is not supported, in one sentence; null if it is. */
export function expressionProblem(text: string): string | null {
  const split = splitLookahead(text)
  if (split === null) return patternProblem(text)
  for (const part of [split.rest, ...split.forbidden]) {
    const problem = patternProblem(part)
    if (problem !== null) return problem
  }
  return null
}

/** True if the expression uses constructs that only a backtracking engine supports. */
export function needsBacktracking(text: string): boolean {
  return backtracking.test(text)
}

/** As `compilePattern`, for an expression that passed `expressionProblem`. Ignores case. */
export function compileExpression(text: string): Pattern {
  const split = splitLookahead(text)
  if (split === null) return compilePattern(text, { caseless: true })
  const rest = compilePattern(split.rest, { caseless: true })
  const places = compileLookahead(split)
  return {
    test: (given) => firstMatchAt(places, given) >= 0,
    matchesWhole: (given) => rest.matchesWhole(given) && isAllowed(places, given, 0),
  }
}

/** As `compileCapture`; the groups within a lookahead are counted, and empty. */
export function compileExpressionCapture(text: string): CapturePattern {
  const split = splitLookahead(text)
  if (split === null) return compileCapture(text, { caseless: true })
  const rest = compileCapture(split.rest, { caseless: true })
  const places = compileLookahead(split)
  const empty = Array.from({ length: groupsOf(split.forbidden) }, () => "")
  return {
    find(given) {
      const at = firstMatchAt(places, given)
      const found = at < 0 ? null : rest.find(given, at)
      return found === null ? null : [found[0]!, ...empty, ...found.slice(1)]
    },
  }
}

/** Count of groups of an expression that passed `expressionProblem`. */
export function expressionGroups(text: string): number {
  const split = splitLookahead(text)
  return split === null ? groupCountOf(text) : groupsOf([split.rest, ...split.forbidden])
}

function groupsOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + groupCountOf(text), 0)
}

interface CompiledLookahead {
  readonly rest: MatchFinder
  readonly forbidden: readonly MatchFinder[]
}

function compileLookahead({ rest, forbidden }: Split): CompiledLookahead {
  const caseless = { caseless: true }
  return {
    rest: compileMatchFinder(rest, caseless),
    forbidden: forbidden.map((one) => compileMatchFinder(one, caseless)),
  }
}

/** Index at which the first match begins, or -1. Each index is tried once. */
function firstMatchAt(places: CompiledLookahead, given: string): number {
  for (let from = 0; from <= given.length; from++) {
    from = places.rest.indexFrom(given, from)
    if (from < 0) return -1
    if (isAllowed(places, given, from)) return from
  }
  return -1
}

function isAllowed({ forbidden }: CompiledLookahead, given: string, at: number): boolean {
  return forbidden.every((one) => one.indexFrom(given, at) !== at)
}

/** Null without a negative lookahead at the head, or if it applies to one alternative only. */
function splitLookahead(text: string): Split | null {
  const start = head.exec(text)![0]
  const forbidden: string[] = []
  let at = start.length
  while (text.startsWith(opening, at)) {
    const end = closingOf(text, at)
    if (end < 0) return null
    forbidden.push(text.slice(at + opening.length, end))
    at = end + 1
  }
  const tail = text.slice(at)
  if (forbidden.length === 0 || /^[*+?{]/.test(tail) || hasAlternatives(tail)) return null
  return { rest: start + tail, forbidden }
}

/** Index of the parenthesis that closes the one at `open`, or -1. */
function closingOf(text: string, open: number): number {
  let depth = 0
  for (const { at, sign } of signsOf(text, open)) {
    if (sign === "(") depth++
    else if (sign === ")" && --depth === 0) return at
  }
  return -1
}

function hasAlternatives(text: string): boolean {
  let depth = 0
  for (const { sign } of signsOf(text, 0)) {
    if (sign === "(") depth++
    else if (sign === ")") depth--
    else if (sign === "|" && depth === 0) return true
  }
  return false
}

/** Parentheses and bars that are not escaped, in a class or in `\Q…\E`. */
function* signsOf(text: string, from: number): Generator<{ at: number; sign: string }> {
  // A leading bracket in a class is literal.
  const token = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\[:\w*:\]|\\.|[^\]\\])*\]|[()|]/gs
  token.lastIndex = from
  for (const found of text.matchAll(token)) {
    if (found.index >= from && found[0].length === 1) yield { at: found.index, sign: found[0] }
  }
}
