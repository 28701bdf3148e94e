/** Incidents by policy or element: numbers of each group, and its newest ones. */

import * as v from "valibot"
import type { ApiClient } from "../client.ts"
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

/** When the mute of each muted policy ends, by its id: epoch milliseconds. */
export function policyMutes(
  api: ApiClient,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const schema = v.record(v.string(), v.number())
  return api.call({ path: ["policies", "mute"], schema, signal })
}
