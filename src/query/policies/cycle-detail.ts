/** The values, thresholds and bands of one element that a policy compares in each cycle. */

import { replayMetricsListedMax } from "../../base/limits/queries.ts"
import { lowerBound, upperBound } from "../../model/band.ts"
import { cycleMs } from "../../model/resolution.ts"
import { valueOf, type ConditionMatcher } from "../../policy/condition.ts"
import type { PolicyMatcher } from "../../policy/policy-matcher.ts"
import type { ReplayWindow } from "../../policy/replay.ts"
import type { CycleDetail } from "../../wire/records/policy-replay.ts"
import type { ElementPast } from "./element-past.ts"

type ConditionDetail = CycleDetail["conditions"][number]

/** The values of all cycles of the window, of each metric of each condition. */
export function cycleDetailOf(
  matcher: PolicyMatcher,
  past: ElementPast,
  { fromCycle, toCycle, fires }: ReplayWindow & { readonly fires: Uint8Array },
): CycleDetail {
  const cycles = Array.from({ length: toCycle - fromCycle }, (_, at) => at)
  const backs = cycles.map((at) => cycles.length - 1 - at)
  const selected = matcher.conditions
    .flatMap((condition, id) =>
      condition.metricIndexes(past).map((index) => ({ id: String(id), condition, index })),
    )
    .slice(0, replayMetricsListedMax)
  return {
    timestamps: cycles.map((at) => (fromCycle + at) * cycleMs),
    conditions: selected.map(({ id, condition, index }) => ({
      id,
      ...metricDetail(condition, past, index, backs),
    })),
    fires: Array.from(fires, (one) => one === 1),
  }
}

function metricDetail(
  matcher: ConditionMatcher,
  past: ElementPast,
  index: number,
  backs: readonly number[],
): Omit<ConditionDetail, "id"> {
  const { analytic } = matcher.condition
  const metricFqn = past.metricFqns[index]!
  const holds = backs.map((back) => matcher.matchesFor(index, past, back))
  if (analytic === "actual" || analytic === "suddenDeviation") {
    const values = backs.map((back) => orNull(valueOf(analytic, { index, cycle: past, back })))
    const thresholds = backs.map((back) => orNull(matcher.threshold(past, back)))
    return { metricFqn, values, thresholds, holds }
  }
  const bands = backs.map((back) =>
    analytic === "baselineDeviation" ? past.baseline(index, back) : past.contextual(index, back),
  )
  return {
    metricFqn,
    values: backs.map((back) => orNull(past.actual(index, back))),
    lower: bands.map((band) => (band === null ? null : orNull(lowerBound(band)))),
    upper: bands.map((band) => (band === null ? null : orNull(upperBound(band)))),
    holds,
  }
}

/** JSON has no NaN and no infinity. */
function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
