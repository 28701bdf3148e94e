/** Incidents by policy or element: numbers of each group, and its newest ones. */

import * as v from "valibot"
import type { ApiClient } from "../client.ts"
import { incidentLevel } from "../severity.ts"
import { histogramSchema, type EventHistogram } from "../events.ts"
import { filterQuery, groupSchema, incidentFields, type IncidentFilter } from "./listed.ts"

const groupsSchema = v.object({
  groups: v.array(groupSchema),
  groupCount: v.number(),
  total: v.number(),
})
export type IncidentGroups = v.InferOutput<typeof groupsSchema>

export interface GroupsAsked {
  readonly by: "policy" | "element"
  /** Groups, and the newest incidents of each. */
  readonly limit: number
  readonly members: number
}

export function incidentGroups(
  api: ApiClient,
  filter: IncidentFilter,
  asked: GroupsAsked,
  signal: AbortSignal,
): Promise<IncidentGroups> {
  const query = { ...filterQuery(filter), ...asked, fields: incidentFields }
  return api.call({ path: ["incidents", "groups"], query, schema: groupsSchema, signal })
}

const violatorsSchema = v.object({
  groups: v.array(
    v.object({
      /** Of the element. */
      id: v.string(),
      level: incidentLevel,
      count: v.number(),
      /** Of the range, in which at least one was open. */
      minutes: v.number(),
      incidents: v.array(v.object({ elementName: v.string() })),
    }),
  ),
})
export type Violator = v.InferOutput<typeof violatorsSchema>["groups"][number]

export interface ViolatorsAsked {
  /** The most first. */
  readonly sort: "count" | "minutes"
  readonly limit: number
}

/** Elements with most incidents that pass, or with incidents for most minutes of the range. */
export async function topViolators(
  api: ApiClient,
  filter: IncidentFilter,
  asked: ViolatorsAsked,
  signal: AbortSignal,
): Promise<readonly Violator[]> {
  const part = { by: "element", members: 1, fields: "elementName" }
  const query = { ...filterQuery(filter), ...asked, ...part }
  const path = ["incidents", "groups"]
  return (await api.call({ path, query, schema: violatorsSchema, signal })).groups
}

/** Numbers of the incidents that pass and opened in the range, in equal parts of it. */
export function incidentHistogram(
  api: ApiClient,
  filter: IncidentFilter,
  buckets: number,
  signal: AbortSignal,
): Promise<EventHistogram> {
  const query = { ...filterQuery(filter), buckets }
  return api.call({ path: ["incidents", "histogram"], query, schema: histogramSchema, signal })
}

/** When the mute of each muted policy ends, by its id: epoch milliseconds. */
export function policyMutes(
  api: ApiClient,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const schema = v.record(v.string(), v.number())
  return api.call({ path: ["policies", "mute"], schema, signal })
}
