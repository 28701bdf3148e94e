/**
 * Sentences of `data.results` (spec/events §6), whose pattern is the one that the record shows:
 * "The current value of cpu.total is 97; this is above the static threshold of 90."
 */

import type { Band } from "../model/band.ts"
import type { Operator, PolicyCondition } from "../model/records/policy.ts"
import type { ConditionMatcher } from "./condition.ts"
import { valueOf } from "./condition.ts"
import type { ElementCycle } from "./element-cycle.ts"

/** Metrics of a wildcard that one sentence each tells of: the rest is counted. */
const sentencesMax = 10

/** What a condition found in the current cycle; `violating` are the metrics for which it holds. */
export function describeResult(
  matcher: ConditionMatcher,
  cycle: ElementCycle,
  violating: readonly number[],
): string {
  const places = matcher.metricIndexes(cycle)
  if (places.length === 0) return `${nameOf(matcher.condition)} has no such metric here.`
  const holds = violating.length > 0
  const told = holds ? violating : places
  const sentences = told
    .slice(0, sentencesMax)
    .map((place) => sentenceOf(matcher, { place, cycle, holds }))
  const rest = told.length - sentences.length
  if (rest > 0) sentences.push(`The same goes for ${rest} more metrics.`)
  return sentences.join(" ")
}

function nameOf({ metric, wildcard }: PolicyCondition): string {
  return metric === null ? `The expression ${wildcard}` : `The metric ${metric}`
}

interface SentenceInputs {
  readonly place: number
  readonly cycle: ElementCycle
  readonly holds: boolean
}

function sentenceOf(matcher: ConditionMatcher, told: SentenceInputs): string {
  const { place, cycle } = told
  const fqn = cycle.metricFqns[place]!
  const value = cycle.actual(place, 0)
  if (Number.isNaN(value)) return `The metric ${fqn} has no value in this cycle.`
  const { analytic } = matcher.condition
  if (analytic === "actual") {
    return `The current value of ${fqn} is ${value}; this is ${describeComparison(matcher, told)}.`
  }
  if (analytic === "suddenDeviation") {
    const percent = valueOf(analytic, { place, cycle, back: 0 })
    if (Number.isNaN(percent)) return `The value of ${fqn} shows no sudden change.`
    return (
      `The current value of ${fqn} is ${value}, a sudden change of ${shown(percent)} percent; ` +
      `this is ${describeComparison(matcher, told)}.`
    )
  }
  const isBaseline = analytic === "baselineDeviation"
  const band = isBaseline ? cycle.baseline(place, 0) : cycle.contextual(place, 0)
  const name = isBaseline ? "baseline" : "contextual"
  if (band === null) return `The current value of ${fqn} is ${value}; it has no ${name} band yet.`
  const where = describeSide(matcher.condition.operator, told.holds)
  return `The current value of ${fqn} is ${value}; this is ${where} the ${name} band ${ends(band)}.`
}

const words: Readonly<Record<string, string>> = {
  ">": "above",
  ">=": "at or above",
  "<": "below",
  "<=": "at or below",
  "==": "equal to",
  "!=": "different from",
}

function describeComparison(matcher: ConditionMatcher, { cycle, holds }: SentenceInputs): string {
  const { operator, metricThresholdLevel } = matcher.condition
  const threshold = matcher.threshold(cycle, 0)
  const word = `${holds ? "" : "not "}${words[operator]}`
  if (!metricThresholdLevel) return `${word} the static threshold of ${threshold}`
  if (Number.isNaN(threshold)) return `not compared: ${metricThresholdLevel} has no value`
  return `${word} the threshold of ${metricThresholdLevel}, ${shown(threshold)}`
}

function describeSide(operator: Operator, holds: boolean): string {
  if (operator === ">") return holds ? "above" : "not above"
  if (operator === "<") return holds ? "below" : "not below"
  return (operator === "defined") === holds ? "outside of" : "inside of"
}

function ends({ mean, stddev }: Band): string {
  return `from ${shown(mean - 4 * stddev)} to ${shown(mean + 4 * stddev)}`
}

/** Computed numbers need no more digits than people read. */
function shown(value: number): string {
  return String(Number(value.toPrecision(6)))
}
