/** Findings of a policy: its latest event, the element, and a replay of the cycles that are shown. */

import { readElement, type Element } from "../../api/element.ts"
import { firedEvents, orNull, readPolicyEvent, replayCycles } from "../../api/incident/incident.ts"
import type {
  IncidentDetails,
  PolicyCopy,
  PolicyEvent,
} from "../../api/incident/incident-answer.ts"
import { useApp } from "../../frame/app.ts"
import { usePageState } from "../../frame/page-state.ts"
import { useLoaded, type Loaded } from "../../frame/use-loaded.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { wordParameter, type Definition } from "../../url/parameters.ts"
import { cycleMs, cycleTable, tableSpan, type CycleTable } from "./cycle-table.ts"

export const cycleParts = ["start", "end"] as const
export type CyclePart = (typeof cycleParts)[number]

export const incidentParameters = {
  cycles: wordParameter(cycleParts, "start"),
} satisfies Definition

export interface ReplayedCycles {
  readonly table: CycleTable
  readonly span: TimeRange
  /** The incident has more cycles than these. */
  readonly isPart: boolean
}

/** The event and its element; each is null if it is no longer there. */
export interface LatestFinding {
  readonly event: PolicyEvent | null
  readonly element: Element | null
}

export interface Findings {
  readonly latest: Loaded<LatestFinding>
  /** Null inside if the element is deleted. */
  readonly cycles: Loaded<ReplayedCycles | null>
  /** Cycles in a row that the policy needs; 1 before it is known. */
  readonly needed: number
  readonly isElementDeleted: boolean
}

/** Of a part of the page that shows them. */
export interface SectionProps {
  readonly incident: IncidentDetails
  readonly findings: Findings
}

export function useFindings(incident: IncidentDetails, round: number): Findings {
  const { api } = useApp()
  const { part } = useCyclePart()
  const { policyId, elementId, elementFqn, eventIds } = incident
  const lastId = eventIds.at(-1) ?? ""
  const latest = useLoaded(`${lastId} ${round}`, async (signal): Promise<LatestFinding> => {
    const [event, element] = await Promise.all([
      lastId === "" ? null : readPolicyEvent(api, lastId, signal),
      orNull(readElement(api, elementFqn, signal)),
    ])
    return { event, element }
  })
  const policy = latest.value?.event?.policy ?? null
  const needed = Math.max(1, Math.round((policy?.duration ?? 0) * 1000) / cycleMs)
  const span = useSpan(incident, needed)
  const asked = policy === null || policy.conditions.length === 0 ? null : policy
  const key = asked === null ? null : `${lastId} ${part} ${round}`
  const cycles = useLoaded(key, async (signal): Promise<ReplayedCycles | null> => {
    const [from, copy] = [{ fromMs: span.startMs, toMs: span.endMs }, asked as PolicyCopy]
    const [detail, events] = await Promise.all([
      replayCycles(api, { policy: copy, elementId, ...from }, signal),
      firedEvents(api, { policyId, elementId, ...from }, signal),
    ])
    if (detail === null) return null
    return { table: cycleTable(detail, copy.conditions, events), span, isPart: span.isPart }
  })
  const isElementDeleted = latest.value !== null && latest.value.element === null
  return { latest, cycles, needed, isElementDeleted }
}

function useSpan({ tsFirstFired, tsLastFired }: IncidentDetails, needed: number) {
  const { clock } = useApp()
  const { part } = useCyclePart()
  const fired = { firstMs: tsFirstFired, lastMs: tsLastFired, needed, nowMs: clock.nowMs() }
  return tableSpan(fired, part)
}

/** The part of a long incident that is shown; in the URL. */
export function useCyclePart(): { part: CyclePart; setPart: (part: CyclePart) => void } {
  const { values, set } = usePageState(incidentParameters)
  return { part: values.cycles, setPart: (cycles) => set({ cycles }) }
}
