/** Groups of incidents: how many alerts of a policy or an element there are, and the newest ones. */

import type { EventLevel } from "../../model/records/event-level.ts"
import type { Incident } from "../../model/records/incident.ts"
import { severityRank } from "./incident-filter.ts"

export const incidentGroupings = ["policy", "element"] as const
export type IncidentGroupBy = (typeof incidentGroupings)[number]

export interface GroupOptions {
  readonly by: IncidentGroupBy
  /** Groups of an answer. */
  readonly limit: number
  /** Incidents that are listed in each group. */
  readonly members: number
}

export interface IncidentGroup {
  /** Of the policy or the element. */
  readonly id: string
  /** The highest of its incidents; null if none has one. */
  readonly level: EventLevel | null
  readonly count: number
  readonly acked: number
  readonly open: number
  /** When the oldest of its incidents first fired. */
  readonly firstMs: number
  /** When the newest one did. */
  readonly newestMs: number
  /** The newest ones, newest first. */
  readonly incidents: readonly Incident[]
}

export interface FoundGroups {
  /** Those of the highest level first, then those with the newest incident. */
  readonly groups: readonly IncidentGroup[]
  /** Groups and incidents that match, listed or not. */
  readonly groupCount: number
  readonly total: number
  /** True if there are more incidents than are looked at. */
  readonly isPartial: boolean
}

type Growing = {
  -readonly [Field in keyof IncidentGroup]: Field extends "incidents"
    ? Incident[]
    : IncidentGroup[Field]
}

/** Collects incidents that are added newest first. */
export class IncidentGrouping {
  private readonly options: GroupOptions
  private readonly byId = new Map<string, Growing>()
  private total = 0

  constructor(options: GroupOptions) {
    this.options = options
  }

  add(incident: Incident): void {
    const { by, members } = this.options
    const { timeMs } = incident
    const id = by === "policy" ? incident.policyId : incident.elementId
    const group = this.byId.get(id) ?? newGroup(id, timeMs)
    this.byId.set(id, group)
    this.total++
    group.count++
    group.firstMs = timeMs
    if (incident.acked) group.acked++
    if (incident.closedMs === null) group.open++
    if (severityRank(incident) > rankOf(group)) group.level = incident.level!
    if (group.incidents.length < members) group.incidents.push(incident)
  }

  groups(): Omit<FoundGroups, "isPartial"> {
    const all = [...this.byId.values()].sort(
      (one, other) => rankOf(other) - rankOf(one) || other.newestMs - one.newestMs,
    )
    const groups = all.slice(0, this.options.limit)
    return { groups, groupCount: all.length, total: this.total }
  }
}

function newGroup(id: string, timeMs: number): Growing {
  const counts = { count: 0, acked: 0, open: 0 }
  return { id, level: null, ...counts, firstMs: timeMs, newestMs: timeMs, incidents: [] }
}

function rankOf({ level }: Growing): number {
  return severityRank(level === null ? {} : { level })
}
