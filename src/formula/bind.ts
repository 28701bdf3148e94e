/** Inserts the capture groups of one match into an expression, and lists its references. */

import type { Expression } from "./expression.ts"
import { fillPattern, fillGroups, highestGroup } from "./capture-groups.ts"

/** A copy of the expression with every name and pattern replaced by `change`. */
function mapNames(
  expression: Expression,
  change: { name: (text: string) => string; pattern: (text: string) => string },
): Expression {
  const again = (one: Expression): Expression => mapNames(one, change)
  switch (expression.kind) {
    case "metric":
    case "hasMetric":
      return { ...expression, fqn: change.name(expression.fqn) }
    case "attribute":
    case "hasAttribute":
      return { ...expression, name: change.name(expression.name) }
    case "across":
      return { ...expression, pattern: change.pattern(expression.pattern) }
    case "math":
      return { ...expression, args: expression.args.map(again) }
    case "unary":
      return { ...expression, of: again(expression.of) }
    case "binary":
      return { ...expression, left: again(expression.left), right: again(expression.right) }
    case "choice": {
      const { condition, yes, no } = expression
      return { ...expression, condition: again(condition), yes: again(yes), no: again(no) }
    }
    default:
      return expression
  }
}

/** A copy of the expression with its placeholders filled; `groups[0]` is the whole match. */
export function bindGroups(expression: Expression, groups: readonly string[]): Expression {
  return mapNames(expression, {
    name: (text) => fillGroups(text, groups),
    pattern: (text) => fillPattern(text, groups),
  })
}

export interface References {
  /** FQNs of metrics, and patterns that select metrics. */
  readonly fqns: ReadonlySet<string>
  readonly patterns: ReadonlySet<string>
  /** The highest capture group of a placeholder; 0 without any. */
  readonly highestGroup: number
}

export function referencesOf(expression: Expression): References {
  const fqns = new Set<string>()
  const patterns = new Set<string>()
  let group = 0
  const noteGroups = (text: string): string => {
    group = Math.max(group, highestGroup(text))
    return text
  }
  visit(expression, (one) => {
    if (one.kind === "metric" || one.kind === "hasMetric") fqns.add(noteGroups(one.fqn))
    else if (one.kind === "across") patterns.add(noteGroups(one.pattern))
    else if (one.kind === "attribute" || one.kind === "hasAttribute") noteGroups(one.name)
  })
  return { fqns, patterns, highestGroup: group }
}

function visit(expression: Expression, see: (one: Expression) => void): void {
  see(expression)
  if (expression.kind === "math") for (const one of expression.args) visit(one, see)
  else if (expression.kind === "unary") visit(expression.of, see)
  else if (expression.kind === "binary") {
    visit(expression.left, see)
    visit(expression.right, see)
  } else if (expression.kind === "choice") {
    visit(expression.condition, see)
    visit(expression.yes, see)
    visit(expression.no, see)
  }
}
