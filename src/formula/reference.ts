/** Parses names in expressions: metrics, attributes, functions across metrics, constants. */

import { patternProblem } from "../base/text/pattern.ts"
import type { FormulaCursor } from "./formula-cursor.ts"
import {
  acrossFunctions,
  cycleStatistics,
  mathFunctions,
  type AcrossFunction,
  type CycleStatistic,
  type Expression,
  type MathFunction,
} from "./expression.ts"
import { fillGroups } from "./capture-groups.ts"
import { readBracketed, readText } from "./text.ts"

const word = /[A-Za-z_]\w*/y

/** Accepted synonyms of statistics and functions. */
const synonyms: Readonly<Record<string, string>> = { average: "avg", count: "cnt" }

/** Consumes `Math.min`, `abs` and the like; null, consuming nothing, if no such name is next. */
export function readMathName(cursor: FormulaCursor): MathFunction | null {
  const start = cursor.at
  const isMath = cursor.accept("Math.")
  const name = cursor.match(word) ?? ""
  const known = mathFunctions.find((one) => one === name)
  const isCall = known !== undefined && cursor.next === "("
  if (isCall && (isMath || !isAcross(name) || holdsMetric(cursor))) return known
  if (isMath) cursor.fail(`Expected one of ${mathFunctions.join(", ")}`, start + "Math.".length)
  cursor.at = start
  return null
}

/** True for `min(${a}.actual, 5)`, a function of numbers; false for `min(cpu.*)`, of metrics. */
function holdsMetric(cursor: FormulaCursor): boolean {
  const start = cursor.at
  cursor.accept("(")
  const inside = readBracketed(cursor)
  cursor.at = start
  return /\$\{\D|data\s*\[|attribute/.test(inside)
}

function isAcross(name: string): boolean {
  return (acrossFunctions as readonly string[]).includes(synonyms[name] ?? name)
}

/** A metric, an attribute, a function across metrics or a constant; null if none is next. */
export function readReference(cursor: FormulaCursor): Expression | null {
  if (cursor.accept("${")) return readMetric(cursor)
  const start = cursor.at
  const name = cursor.match(word)
  if (name === null) return null
  if (name === "data") return readData(cursor)
  if (name === "attribute" || name === "attributes") return readAttribute(cursor)
  if (name === "null" || name === "undefined") return { kind: "null" }
  if (name === "true" || name === "false") return { kind: "boolean", value: name === "true" }
  if (isAcross(name) && cursor.accept("(")) return readAcross(cursor, name)
  return cursor.fail(
    `Expected a function (${acrossFunctions.join(", ")}, attribute, Math.min …), data or ` +
      "a metric such as ${cpu.idle}.actual",
    start,
  )
}

/** The rest of `${fqn}.statistic`; without a statistic it is `actual`. */
function readMetric(cursor: FormulaCursor): Expression {
  const start = cursor.at
  const inside = cursor.match(/(?:\$\{\d{1,2}\}|[^{}])*/y) ?? ""
  const fqn = inside.trim()
  if (fqn === "") cursor.fail("Expected the name of a metric", start)
  cursor.expect("}")
  return { kind: "metric", fqn, statistic: readStatistic(cursor) ?? "actual" }
}

function readStatistic(cursor: FormulaCursor): CycleStatistic | null {
  if (!cursor.accept(".")) return null
  const start = cursor.at
  const name = cursor.match(word) ?? ""
  const known = cycleStatistics.find((one) => one === (synonyms[name] ?? name))
  return known ?? cursor.fail(`Expected one of ${cycleStatistics.join(", ")}`, start)
}

function readData(cursor: FormulaCursor): Expression {
  if (cursor.accept("[")) {
    const fqn = readQuotedName(cursor)
    const statistic = readStatistic(cursor)
    return statistic === null ? { kind: "hasMetric", fqn } : { kind: "metric", fqn, statistic }
  }
  cursor.expect(".")
  const start = cursor.at
  const name = cursor.match(word) ?? ""
  if (!isAcross(name)) cursor.fail(`Expected one of ${acrossFunctions.join(", ")}`, start)
  cursor.expect("(")
  return readAcross(cursor, name)
}

function readQuotedName(cursor: FormulaCursor): string {
  const start = cursor.at
  if (cursor.next !== "'" && cursor.next !== '"') cursor.fail("Expected a name in quotes")
  const name = readText(cursor).trim()
  if (name === "") cursor.fail("Expected a name", start)
  cursor.expect("]")
  return name
}

function readAttribute(cursor: FormulaCursor): Expression {
  if (cursor.accept("(")) return { kind: "attribute", name: readBracketed(cursor) }
  cursor.expect("[")
  const name = readQuotedName(cursor)
  if (!cursor.accept(".")) return { kind: "hasAttribute", name }
  cursor.expect("value")
  return { kind: "attribute", name }
}

function readAcross(cursor: FormulaCursor, name: string): Expression {
  const start = cursor.at
  const pattern = readBracketed(cursor)
  const problem = patternProblem(fillGroups(pattern, []))
  if (problem !== null) cursor.fail(`Expected a regular expression (${problem})`, start)
  return { kind: "across", function: (synonyms[name] ?? name) as AcrossFunction, pattern }
}
