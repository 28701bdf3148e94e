/** Filters of lists of incidents, and their order. */

import { eventLevels, type EventLevel } from "../../model/records/event-level.ts"
import type { Incident } from "../../model/records/incident.ts"

/** Null matches all incidents. */
export interface IncidentFilter {
  /** Incidents that were open or fired at or after this. */
  readonly startMs: number | null
  /** Incidents that first fired before this. */
  readonly endMs: number | null
  readonly policyId: string | null
  /** An id or an FQN. */
  readonly element: string | null
  /** Part of the element's name, ignoring case. */
  readonly elementName: string | null
  readonly isClosed: boolean | null
  readonly isAcked: boolean | null
  /** Any of them; empty matches all. */
  readonly levels: readonly EventLevel[]
  /** Part of the policy's or the element's name or of its FQN, ignoring case. */
  readonly text: string | null
}

/** Fields by which lists are sorted: open incidents by any, others by the time they first fired. */
export const incidentSortFields = ["since", "level", "policy", "element"] as const
export type IncidentSortField = (typeof incidentSortFields)[number]

/** A part of the incidents that match. */
export interface IncidentListing extends IncidentFilter {
  readonly sortBy: IncidentSortField
  /** With another field, from the highest level or the last name on; equal ones newest first. */
  readonly isNewestFirst: boolean
  /** Whether all that match are counted. */
  readonly needsTotal: boolean
  readonly limit: number
  readonly offset: number
}

export function matchesFilter(incident: Incident, filter: IncidentFilter): boolean {
  const { startMs, endMs, policyId, element, elementName, isClosed, isAcked, levels, text } = filter
  const { policyName = "", elementFqn } = incident
  return (
    (startMs === null || isSince(incident, startMs)) &&
    (endMs === null || incident.timeMs < endMs) &&
    (policyId === null || incident.policyId === policyId) &&
    (element === null || incident.elementId === element || incident.elementFqn === element) &&
    (elementName === null || includes(incident.elementName, elementName)) &&
    (isClosed === null || isClosed === (incident.closedMs !== null)) &&
    (isAcked === null || isAcked === incident.acked) &&
    hasLevel(incident, levels) &&
    (text === null ||
      [policyName, incident.elementName, elementFqn].some((one) => includes(one, text)))
  )
}

function isSince({ lastFiredMs, closedMs }: Incident, startMs: number): boolean {
  return lastFiredMs >= startMs || closedMs === null || closedMs > startMs
}

/** Whether an incident has one of the levels, of which an empty list has all. */
export function hasLevel({ level }: Incident, levels: readonly EventLevel[]): boolean {
  return levels.length === 0 || (level !== undefined && levels.includes(level))
}

/** Incidents in the order of a list. */
export function sortedIncidents(
  incidents: readonly Incident[],
  { sortBy, isNewestFirst }: Pick<IncidentListing, "sortBy" | "isNewestFirst">,
): readonly Incident[] {
  const sign = isNewestFirst ? -1 : 1
  const compare = comparisons[sortBy]
  return incidents.toSorted(
    (one, other) => sign * compare(one, other) || other.timeMs - one.timeMs || byId(one, other),
  )
}

type Compare = (one: Incident, other: Incident) => number

const byId: Compare = (one, other) => compareTexts(one.id, other.id)

const comparisons: Readonly<Record<IncidentSortField, Compare>> = {
  since: (one, other) => one.timeMs - other.timeMs || byId(one, other),
  level: (one, other) => severityRank(one) - severityRank(other),
  policy: (one, other) => compareNames(one.policyName ?? "", other.policyName ?? ""),
  element: (one, other) => compareNames(one.elementName, other.elementName),
}

/** Position of the level of an incident among all, the lowest first; −1 without one. */
export function severityRank({ level }: Pick<Incident, "level">): number {
  return level === undefined ? -1 : eventLevels.indexOf(level)
}

/** Ignores case, as searches do. */
function compareNames(one: string, other: string): number {
  return compareTexts(one.toLowerCase(), other.toLowerCase())
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}
