/**
 * The text of an expression to its tree. Precedence as in JavaScript, lowest first:
 *
 *   ?:   ||   &&   == != === !==   < <= > >=   + -   * / %   - ! +   brackets, names, numbers
 */

import { formulaCharactersMax } from "../base/limits.ts"
import { Cursor, FormulaError } from "./cursor.ts"
import { mathFunctions, type BinaryOperator, type Expression } from "./expression.ts"
import { readMathName, readReference } from "./reference.ts"
import { readText } from "./text.ts"

/** Throws FormulaError, which tells the position and what was expected there. */
export function parseExpression(text: string): Expression {
  if (text.length > formulaCharactersMax) {
    const problem = `Expected at most ${formulaCharactersMax} characters, got ${text.length}`
    throw new FormulaError(problem, formulaCharactersMax + 1)
  }
  const cursor = new Cursor(text)
  const expression = readChoice(cursor)
  // People end lines of JavaScript so.
  cursor.take(";")
  if (!cursor.atEnd) cursor.fail("Expected an operator or the end")
  return expression
}

/** Operators of one level by their spelling, longer ones first; the levels from loosest to tightest. */
const levels: readonly (readonly (readonly [string, BinaryOperator])[])[] = [
  [["||", "||"]],
  [["&&", "&&"]],
  [
    ["===", "=="],
    ["!==", "!="],
    ["==", "=="],
    ["!=", "!="],
  ],
  [
    ["<=", "<="],
    [">=", ">="],
    ["<", "<"],
    [">", ">"],
  ],
  [
    ["+", "+"],
    ["-", "-"],
  ],
  [
    ["*", "*"],
    ["/", "/"],
    ["%", "%"],
  ],
]

function readChoice(cursor: Cursor): Expression {
  return cursor.within(() => {
    const condition = readBinary(cursor, 0)
    if (!cursor.take("?")) return condition
    const yes = readChoice(cursor)
    cursor.expect(":")
    const no = readChoice(cursor)
    return cursor.made({ kind: "choice", condition, yes, no })
  })
}

function readBinary(cursor: Cursor, level: number): Expression {
  const operators = levels[level]
  if (operators === undefined) return readUnary(cursor)
  let left = readBinary(cursor, level + 1)
  for (;;) {
    const found = operators.find(([spelling]) => cursor.take(spelling))
    if (found === undefined) return left
    const right = readBinary(cursor, level + 1)
    left = cursor.made({ kind: "binary", operator: found[1], left, right })
  }
}

function readUnary(cursor: Cursor): Expression {
  if (cursor.take("+")) return cursor.within(() => readUnary(cursor))
  const operator = (["-", "!"] as const).find((sign) => cursor.take(sign))
  if (operator === undefined) return readPrimary(cursor)
  return cursor.within(() => cursor.made({ kind: "unary", operator, of: readUnary(cursor) }))
}

function readPrimary(cursor: Cursor): Expression {
  if (cursor.take("(")) {
    const inner = readChoice(cursor)
    cursor.expect(")")
    return inner
  }
  const start = (cursor.skipSpaces(), cursor.at)
  const number = cursor.match(/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y)
  if (number !== null) return cursor.made(numberNode(cursor, number, start))
  if (cursor.next === "'" || cursor.next === '"') {
    return cursor.made({ kind: "text", value: readText(cursor) })
  }
  const math = readMathName(cursor)
  if (math !== null) return cursor.made(readMath(cursor, math))
  const reference = readReference(cursor)
  if (reference !== null) return cursor.made(reference)
  return cursor.fail("Expected a number, a metric such as ${cpu.idle}.actual, a function or (")
}

function numberNode(cursor: Cursor, text: string, start: number): Expression {
  const value = Number(text)
  if (!Number.isFinite(value)) cursor.fail("Expected a finite number", start)
  return { kind: "number", value }
}

/** How many arguments each function takes. */
function readMath(cursor: Cursor, name: (typeof mathFunctions)[number]): Expression {
  const start = cursor.at
  cursor.expect("(")
  const args = [readChoice(cursor)]
  while (cursor.take(",")) args.push(readChoice(cursor))
  cursor.expect(")")
  const isVariadic = name === "min" || name === "max"
  const wanted = name === "pow" ? 2 : 1
  if (!isVariadic && args.length !== wanted) {
    cursor.fail(`Expected ${wanted} argument${wanted > 1 ? "s" : ""} of ${name}`, start)
  }
  return { kind: "math", function: name, args }
}
