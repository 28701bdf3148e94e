/** Incidents of lists and groups: their filters, their fields, changes of them. */

import * as v from "valibot"
import { closeReason, incidentLevel, type AlarmLevel } from "../severity.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { comparedSchema } from "./compared.ts"

const instant = v.pipe(v.string(), v.transform(Date.parse))

export const incidentStates = ["open", "unacked", "acked", "closed", "all"] as const
export type IncidentState = (typeof incidentStates)[number]

export interface IncidentFilter {
  readonly state: IncidentState
  /** Empty for all. */
  readonly levels: readonly AlarmLevel[]
  /** Part of the names of policy or element. */
  readonly text: string
  /** Ids; absent for all. */
  readonly policyId?: string | undefined
  readonly elementId?: string | undefined
  /** In which they were open; absent for any. */
  readonly range?: TimeRange | undefined
}

export const incidentSchema = v.object({
  incidentId: v.string(),
  policyId: v.string(),
  policyName: v.nullable(v.string()),
  level: incidentLevel,
  elementFqn: v.string(),
  elementName: v.string(),
  tsFirstFired: instant,
  tsClosed: v.nullable(instant),
  closeReason,
  acked: v.boolean(),
  ackedBy: v.nullable(v.string()),
  note: v.nullable(v.string()),
  violatingMetricFqns: v.array(v.string()),
  compared: v.array(comparedSchema),
})
/** Those that the schema has: the others, such as ids of events, are not sent. */
export const incidentFields = Object.keys(incidentSchema.entries).join(",")
export type ListedIncident = v.InferOutput<typeof incidentSchema>

export const groupSchema = v.object({
  /** Of the policy or the element. */
  id: v.string(),
  /** The highest one of its incidents. */
  level: incidentLevel,
  count: v.number(),
  acked: v.number(),
  open: v.number(),
  tsFirstFired: instant,
  incidents: v.array(incidentSchema),
})
export type IncidentGroup = v.InferOutput<typeof groupSchema>

export function filterQuery(filter: IncidentFilter) {
  const { state, levels, text, policyId, elementId, range } = filter
  return {
    startDate: range && Math.round(range.startMs),
    endDate: range && Math.round(range.endMs),
    policyId,
    elementId,
    isClosed: state === "all" ? undefined : state === "closed",
    acked: state === "acked" ? true : state === "unacked" ? false : undefined,
    level: levels.length === 0 ? undefined : levels.join(",").toUpperCase(),
    q: text === "" ? undefined : text,
  }
}

export interface IncidentChange {
  readonly action: "ack" | "unack" | "close"
  readonly note?: string
}

/** Ids that one call takes. */
export const changedIncidentsMax = 1_000
