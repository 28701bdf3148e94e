/** Since when the conditions of a policy hold, which may be before an alert that was reopened. */

import type { FormerIncident, PolicyReplay } from "../../api/incident/incident-answer.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { cycleMs, cycleStart, tableSpan, type FiredSpan } from "./cycle-table.ts"

/**
 * Before a table of cycles, and before conditions hold: what was usual, what changed, and earlier
 * cycles of an alert that was reopened.
 */
export const beforeMs = 2 * 3_600_000

/** The span of the charts next to a table: it is replayed whole. */
export function chartSpan(fired: FiredSpan, part: "start" | "end"): TimeRange {
  const { startMs, endMs } = tableSpan(fired, part)
  return { startMs: startMs - beforeMs, endMs }
}

/** The span whose replay says since when the conditions hold, whatever part is shown. */
export function holdingSpan(fired: FiredSpan): TimeRange {
  const { startMs } = chartSpan(fired, "start")
  return { startMs, endMs: cycleStart(fired.firstMs) + cycleMs }
}

/** The longest span of a replay. */
const replayMsMax = 14 * 86_400_000

/** The whole cycles of a range that a chart was dragged to; the last ones of a long one. */
export function draggedSpan(range: TimeRange): TimeRange {
  const endMs = cycleStart(range.endMs) + cycleMs
  return { startMs: Math.max(cycleStart(range.startMs), endMs - replayMsMax), endMs }
}

/** The time since which conditions hold, or from which on they do if it `isBefore` the replay. */
export interface Holding {
  readonly ms: number
  readonly isBefore: boolean
}

/** By the cycles that the policy needs, if there is no replay. */
export function neededHolding({ firstMs, needed }: FiredSpan): Holding {
  return { ms: cycleStart(firstMs) - (needed - 1) * cycleMs, isBefore: false }
}

/** Cycles that were not watched are passed over. `replay`: one of `holdingSpan` or more. */
export function holdingOf(replay: PolicyReplay, fired: FiredSpan): Holding {
  const firstMs = cycleStart(fired.firstMs)
  const run = replay.incidentList.find(({ start, end }) => start <= firstMs && firstMs < end)
  // Late data: by the values of now it does not fire in that cycle.
  if (run === undefined) return neededHolding(fired)
  if (run.start === replay.cycleDetail.timestamps[0]) return { ms: run.start, isBefore: true }
  return neededHolding({ ...fired, firstMs: run.start })
}

/** Whether an earlier alert fired in cycles since which the conditions hold. */
export function isReopened(former: FormerIncident, holding: Holding): boolean {
  return cycleStart(former.tsLastFired) >= holding.ms
}
