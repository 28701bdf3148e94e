/** Groups of incidents: how many a policy or an element has, for how long, and the newest ones. */

import type { EventLevel } from "../../model/records/event-level.ts"
import type { Incident } from "../../model/records/incident.ts"
import { spanIntersection, type Span } from "../../model/span.ts"
import { severityRank } from "./incident-filter.ts"
import { OpenTime } from "./open-time.ts"

export const incidentGroupings = ["policy", "element"] as const
export type IncidentGroupBy = (typeof incidentGroupings)[number]

/** Fields by which groups are sorted, from the highest level or the largest number on. */
export const incidentGroupSorts = ["level", "count", "minutes"] as const
export type IncidentGroupSort = (typeof incidentGroupSorts)[number]

export interface GroupOptions {
  readonly by: IncidentGroupBy
  readonly sortBy: IncidentGroupSort
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
  /** Time of the window in which at least one of its incidents was open. */
  readonly openMs: number
  /** When the oldest of its incidents first fired. */
  readonly firstMs: number
  /** When the newest one did. */
  readonly newestMs: number
  /** The newest ones, newest first. */
  readonly incidents: readonly Incident[]
}

export interface FoundGroups {
  /** In the order that was asked for; equal ones by their newest incident, the latest first. */
  readonly groups: readonly IncidentGroup[]
  /** Groups and incidents that match, listed or not. */
  readonly groupCount: number
  readonly total: number
  /** True if there are more incidents than are looked at. */
  readonly isPartial: boolean
}

type Growing = {
  -readonly [Field in keyof Omit<IncidentGroup, "openMs">]: Field extends "incidents"
    ? Incident[]
    : IncidentGroup[Field]
} & { readonly openTime: OpenTime }

/** Collects incidents that are added newest first. */
export class IncidentGrouping {
  private readonly options: GroupOptions
  private readonly window: Span
  private readonly byId = new Map<string, Growing>()
  private total = 0

  /** `window`: in which the time of open incidents counts; those that are still open fill it. */
  constructor(options: GroupOptions, window: Span) {
    this.options = options
    this.window = window
  }

  add(incident: Incident): void {
    const { by, members } = this.options
    const { timeMs, closedMs } = incident
    const id = by === "policy" ? incident.policyId : incident.elementId
    const group = this.byId.get(id) ?? newGroup(id, timeMs)
    this.byId.set(id, group)
    this.total++
    group.count++
    group.firstMs = timeMs
    if (incident.acked) group.acked++
    if (closedMs === null) group.open++
    const open = { startMs: timeMs, endMs: closedMs ?? Infinity }
    group.openTime.add(spanIntersection(this.window, open))
    if (severityRank(incident) > rankOf(group)) group.level = incident.level!
    if (group.incidents.length < members) group.incidents.push(incident)
  }

  groups(): Omit<FoundGroups, "isPartial"> {
    const { sortBy, limit } = this.options
    const sizes = sizesOf[sortBy]
    const compare = (one: Growing, other: Growing): number =>
      sizes.reduce((found, size) => found || size(other) - size(one), 0)
    const all = [...this.byId.values()].sort(compare)
    const groups = all.slice(0, limit).map(({ openTime, ...rest }) => {
      return { ...rest, openMs: openTime.ms }
    })
    return { groups, groupCount: all.length, total: this.total }
  }
}

function newGroup(id: string, timeMs: number): Growing {
  const counts = { count: 0, acked: 0, open: 0 }
  const times = { firstMs: timeMs, newestMs: timeMs, openTime: new OpenTime() }
  return { id, level: null, ...counts, ...times, incidents: [] }
}

function rankOf({ level }: Growing): number {
  return severityRank(level === null ? {} : { level })
}

type SizeOf = (group: Growing) => number

const newestOf: SizeOf = ({ newestMs }) => newestMs
const countOf: SizeOf = ({ count }) => count
const openMsOf: SizeOf = ({ openTime }) => openTime.ms

/** Groups are compared by the first of these in which they differ. */
const sizesOf: Readonly<Record<IncidentGroupSort, readonly SizeOf[]>> = {
  level: [rankOf, newestOf],
  count: [countOf, openMsOf, newestOf],
  minutes: [openMsOf, countOf, newestOf],
}
