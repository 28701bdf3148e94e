/** A tree to text: the new syntax, with the few words that only the legacy one has. */

import type { Expression } from "../../src/formula/expression.ts"

/** Reading it again gives the same tree. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return String(expression.value)
    case "boolean":
      return String(expression.value)
    case "null":
      return "null"
    case "text":
      return printText(expression.value)
    case "metric":
      return printMetric(expression.fqn, expression.statistic)
    case "hasMetric":
      return `data[${printText(expression.fqn)}]`
    case "attribute":
      return `attribute(${printText(expression.name)})`
    case "hasAttribute":
      return `attribute[${printText(expression.name)}]`
    case "across":
      return `${expression.function}(${printText(expression.pattern)})`
    case "math":
      return `Math.${expression.function}(${expression.args.map(printExpression).join(", ")})`
    case "unary":
      return `${expression.operator}${printExpression(expression.of)}`
    case "binary": {
      const { left, operator, right } = expression
      return `(${printExpression(left)} ${operator} ${printExpression(right)})`
    }
    case "choice": {
      const [condition, yes, no] = [expression.condition, expression.yes, expression.no]
      return `(${[condition, yes].map(printExpression).join(" ? ")} : ${printExpression(no)})`
    }
  }
}

/** Legacy names may hold braces, which `${}` cannot. */
function printMetric(fqn: string, statistic: string): string {
  const isPlain = /^(?:\$\{\d{1,2}\}|[^{}])+$/.test(fqn)
  return isPlain ? `\${${fqn}}.${statistic}` : `data[${printText(fqn)}].${statistic}`
}

function printText(value: string): string {
  return `'${value.replace(/[\\']/g, "\\$&")}'`
}
