/**
 * Parses the text of an expression to its tree. Precedence as in JavaScript, lowest first:
 *
 *   ?:   ||   &&   == != === !==   < <= > >=   + -   * / %   - ! +   brackets, names, numbers
 */

import { formulaCharactersMax } from "../base/limits.ts"
import { FormulaCursor, FormulaError } from "./formula-cursor.ts"
import { mathFunctions, type BinaryOperator, type Expression } from "./expression.ts"
import { readMathName, readReference } from "./reference.ts"
import { readText } from "./text.ts"

/** Throws FormulaError with the position and the expectation. */
export function parseExpression(text: string): Expression {
  if (text.length > formulaCharactersMax) {
    const problem = `Expected at most ${formulaCharactersMax} characters, got ${text.length}`
    throw new FormulaError(problem, formulaCharactersMax + 1)
  }
  const cursor = new FormulaCursor(text)
  const expression = readChoice(cursor)
  // Authors who know JavaScript end lines with a semicolon.
  cursor.accept(";")
  if (!cursor.atEnd) cursor.fail("Expected an operator or the end")
  return expression
}

/** Levels of precedence, lowest first; spellings of each level, longer ones first. */
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

function readChoice(cursor: FormulaCursor): Expression {
  return cursor.nested(() => {
    const condition = readBinary(cursor, 0)
    if (!cursor.accept("?")) return condition
    const yes = readChoice(cursor)
    cursor.expect(":")
    const no = readChoice(cursor)
    return cursor.counted({ kind: "choice", condition, yes, no })
  })
}

function readBinary(cursor: FormulaCursor, level: number): Expression {
  const operators = levels[level]
  if (operators === undefined) return readUnary(cursor)
  let left = readBinary(cursor, level + 1)
  for (;;) {
    const found = operators.find(([spelling]) => cursor.accept(spelling))
    if (found === undefined) return left
    const right = readBinary(cursor, level + 1)
    left = cursor.counted({ kind: "binary", operator: found[1], left, right })
  }
}

function readUnary(cursor: FormulaCursor): Expression {
  if (cursor.accept("+")) return cursor.nested(() => readUnary(cursor))
  const operator = (["-", "!"] as const).find((sign) => cursor.accept(sign))
  if (operator === undefined) return readPrimary(cursor)
  return cursor.nested(() => cursor.counted({ kind: "unary", operator, of: readUnary(cursor) }))
}

function readPrimary(cursor: FormulaCursor): Expression {
  if (cursor.accept("(")) {
    const inner = readChoice(cursor)
    cursor.expect(")")
    return inner
  }
  const start = (cursor.skipSpaces(), cursor.at)
  const number = cursor.match(/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y)
  if (number !== null) return cursor.counted(numberNode(cursor, number, start))
  if (cursor.next === "'" || cursor.next === '"') {
    return cursor.counted({ kind: "text", value: readText(cursor) })
  }
  const math = readMathName(cursor)
  if (math !== null) return cursor.counted(readMath(cursor, math))
  const reference = readReference(cursor)
  if (reference !== null) return cursor.counted(reference)
  return cursor.fail("Expected a number, a metric such as ${cpu.idle}.actual, a function or (")
}

function numberNode(cursor: FormulaCursor, text: string, start: number): Expression {
  const value = Number(text)
  if (!Number.isFinite(value)) cursor.fail("Expected a finite number", start)
  return { kind: "number", value }
}

/** Parses the arguments of a math function, and checks their count. */
function readMath(cursor: FormulaCursor, name: (typeof mathFunctions)[number]): Expression {
  const start = cursor.at
  cursor.expect("(")
  const args = [readChoice(cursor)]
  while (cursor.accept(",")) args.push(readChoice(cursor))
  cursor.expect(")")
  const isVariadic = name === "min" || name === "max"
  const wanted = name === "pow" ? 2 : 1
  if (!isVariadic && args.length !== wanted) {
    cursor.fail(`Expected ${wanted} argument${wanted > 1 ? "s" : ""} of ${name}`, start)
  }
  return { kind: "math", function: name, args }
}
