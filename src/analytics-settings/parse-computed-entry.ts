/** Parses one entry of a COMPUTED_METRIC configuration. */

import { expressionsPerEntryMax, fqnCharactersMax } from "../base/limits.ts"
import { largestOf } from "../base/iterables.ts"
import { FormulaError } from "../formula/formula-cursor.ts"
import type { Expression } from "../formula/expression.ts"
import { parseExpression } from "../formula/parse.ts"
import { referencesOf } from "../formula/bind.ts"
import { highestGroup } from "../formula/capture-groups.ts"
import { cleanFqn } from "../model/fqn.ts"
import type { ComputedEntry } from "./configuration.ts"
import { ConfigFieldReader, type ConfigProblems } from "./field-readers.ts"
import { expressionGroups } from "./lookahead.ts"

/** Half the limit of a name: captured texts are inserted into it, and its dots are escaped. */
const computedNameMax = fqnCharactersMax / 2

/** Accepts the names `for` and `expression` of older packages for `capture` and `expressions`. */
export function readComputed(
  entry: ConfigFieldReader,
  findings: ConfigProblems,
): ComputedEntry | undefined {
  const child = entry.child("properties")
  if (child === undefined) {
    if (entry.value("properties") === undefined) entry.reject("properties", "an object")
    return undefined
  }
  const fields = new ConfigFieldReader(child, entry.pathOf("properties"), findings)
  const fqn = fields.text("fqn") ?? entry.text("match")
  const captureName = fields.value("capture") === undefined ? "for" : "capture"
  const capture = fields.pattern(captureName)
  const expressions = readExpressions(fields, findings)
  if (fqn === undefined || cleanTemplate(fqn) === "" || fqn.length > computedNameMax) {
    const expected = `the name of the metric, of 1 to ${computedNameMax} characters`
    return fields.reject("fqn", expected)
  }
  // Without its capture the entry would define another metric.
  if (capture === undefined && fields.value(captureName) !== undefined) return undefined
  const groups = capture === undefined ? 0 : expressionGroups(capture)
  checkGroups(fields, { fqn, groups, expressions })
  const name = fields.text("name") ?? null
  return { fqn: cleanTemplate(fqn), name, capture: capture ?? null, expressions }
}

/** Cleans the name like every metric FQN, except for its placeholders such as `${1}`. */
function cleanTemplate(fqn: string): string {
  const pieces = fqn.split(/(\$\{\d{1,2}\})/)
  return pieces.map((piece, i) => (i % 2 === 1 ? piece : cleanFqn(piece))).join("")
}

function readExpressions(fields: ConfigFieldReader, findings: ConfigProblems): Expression[] {
  const list = fields.value("expressions") ?? fields.value("expression")
  const name = fields.value("expressions") === undefined ? "expression" : "expressions"
  const all: readonly unknown[] = Array.isArray(list) ? list : [list]
  const texts = all.filter((text) => text !== null && text !== undefined && text !== "")
  if (texts.length === 0 || texts.length > expressionsPerEntryMax) {
    fields.reject("expressions", `1 to ${expressionsPerEntryMax} expressions`)
    return []
  }
  return texts.flatMap((text, i) => {
    const at = Array.isArray(list) ? `${fields.pathOf(name)}[${i}]` : fields.pathOf(name)
    try {
      return [parseExpression(String(text))]
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error
      findings.problems.push(`${at}: ${error.message}`)
      return []
    }
  })
}

/** Reports an error if a placeholder names a group that the capture does not have. */
function checkGroups(
  fields: ConfigFieldReader,
  what: { fqn: string; groups: number; expressions: readonly Expression[] },
): void {
  const named = Math.max(
    highestGroup(what.fqn),
    largestOf(what.expressions.map((one) => referencesOf(one).highestGroup)),
  )
  if (named <= what.groups) return
  fields.reject("capture", `a regular expression with the group that \${${named}} names`)
}
