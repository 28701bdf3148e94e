/** Marks in the chart of a metric: where its condition holds, its threshold, its band. */

import type { PolicyCondition } from "../../api/incident/incident-answer.ts"
import type { BandKind } from "../../chart/model.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { cycleMs, type CycleTable } from "./cycle-table.ts"

export interface MetricMarks {
  readonly metricFqn: string
  /** The metric that it is compared with; null for a number or a band. */
  readonly thresholdFqn: string | null
  /** The number that it is compared with; null for a metric or a band. */
  readonly level: number | null
  readonly bands: readonly BandKind[]
  /** Where its condition holds, joined. */
  readonly holds: readonly TimeRange[]
  /** Where the policy fires, joined. */
  readonly fires: readonly TimeRange[]
}

const bandOf: Readonly<Record<string, readonly BandKind[]>> = {
  baselineDeviation: ["baseline"],
  contextualDeviation: ["contextual"],
}

/** One for each metric, in the order of the conditions. `named`: metrics if there is no table. */
export function marksOf(
  table: CycleTable | null,
  given: { readonly conditions: readonly PolicyCondition[]; readonly named: readonly string[] },
): readonly MetricMarks[] {
  const { conditions, named } = given
  const marks = new Map<string, MetricMarks>()
  const fires = table === null ? [] : spansOf(table.timestamps, (i) => table.firing[i]!.fires)
  for (const { conditionId, metricFqn, cells } of table?.rows ?? []) {
    if (marks.has(metricFqn)) continue
    const holds = spansOf(table!.timestamps, (i) => cells[i]!.state === "holds")
    marks.set(metricFqn, {
      ...comparedOf(metricFqn, conditions[Number(conditionId)]),
      holds,
      fires,
    })
  }
  if (table !== null) return [...marks.values()]
  return named.map((fqn) => {
    const condition = conditions.find(({ metric }) => metric === fqn)
    return { ...comparedOf(fqn, condition), holds: [], fires }
  })
}

function comparedOf(
  metricFqn: string,
  condition: PolicyCondition | undefined,
): Omit<MetricMarks, "holds" | "fires"> {
  const { analytic = "", metricThresholdLevel = null, level = null } = condition ?? {}
  const isValue = analytic === "actual"
  return {
    metricFqn,
    thresholdFqn: isValue && metricThresholdLevel ? metricThresholdLevel : null,
    level: isValue && !metricThresholdLevel ? level : null,
    bands: bandOf[analytic] ?? [],
  }
}

/** Neighbouring cycles that are chosen, by position, as spans of time. */
function spansOf(timestamps: readonly number[], isChosen: (i: number) => boolean): TimeRange[] {
  const spans: { startMs: number; endMs: number }[] = []
  for (const [i, ms] of timestamps.entries()) {
    if (!isChosen(i)) continue
    const last = spans.at(-1)
    if (last?.endMs === ms) last.endMs = ms + cycleMs
    else spans.push({ startMs: ms, endMs: ms + cycleMs })
  }
  return spans
}
