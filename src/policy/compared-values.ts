/** Numbers that a condition compares in the current cycle (spec/events §6). */

import { lowerBound, upperBound } from "../model/band.ts"
import type { ComparedValue } from "../model/records/compared-value.ts"
import { bandOf, valueOf, type ConditionMatcher } from "./condition.ts"
import type { ElementCycle } from "./element-cycle.ts"

/** Sudden changes and their thresholds have this unit, whatever the metric has. */
const percentUnit = "percent"

/** The value of a metric and what the condition compares it with; `index`: that of the metric. */
export function comparedValue(
  matcher: ConditionMatcher,
  cycle: ElementCycle,
  index: number,
): ComparedValue {
  const { analytic, operator } = matcher.condition
  const moment = { index, cycle, back: 0 }
  const isChange = analytic === "suddenDeviation"
  const hasThreshold = isChange || analytic === "actual"
  const band = hasThreshold ? null : bandOf(analytic, moment)
  const unit = cycle.unitOf(index)
  // One literal: two with a common part spread into them take four times as long.
  return {
    metricFqn: cycle.metricFqns[index]!,
    unit,
    analytic,
    operator,
    value: orNull(cycle.actual(index, 0)),
    changePercent: isChange ? orNull(valueOf(analytic, moment)) : null,
    threshold: hasThreshold ? orNull(matcher.threshold(cycle, 0)) : null,
    thresholdUnit: hasThreshold ? thresholdUnit(matcher, cycle, unit) : null,
    lower: band === null ? null : orNull(lowerBound(band)),
    upper: band === null ? null : orNull(upperBound(band)),
  }
}

/** The unit of the metric that gives the threshold; without one, that of the compared metric. */
function thresholdUnit(
  { condition: { analytic, metricThresholdLevel, metricThresholdAnalytic } }: ConditionMatcher,
  cycle: ElementCycle,
  unit: string,
): string {
  if (analytic === "suddenDeviation") return percentUnit
  if (!metricThresholdLevel) return unit
  if (metricThresholdAnalytic === "suddenDeviation") return percentUnit
  const index = cycle.indexOf(metricThresholdLevel)
  return index < 0 ? unit : cycle.unitOf(index)
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
