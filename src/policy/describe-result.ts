/**
 * Sentences of `data.results` (spec/events §6), in the form that the specification shows:
 * "The current value of cpu.total is 97; this is above the static threshold of 90."
 */

import type { Band } from "../model/band.ts"
import type { Operator, PolicyCondition } from "../model/records/policy.ts"
import type { ConditionMatcher } from "./condition.ts"
import { valueOf } from "./condition.ts"
import type { ElementCycle } from "./element-cycle.ts"

/** Metrics of a wildcard with a sentence each; the rest is counted. */
const sentencesMax = 10

/** Describes a condition in the current cycle; `violating`: indexes of the metrics that match. */
export function describeResult(
  matcher: ConditionMatcher,
  cycle: ElementCycle,
  violating: readonly number[],
): string {
  const indexes = matcher.metricIndexes(cycle)
  if (indexes.length === 0) return `${nameOf(matcher.condition)} has no such metric here.`
  const isViolating = violating.length > 0
  const described = isViolating ? violating : indexes
  const sentences = described
    .slice(0, sentencesMax)
    .map((index) => sentenceOf(matcher, { index, cycle, isViolating }))
  const rest = described.length - sentences.length
  if (rest > 0) sentences.push(`The same goes for ${rest} more metrics.`)
  return sentences.join(" ")
}

function nameOf({ metric, wildcard }: PolicyCondition): string {
  return metric === null ? `The expression ${wildcard}` : `The metric ${metric}`
}

interface SentenceInputs {
  readonly index: number
  readonly cycle: ElementCycle
  readonly isViolating: boolean
}

function sentenceOf(matcher: ConditionMatcher, inputs: SentenceInputs): string {
  const { index, cycle } = inputs
  const fqn = cycle.metricFqns[index]!
  const value = cycle.actual(index, 0)
  if (Number.isNaN(value)) return `The metric ${fqn} has no value in this cycle.`
  const { analytic } = matcher.condition
  if (analytic === "actual") {
    return `The current value of ${fqn} is ${value}; this is ${comparison(matcher, inputs)}.`
  }
  if (analytic === "suddenDeviation") {
    const percent = valueOf(analytic, { index, cycle, back: 0 })
    if (Number.isNaN(percent)) return `The value of ${fqn} shows no sudden change.`
    return (
      `The current value of ${fqn} is ${value}, a sudden change of ${format(percent)} percent; ` +
      `this is ${comparison(matcher, inputs)}.`
    )
  }
  const isBaseline = analytic === "baselineDeviation"
  const band = isBaseline ? cycle.baseline(index, 0) : cycle.contextual(index, 0)
  const name = isBaseline ? "baseline" : "contextual"
  if (band === null) return `The current value of ${fqn} is ${value}; it has no ${name} band yet.`
  const position = side(matcher.condition.operator, inputs.isViolating)
  return (
    `The current value of ${fqn} is ${value}; this is ${position} the ${name} band ` +
    `${rangeOf(band)}.`
  )
}

const words: Readonly<Record<string, string>> = {
  ">": "above",
  ">=": "at or above",
  "<": "below",
  "<=": "at or below",
  "==": "equal to",
  "!=": "different from",
}

function comparison(matcher: ConditionMatcher, { cycle, isViolating }: SentenceInputs): string {
  const { operator, metricThresholdLevel } = matcher.condition
  const threshold = matcher.threshold(cycle, 0)
  const word = `${isViolating ? "" : "not "}${words[operator]}`
  if (!metricThresholdLevel) return `${word} the static threshold of ${threshold}`
  if (Number.isNaN(threshold)) return `not compared: ${metricThresholdLevel} has no value`
  return `${word} the threshold of ${metricThresholdLevel}, ${format(threshold)}`
}

function side(operator: Operator, isViolating: boolean): string {
  if (operator === ">") return isViolating ? "above" : "not above"
  if (operator === "<") return isViolating ? "below" : "not below"
  return (operator === "defined") === isViolating ? "outside of" : "inside of"
}

function rangeOf({ mean, stddev }: Band): string {
  return `from ${format(mean - 4 * stddev)} to ${format(mean + 4 * stddev)}`
}

/** Six significant digits: more are no help to a reader. */
function format(value: number): string {
  return String(Number(value.toPrecision(6)))
}
