/** Calls about incidents: pages of them, their numbers by level, changes of many. */

import * as v from "valibot"
import type { ApiClient } from "./client.ts"
import {
  filterQuery,
  incidentFields,
  incidentSchema,
  type IncidentChange,
  type IncidentFilter,
} from "./incident/listed.ts"
import type { AlarmLevel } from "./severity.ts"

const pageSchema = v.object({ incidents: v.array(incidentSchema), total: v.number() })
export type IncidentPage = v.InferOutput<typeof pageSchema>

export interface IncidentOrder {
  /** Another one than `since` lists open incidents only. */
  readonly sort: "since" | "level" | "policy" | "element"
  readonly isDescending: boolean
  readonly limit: number
  readonly offset: number
}

/** A page of the incidents that pass, and the number of all. */
export function incidentPage(
  api: ApiClient,
  filter: IncidentFilter,
  { sort, isDescending, limit, offset }: IncidentOrder,
  signal: AbortSignal,
): Promise<IncidentPage> {
  const order = isDescending ? "desc" : "asc"
  const part = { sort, order, limit, offset, total: true, fields: incidentFields }
  const query = { ...filterQuery(filter), ...part }
  return api.call({ path: ["incidents"], query, schema: pageSchema, signal })
}

const idsSchema = v.object({ incidents: v.array(v.object({ incidentId: v.string() })) })

/** Ids of the incidents that pass, the newest first. */
export async function incidentIds(
  api: ApiClient,
  filter: IncidentFilter,
  limit: number,
): Promise<readonly string[]> {
  const query = { ...filterQuery(filter), order: "desc", limit, fields: "incidentId" }
  const { incidents } = await api.call({ path: ["incidents"], query, schema: idsSchema })
  return incidents.map(({ incidentId }) => incidentId)
}

const count = v.number()
const countSchema = v.object({
  totalByLevel: v.object({ CRITICAL: count, WARNING: count, INFO: count }),
})

/** The numbers of incidents of each level that pass; the levels of the filter do not count. */
export async function countIncidents(
  api: ApiClient,
  filter: IncidentFilter,
  signal: AbortSignal,
): Promise<Readonly<Record<AlarmLevel, number>>> {
  const query = { ...filterQuery({ ...filter, levels: [] }), limit: 0, total: true }
  const { totalByLevel } = await api.call({
    path: ["incidents"],
    query,
    schema: countSchema,
    signal,
  })
  const { CRITICAL: critical, WARNING: warning, INFO: info } = totalByLevel
  return { critical, warning, info }
}

const changeSchema = v.object({
  changed: v.number(),
  failed: v.array(v.object({ id: v.string(), error: v.string() })),
})

/** Changes at most 1,000 incidents. */
export function changeIncidents(
  api: ApiClient,
  ids: readonly string[],
  change: IncidentChange,
): Promise<v.InferOutput<typeof changeSchema>> {
  const body = { ids, ...change }
  return api.call({ method: "POST", path: ["incidents", "bulk"], body, schema: changeSchema })
}
