/**
 * Evaluates an expression for one element in one cycle.
 *
 * Semantics of JavaScript, from which the legacy syntax comes, with one more rule: an operation
 * with a missing operand, or a division by zero, is NaN, and NaN is no result. So `null` is a
 * missing metric or attribute, which can be compared with null and used as a condition; NaN is a
 * failed computation, and a comparison with it fails as well.
 */

import type { AcrossFunction, BinaryOperator, CycleStatistic, Expression } from "./expression.ts"
import { applyMath } from "./math.ts"

/** The values that an expression can refer to. */
export interface ExpressionInputs {
  /** The metric's statistic in this cycle, or undefined if it has none. */
  metric(fqn: string, statistic: CycleStatistic): number | undefined
  /** Text of the element's attribute, or undefined. */
  attribute(name: string): string | undefined
  /** Actual values, in this cycle, of the metrics whose whole name matches the pattern. */
  across(pattern: string): readonly number[]
}

type Value = number | string | boolean | null

/**
 * A finite number, or undefined if the expression cannot be evaluated.
 *
 * @example
 * import { parseExpression } from "./parse.ts"
 * const used = parseExpression("data['mem.total'].actual - data['mem.free'].actual")
 * const inputs = (values: Record<string, number>): ExpressionInputs => ({
 *   metric: (fqn) => values[fqn],
 *   attribute: () => undefined,
 *   across: () => [],
 * })
 * assert.equal(evaluate(used, inputs({ "mem.total": 8, "mem.free": 3 })), 5)
 * assert.equal(evaluate(used, inputs({ "mem.total": 8 })), undefined)
 */
export function evaluate(expression: Expression, inputs: ExpressionInputs): number | undefined {
  const number = toNumber(valueOf(expression, inputs))
  return Number.isFinite(number) ? number : undefined
}

function valueOf(expression: Expression, inputs: ExpressionInputs): Value {
  switch (expression.kind) {
    case "number":
    case "text":
    case "boolean":
      return expression.value
    case "null":
      return null
    case "metric":
      return inputs.metric(expression.fqn, expression.statistic) ?? null
    case "hasMetric":
      return inputs.metric(expression.fqn, "actual") === undefined ? null : present
    case "attribute":
      return inputs.attribute(expression.name) ?? null
    case "hasAttribute":
      return inputs.attribute(expression.name) === undefined ? null : present
    case "across":
      return combine(expression.function, inputs.across(expression.pattern))
    case "math":
      return applyMath(
        expression.function,
        expression.args.map((one) => toNumber(valueOf(one, inputs))),
      )
    case "unary": {
      const value = valueOf(expression.of, inputs)
      return expression.operator === "-" ? -toNumber(value) : !isTruthy(value)
    }
    case "binary":
      return binary(expression.operator, expression.left, expression.right, inputs)
    case "choice": {
      const condition = valueOf(expression.condition, inputs)
      if (Number.isNaN(condition)) return NaN
      return valueOf(isTruthy(condition) ? expression.yes : expression.no, inputs)
    }
  }
}

/** The value of `data['x']` if there is such a metric: truthy, not null, and no number. */
const present = "[present]"

function binary(
  operator: BinaryOperator,
  leftSide: Expression,
  rightSide: Expression,
  inputs: ExpressionInputs,
): Value {
  const left = valueOf(leftSide, inputs)
  if (operator === "||") return isTruthy(left) ? left : valueOf(rightSide, inputs)
  if (operator === "&&") return isTruthy(left) ? valueOf(rightSide, inputs) : left
  const right = valueOf(rightSide, inputs)
  if (operator === "==") return equal(left, right)
  if (operator === "!=") return negated(equal(left, right))
  return numeric(operator, toNumber(left), toNumber(right))
}

type NumericOperator = Exclude<BinaryOperator, "||" | "&&" | "==" | "!=">

function numeric(operator: NumericOperator, left: number, right: number): Value {
  if (Number.isNaN(left) || Number.isNaN(right)) return NaN
  switch (operator) {
    case "+":
      return left + right
    case "-":
      return left - right
    case "*":
      return left * right
    case "/":
      return right === 0 ? NaN : left / right
    case "%":
      return right === 0 ? NaN : left % right
    case "<":
      return left < right
    case "<=":
      return left <= right
    case ">":
      return left > right
    case ">=":
      return left >= right
  }
}

/** A boolean, or NaN if a side could not be computed. */
function equal(left: Value, right: Value): Value {
  if (Number.isNaN(left) || Number.isNaN(right)) return NaN
  if (left === null || right === null) return left === right
  if (typeof left === "string" && typeof right === "string") return left === right
  const [first, second] = [toNumber(left), toNumber(right)]
  return !Number.isNaN(first) && first === second
}

function negated(value: Value): Value {
  return typeof value === "boolean" ? !value : value
}

function isTruthy(value: Value): boolean {
  return Boolean(value)
}

/** Attributes are texts, mostly of numbers. */
function toNumber(value: Value): number {
  if (typeof value === "number") return value
  if (typeof value === "boolean") return value ? 1 : 0
  if (value === null || value.trim() === "") return NaN
  return Number(value)
}

/** Combines values; without any only their count is defined. */
function combine(how: AcrossFunction, values: readonly number[]): number {
  if (how === "cnt") return values.length
  if (values.length === 0) return NaN
  if (how === "min") return values.reduce((least, value) => Math.min(least, value))
  if (how === "max") return values.reduce((most, value) => Math.max(most, value))
  const sum = values.reduce((total, value) => total + value, 0)
  return how === "sum" ? sum : sum / values.length
}
