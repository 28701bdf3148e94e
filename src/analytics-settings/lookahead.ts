/**
 * Negative lookahead at the head of an expression, without an engine that backtracks.
 *
 *   ^(?!.*idle)cpu\..*   ─►  rest `^cpu\..*`, without [`.*idle`]
 *
 * The whole matches at a place where the rest matches and none of `without` does. Look-around
 * elsewhere, back references and possessive quantifiers cannot be told so.
 */

import {
  compileCapture,
  compilePattern,
  compileMatchFinder,
  groupCountOf,
} from "../base/pattern.ts"
import {
  patternProblem,
  type CapturePattern,
  type Pattern,
  type MatchFinder,
} from "../base/pattern.ts"

interface Split {
  readonly rest: string
  readonly without: readonly string[]
}

/** Flags and the start of the text may stand before the lookahead. */
const head = /^(?:\(\?[a-zA-Z]+\))?\^?/
const opening = "(?!"
const backtracking = /\(\?(?:<?[=!]|>)|\\[1-9]|\\k<|(?<!\\)[*+?}]\+/

/** Why an expression cannot be taken, in one sentence; null if it can. */
export function expressionProblem(text: string): string | null {
  const split = splitLookahead(text)
  if (split === null) return patternProblem(text)
  for (const part of [split.rest, ...split.without]) {
    const problem = patternProblem(part)
    if (problem !== null) return problem
  }
  return null
}

/** True if the expression is one of an engine that backtracks, for which ours has no means. */
export function needsBacktracking(text: string): boolean {
  return backtracking.test(text)
}

/** The same as `compilePattern`, for an expression in which `expressionProblem` found none. */
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

/** The same as `compileCapture`; the groups of a lookahead are numbered, and empty. */
export function compileExpressionCapture(text: string): CapturePattern {
  const split = splitLookahead(text)
  if (split === null) return compileCapture(text, { caseless: true })
  const rest = compileCapture(split.rest, { caseless: true })
  const places = compileLookahead(split)
  const empty = Array.from({ length: groupsOf(split.without) }, () => "")
  return {
    find(given) {
      const at = firstMatchAt(places, given)
      const found = at < 0 ? null : rest.find(given, at)
      return found === null ? null : [found[0]!, ...empty, ...found.slice(1)]
    },
  }
}

/** Groups of an expression in which `expressionProblem` found none. */
export function expressionGroups(text: string): number {
  const split = splitLookahead(text)
  return split === null ? groupCountOf(text) : groupsOf([split.rest, ...split.without])
}

function groupsOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + groupCountOf(text), 0)
}

interface CompiledLookahead {
  readonly rest: MatchFinder
  readonly without: readonly MatchFinder[]
}

function compileLookahead({ rest, without }: Split): CompiledLookahead {
  const caseless = { caseless: true }
  return {
    rest: compileMatchFinder(rest, caseless),
    without: without.map((one) => compileMatchFinder(one, caseless)),
  }
}

/** Where the first match begins; -1 if there is none. Each place is tried once. */
function firstMatchAt(places: CompiledLookahead, given: string): number {
  for (let from = 0; from <= given.length; from++) {
    from = places.rest.indexFrom(given, from)
    if (from < 0) return -1
    if (isAllowed(places, given, from)) return from
  }
  return -1
}

function isAllowed({ without }: CompiledLookahead, given: string, at: number): boolean {
  return without.every((one) => one.indexFrom(given, at) !== at)
}

/** Null if no negative lookahead stands at the head, or if it holds for one alternative only. */
function splitLookahead(text: string): Split | null {
  const start = head.exec(text)![0]
  const without: string[] = []
  let at = start.length
  while (text.startsWith(opening, at)) {
    const end = closingOf(text, at)
    if (end < 0) return null
    without.push(text.slice(at + opening.length, end))
    at = end + 1
  }
  const behind = text.slice(at)
  if (without.length === 0 || /^[*+?{]/.test(behind) || hasAlternatives(behind)) return null
  return { rest: start + behind, without }
}

/** Where the parenthesis at `open` closes; -1 if it does not. */
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

/** Parentheses and bars that are neither escaped nor in a class or a quotation. */
function* signsOf(text: string, from: number): Generator<{ at: number; sign: string }> {
  // A bracket that comes first in a class stands for itself.
  const token = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\[:\w*:\]|\\.|[^\]\\])*\]|[()|]/gs
  token.lastIndex = from
  for (const found of text.matchAll(token)) {
    if (found.index >= from && found[0].length === 1) yield { at: found.index, sign: found[0] }
  }
}
