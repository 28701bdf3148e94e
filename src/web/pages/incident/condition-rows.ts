/** Marks in the chart of a metric: where its condition holds, its threshold, its band. */

import type { CycleDetail, PolicyCondition } from "../../api/incident/incident-answer.ts"
import type { BandKind } from "../../chart/model.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { cycleMs, cycleStart } from "./cycle-table.ts"

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
  /** The cycles that the policy needed to fire first; null unless the condition holds in them. */
  readonly bracket: TimeRange | null
}

export interface MarksGiven {
  readonly conditions: readonly PolicyCondition[]
  /** Metrics if there is no replay. */
  readonly named: readonly string[]
  /** When the incident first fired. */
  readonly firstMs: number
  /** Cycles in a row that the policy needs. */
  readonly needed: number
}

const bandOf: Readonly<Record<string, readonly BandKind[]>> = {
  baselineDeviation: ["baseline"],
  contextualDeviation: ["contextual"],
}

/** One for each metric, in the order of the conditions. */
export function marksOf(
  detail: CycleDetail | null,
  { conditions, named, ...first }: MarksGiven,
): readonly MetricMarks[] {
  if (detail === null) {
    return named.map((fqn) => {
      const condition = conditions.find(({ metric }) => metric === fqn)
      return { ...comparedOf(fqn, condition), holds: [], fires: [], bracket: null }
    })
  }
  const marks = new Map<string, MetricMarks>()
  const fires = spansOf(detail, detail.fires)
  const needed = neededSpan(detail, first)
  for (const { id, metricFqn, holds: held } of detail.conditions) {
    if (marks.has(metricFqn)) continue
    const holds = spansOf(detail, held)
    const bracket = holds.some((span) => isWithin(needed, span)) ? needed : null
    const compared = comparedOf(metricFqn, conditions[Number(id)])
    marks.set(metricFqn, { ...compared, holds, fires, bracket })
  }
  return [...marks.values()]
}

/** The cycles of the replay up to the first one in which the incident fires. */
function neededSpan(
  { timestamps, fires }: CycleDetail,
  { firstMs, needed }: Pick<MarksGiven, "firstMs" | "needed">,
): TimeRange | null {
  const [startMs = Infinity] = timestamps
  const fromMs = cycleStart(firstMs)
  const firesAt = timestamps.find((ms, i) => ms >= fromMs && fires[i])
  if (needed < 2 || startMs > fromMs || firesAt === undefined) return null
  return { startMs: Math.max(startMs, firesAt - (needed - 1) * cycleMs), endMs: firesAt + cycleMs }
}

export function isWithin(part: TimeRange | null, whole: TimeRange): boolean {
  return part !== null && whole.startMs <= part.startMs && part.endMs <= whole.endMs
}

function comparedOf(
  metricFqn: string,
  condition: PolicyCondition | undefined,
): Omit<MetricMarks, "holds" | "fires" | "bracket"> {
  const { analytic = "", metricThresholdLevel = null, level = null } = condition ?? {}
  const isValue = analytic === "actual"
  return {
    metricFqn,
    thresholdFqn: isValue && metricThresholdLevel ? metricThresholdLevel : null,
    level: isValue && !metricThresholdLevel ? level : null,
    bands: bandOf[analytic] ?? [],
  }
}

/** Neighbouring cycles that are chosen, as spans of time. */
function spansOf({ timestamps }: CycleDetail, isChosen: readonly boolean[]): TimeRange[] {
  const spans: { startMs: number; endMs: number }[] = []
  for (const [i, ms] of timestamps.entries()) {
    if (!isChosen[i]) continue
    const last = spans.at(-1)
    if (last?.endMs === ms) last.endMs = ms + cycleMs
    else spans.push({ startMs: ms, endMs: ms + cycleMs })
  }
  return spans
}
