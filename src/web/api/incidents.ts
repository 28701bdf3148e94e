/** Calls about incidents: pages of them, their numbers by level, changes of many. */

import * as v from "valibot"
import type { ApiClient } from "./client.ts"
import { closeReason, severity, type AlarmLevel } from "./severity.ts"

export const incidentStates = ["open", "unacked", "acked", "closed", "all"] as const
export type IncidentState = (typeof incidentStates)[number]

export interface IncidentFilter {
  readonly state: IncidentState
  /** Empty for all. */
  readonly levels: readonly AlarmLevel[]
  /** Part of the names of policy or element. */
  readonly text: string
}

const incidentSchema = v.object({
  incidentId: v.string(),
  policyName: v.nullable(v.string()),
  /** Incidents of earlier versions have none. */
  level: v.pipe(
    v.nullable(severity),
    v.transform((level): AlarmLevel => level ?? "info"),
  ),
  elementFqn: v.string(),
  elementName: v.string(),
  tsFirstFired: v.pipe(v.string(), v.transform(Date.parse)),
  tsClosed: v.nullable(v.pipe(v.string(), v.transform(Date.parse))),
  closeReason,
  acked: v.boolean(),
  ackedBy: v.nullable(v.string()),
  note: v.nullable(v.string()),
  violatingMetricFqns: v.array(v.string()),
})
export type ListedIncident = v.InferOutput<typeof incidentSchema>

const pageSchema = v.object({ incidents: v.array(incidentSchema), total: v.number() })
export type IncidentPage = v.InferOutput<typeof pageSchema>

export interface IncidentOrder {
  readonly isNewestFirst: boolean
  readonly limit: number
  readonly offset: number
}

/** A page of the incidents that pass, and the number of all. */
export function incidentPage(
  api: ApiClient,
  filter: IncidentFilter,
  { isNewestFirst, limit, offset }: IncidentOrder,
  signal: AbortSignal,
): Promise<IncidentPage> {
  const order = isNewestFirst ? "desc" : "asc"
  const query = { ...filterQuery(filter), order, limit, offset, total: true }
  return api.call({ path: ["incidents"], query, schema: pageSchema, signal })
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

function filterQuery({ state, levels, text }: IncidentFilter) {
  return {
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

const changeSchema = v.object({
  changed: v.number(),
  failed: v.array(v.object({ id: v.string(), error: v.string() })),
})

/** Ids that one call takes. */
export const changedIncidentsMax = 1_000

/** Changes at most 1,000 incidents. */
export function changeIncidents(
  api: ApiClient,
  ids: readonly string[],
  change: IncidentChange,
): Promise<v.InferOutput<typeof changeSchema>> {
  const body = { ids, ...change }
  return api.call({ method: "POST", path: ["incidents", "bulk"], body, schema: changeSchema })
}
