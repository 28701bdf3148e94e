/** How many values were compared with a band, and how many of these had none. */

import type { PolicyMatcher } from "../../policy/policy-matcher.ts"
import type { ReplayWindow } from "../../policy/replay.ts"
import type { ElementPast } from "./element-past.ts"

export interface BandCounts {
  compared: number
  missing: number
}

/** Adds the values of one element in the window. */
export function countBands(
  matcher: PolicyMatcher,
  past: ElementPast,
  { fromCycle, toCycle, step }: Pick<ReplayWindow, "fromCycle" | "toCycle" | "step">,
  counts: BandCounts,
): void {
  for (const condition of matcher.conditions) {
    const { analytic } = condition.condition
    if (analytic !== "baselineDeviation" && analytic !== "contextualDeviation") continue
    const isBaseline = analytic === "baselineDeviation"
    for (const index of condition.metricIndexes(past)) {
      step()
      for (let back = 0; back < toCycle - fromCycle; back++) {
        if (Number.isNaN(past.actual(index, back))) continue
        counts.compared++
        const band = isBaseline ? past.baseline(index, back) : past.contextual(index, back)
        if (band === null) counts.missing++
      }
    }
  }
}
