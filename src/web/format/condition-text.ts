/** A condition of a policy in few words: `cpu.total > 90 %`, `cpu.total above its baseline`. */

import { comparisonSign } from "./compared-text.ts"
import { valueText, type NumberStyle } from "./numbers.ts"

export interface ConditionWords {
  /** Null if a regular expression names its metrics. */
  readonly metric: string | null
  readonly wildcard: string | null
  readonly analytic: string
  readonly operator: string
  readonly level: number | null
  /** Another metric that it is compared with; null or empty for the level. */
  readonly metricThresholdLevel: string | null
}

const bandWords: Readonly<Record<string, string>> = {
  ">": "above",
  "<": "below",
  defined: "outside of",
  undefined: "within",
}

/** `units`: of metrics by FQN. */
export function conditionText(
  condition: ConditionWords,
  units: ReadonlyMap<string, string>,
  style: NumberStyle,
): string {
  const { metric, wildcard, analytic, operator } = condition
  const name = metric ?? `/${wildcard ?? ""}/`
  if (analytic === "baselineDeviation") return `${name} ${bandWords[operator] ?? ""} its baseline`
  if (analytic === "contextualDeviation") {
    return `${name} ${bandWords[operator] ?? ""} its contextual band`
  }
  const compared = `${name} ${comparisonSign(operator)} ${thresholdText(condition, units, style)}`
  return analytic === "suddenDeviation" ? `sudden change of ${compared}` : compared
}

function thresholdText(
  { metric, analytic, level, metricThresholdLevel }: ConditionWords,
  units: ReadonlyMap<string, string>,
  style: NumberStyle,
): string {
  if (metricThresholdLevel) return metricThresholdLevel
  // The percent of a sudden change has no unit of the metric.
  if (analytic === "suddenDeviation" && level !== null) return `${level} %`
  return valueText(level, units.get(metric ?? "") ?? "", style)
}
