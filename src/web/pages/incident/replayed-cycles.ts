/** A replay of a policy over the time that the page of an incident shows. */

import type { ApiClient } from "../../api/client.ts"
import { firedEvents, replayCycles } from "../../api/incident/incident.ts"
import type {
  CycleDetail,
  IncidentDetails,
  PolicyCopy,
} from "../../api/incident/incident-answer.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { isWithin } from "./condition-rows.ts"
import {
  cyclesWithin,
  cycleTable,
  tableSpan,
  type CycleTable,
  type FiredSpan,
} from "./cycle-table.ts"
import { chartSpan, holdingOf, holdingSpan, type Holding } from "./holding.ts"

export const cycleParts = ["start", "end"] as const
export type CyclePart = (typeof cycleParts)[number]

export interface ReplayedCycles {
  readonly table: CycleTable
  /** Of the charts, which begin before the table and end with it. */
  readonly detail: CycleDetail
  readonly range: TimeRange
  readonly holding: Holding
  /** The incident has more cycles than the table. */
  readonly isPart: boolean
}

export interface CyclesAsked {
  readonly incident: IncidentDetails
  /** As it was when the incident fired last. */
  readonly policy: PolicyCopy
  readonly fired: FiredSpan
  readonly part: CyclePart
}

/** Null if the element is not known any more. */
export async function readCycles(
  api: ApiClient,
  { incident: { policyId, elementId }, policy, fired, part }: CyclesAsked,
  signal: AbortSignal,
): Promise<ReplayedCycles | null> {
  const [table, range, start] = [tableSpan(fired, part), chartSpan(fired, part), holdingSpan(fired)]
  const replay = ({ startMs: fromMs, endMs: toMs }: TimeRange) =>
    replayCycles(api, { policy, elementId, fromMs, toMs }, signal)
  const hasStart = isWithin(start, range)
  const [shown, first, events] = await Promise.all([
    replay(range),
    hasStart ? null : replay(start),
    firedEvents(api, { policyId, elementId, fromMs: table.startMs, toMs: table.endMs }, signal),
  ])
  if (shown === null) return null
  const { cycleDetail: detail } = shown
  return {
    table: cycleTable(cyclesWithin(detail, table), policy.conditions, events),
    detail,
    range,
    holding: holdingOf(first ?? shown, fired),
    isPart: table.isPart,
  }
}
