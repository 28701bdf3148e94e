/** Sentences of what a condition found, made from its numbers with their units. */

import type { PolicyCondition, PolicyResults } from "../../api/incident/incident-answer.ts"
import type { ComparedNumbers } from "../../api/incident/compared.ts"
import { valueText, type NumberStyle } from "../../format/numbers.ts"
import { text } from "./text.ts"

type Found = PolicyResults["conditions"][number]

/** The recorded sentence, which has all digits and no units, of an event without the numbers. */
export function foundSentence(
  { violating, expression, compared }: Found,
  condition: PolicyCondition | undefined,
  style: NumberStyle,
): string {
  if (compared === undefined || compared.length === 0) return expression
  const ofMetric = condition?.metricThresholdLevel || null
  const sentences = compared.map((one) => sentenceOf(one, { violating, ofMetric, style }))
  return [...sentences, ...moreMetrics(expression)].join(" ")
}

interface SentenceUse {
  readonly violating: boolean
  /** The metric that gives the threshold; null for a static one. */
  readonly ofMetric: string | null
  readonly style: NumberStyle
}

function sentenceOf(
  compared: ComparedNumbers,
  { violating, ofMetric, style }: SentenceUse,
): string {
  const { metricFqn, unit, analytic, operator, value, changePercent, threshold } = compared
  const { lower, upper } = compared
  const { found } = text
  const number = (one: number | null, of = unit) => valueText(one, of, style)
  if (value === null) return found.noValue(metricFqn)
  const isChange = analytic === "suddenDeviation"
  if (isChange && changePercent === null) return found.noChange(metricFqn)
  const change = isChange ? number(changePercent, "percent") : null
  const opening = found.opening(metricFqn, number(value), change)
  if (isChange || analytic === "actual") {
    if (threshold === null) return found.noThreshold(opening, ofMetric ?? "")
    const limit = number(threshold, compared.thresholdUnit ?? unit)
    return found.threshold(opening, { violating, operator, ofMetric, limit })
  }
  const band = analytic === "baselineDeviation" ? "baseline" : "contextual"
  if (lower === null || upper === null) return found.noBand(opening, band)
  const bounds = [number(lower), number(upper)] as const
  return found.band(opening, { violating, operator, band, bounds })
}

/** The end of the recorded sentence, about metrics without numbers of their own. */
function moreMetrics(expression: string): string[] {
  return /The same goes for \d+ more metrics\.$/.exec(expression)?.slice(0, 1) ?? []
}
