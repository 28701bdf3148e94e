/**
 * Results of a condition (spec/events §6): the numbers that it compared, and a sentence made from
 * them: "The current value of cpu.total is 97; this is above the static threshold of 90."
 */

import type { ComparedValue } from "../model/records/compared-value.ts"
import type { Operator, PolicyCondition } from "../model/records/policy.ts"
import { comparedValue } from "./compared-values.ts"
import type { ConditionMatcher } from "./condition.ts"
import type { ElementCycle } from "./element-cycle.ts"
import type { ConditionResult } from "./violation.ts"

/** Metrics of a wildcard with a sentence each; the rest is counted. */
const sentencesMax = 10

/** Describes a condition in the current cycle; `violating`: indexes of the metrics that match. */
export function describeResult(
  matcher: ConditionMatcher,
  cycle: ElementCycle,
  violating: readonly number[],
): Pick<ConditionResult, "expression" | "compared"> {
  const { condition } = matcher
  const indexes = matcher.metricIndexes(cycle)
  if (indexes.length === 0) {
    return { expression: `${nameOf(condition)} has no such metric here.`, compared: [] }
  }
  const isViolating = violating.length > 0
  const described = isViolating ? violating : indexes
  const compared = described
    .slice(0, sentencesMax)
    .map((index) => comparedValue(matcher, cycle, index))
  const sentences = compared.map((one) => sentenceOf(one, condition, isViolating))
  const rest = described.length - sentences.length
  if (rest > 0) sentences.push(`The same goes for ${rest} more metrics.`)
  return { expression: sentences.join(" "), compared }
}

function nameOf({ metric, wildcard }: PolicyCondition): string {
  return metric === null ? `The expression ${wildcard}` : `The metric ${metric}`
}

function sentenceOf(
  compared: ComparedValue,
  condition: PolicyCondition,
  isViolating: boolean,
): string {
  const { metricFqn, analytic, operator, value, changePercent, lower, upper } = compared
  if (value === null) return `The metric ${metricFqn} has no value in this cycle.`
  const opening = `The current value of ${metricFqn} is ${value}`
  if (analytic === "actual") {
    return `${opening}; this is ${comparison(compared, condition, isViolating)}.`
  }
  if (analytic === "suddenDeviation") {
    if (changePercent === null) return `The value of ${metricFqn} shows no sudden change.`
    return (
      `${opening}, a sudden change of ${format(changePercent)} percent; ` +
      `this is ${comparison(compared, condition, isViolating)}.`
    )
  }
  const name = analytic === "baselineDeviation" ? "baseline" : "contextual"
  if (lower === null || upper === null) return `${opening}; it has no ${name} band yet.`
  const range = `from ${format(lower)} to ${format(upper)}`
  return `${opening}; this is ${side(operator, isViolating)} the ${name} band ${range}.`
}

const words: Readonly<Record<string, string>> = {
  ">": "above",
  ">=": "at or above",
  "<": "below",
  "<=": "at or below",
  "==": "equal to",
  "!=": "different from",
}

function comparison(
  { operator, threshold }: ComparedValue,
  { metricThresholdLevel }: PolicyCondition,
  isViolating: boolean,
): string {
  const word = `${isViolating ? "" : "not "}${words[operator]}`
  if (!metricThresholdLevel) return `${word} the static threshold of ${threshold}`
  if (threshold === null) return `not compared: ${metricThresholdLevel} has no value`
  return `${word} the threshold of ${metricThresholdLevel}, ${format(threshold)}`
}

function side(operator: Operator, isViolating: boolean): string {
  if (operator === ">") return isViolating ? "above" : "not above"
  if (operator === "<") return isViolating ? "below" : "not below"
  return (operator === "defined") === isViolating ? "outside of" : "inside of"
}

/** Six significant digits: more are no help to a reader. */
function format(value: number): string {
  return String(Number(value.toPrecision(6)))
}
