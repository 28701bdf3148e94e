/** Findings of a policy: its latest event, the element, and a replay of the time that is shown. */

import { readElement, type Element } from "../../api/element.ts"
import { orNull, readPolicyEvent } from "../../api/incident/incident.ts"
import type { IncidentDetails, PolicyEvent } from "../../api/incident/incident-answer.ts"
import { useApp } from "../../frame/app.ts"
import { usePageState } from "../../frame/page-state.ts"
import type { Loaded } from "../../frame/loaded.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { wordParameter, type Definition } from "../../url/parameters.ts"
import { cycleMs, type FiredSpan } from "./cycle-table.ts"
import { neededHolding } from "./holding.ts"
import { cycleParts, readCycles, type CyclePart, type ReplayedCycles } from "./replayed-cycles.ts"

export const incidentParameters = {
  cycles: wordParameter(cycleParts, "start"),
} satisfies Definition

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
  /** Since when at the latest its conditions hold; null before the replay. */
  readonly sinceMs: number | null
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
  const { elementFqn, eventIds } = incident
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
  const fired = useFiredSpan(incident, needed)
  const asked = policy === null || policy.conditions.length === 0 ? null : policy
  const key = asked === null ? null : `${lastId} ${part} ${round}`
  const cycles = useLoaded(key, (signal) =>
    readCycles(api, { incident, policy: asked!, fired, part }, signal),
  )
  const isElementDeleted = latest.value !== null && latest.value.element === null
  const isReplayed = asked !== null && !isElementDeleted && cycles.error === null
  const isKnown = latest.error !== null || (latest.value !== null && !isReplayed)
  const sinceMs = cycles.value?.holding.ms ?? (isKnown ? neededHolding(fired).ms : null)
  return { latest, cycles, needed, sinceMs, isElementDeleted }
}

function useFiredSpan({ tsFirstFired, tsLastFired }: IncidentDetails, needed: number): FiredSpan {
  const nowMs = useApp().clock.nowMs()
  return { firstMs: tsFirstFired, lastMs: tsLastFired, needed, nowMs }
}

/** The part of a long incident that is shown; in the URL. */
export function useCyclePart(): { part: CyclePart; setPart: (part: CyclePart) => void } {
  const { values, set } = usePageState(incidentParameters)
  return { part: values.cycles, setPart: (cycles) => set({ cycles }) }
}
