/** Calls of the first page: status of elements, open incidents, newest events, status of the server. */

import * as v from "valibot"
import type { ApiClient } from "./client.ts"
import { levels } from "./element-words.ts"
import { levelCounts, type FilterBody } from "./elements.ts"
import { histogramSchema, type EventHistogram } from "./events.ts"
import { severity } from "./severity.ts"

/** Parts of the fleet that fell silent together (spec/search §3). */
const silencesSchema = v.array(
  v.object({
    /** Null if it is a part of all elements, else all of this type. */
    type: v.nullable(v.string()),
    silent: v.number(),
    total: v.number(),
    /** Epoch milliseconds. */
    since: v.number(),
  }),
)
export type Silence = v.InferOutput<typeof silencesSchema>[number]

const statusSchema = v.object({
  levels: v.array(v.picklist(levels)),
  counts: v.object({
    total: v.number(),
    levels: levelCounts,
    types: v.array(v.object({ type: v.string(), total: v.number(), levels: levelCounts })),
  }),
  silences: silencesSchema,
  columns: v.nullable(
    v.object({
      fqn: v.array(v.string()),
      name: v.array(v.string()),
      type: v.array(v.number()),
      level: v.array(v.number()),
      openIncidents: v.array(v.number()),
    }),
  ),
})
export type StatusMap = v.InferOutput<typeof statusSchema>

export function statusMap(
  api: ApiClient,
  filter: FilterBody,
  signal: AbortSignal,
): Promise<StatusMap> {
  const path = ["elements", "search", "elementStatus"]
  return api.call({ method: "POST", path, body: filter, schema: statusSchema, signal })
}

const silencesOnly = v.object({ silences: silencesSchema })

export async function readSilences(
  api: ApiClient,
  signal: AbortSignal,
): Promise<readonly Silence[]> {
  const path = ["elements", "search", "elementStatus"]
  const body = { countsOnly: true }
  const call = { method: "POST", path, body, schema: silencesOnly, signal } as const
  return (await api.call(call)).silences
}

const incidentsSchema = v.object({
  incidents: v.array(
    v.object({
      incidentId: v.string(),
      level: v.nullable(severity),
      policyName: v.nullable(v.string()),
      elementFqn: v.string(),
      elementName: v.string(),
      tsFirstFired: v.string(),
      acked: v.boolean(),
    }),
  ),
  total: v.number(),
})
export type OpenIncidents = v.InferOutput<typeof incidentsSchema>

/** The newest open incidents, and the number of all. */
export function openIncidents(api: ApiClient, signal: AbortSignal): Promise<OpenIncidents> {
  const query = { isClosed: false, order: "desc", limit: 12, total: true }
  return api.call({ path: ["incidents"], query, schema: incidentsSchema, signal })
}

const eventsSchema = v.object({
  events: v.array(
    v.object({
      id: v.string(),
      timestamp: v.string(),
      category: v.object({ name: severity }),
      title: v.nullable(v.string()),
      elementFqn: v.string(),
      elementName: v.string(),
      policy: v.nullable(v.object({ name: v.string() })),
    }),
  ),
})
export type NewestEvents = v.InferOutput<typeof eventsSchema>

/** The newest events of the last day. */
export function newestEvents(api: ApiClient, signal: AbortSignal): Promise<NewestEvents> {
  const query = { duration: "P1D", order: "desc", limit: 12 }
  return api.call({ path: ["events"], query, schema: eventsSchema, signal })
}

/** Numbers of events of the last day, by half an hour. */
export function eventCounts(api: ApiClient, signal: AbortSignal): Promise<EventHistogram> {
  const query = { duration: "P1D", buckets: 48 }
  return api.call({ path: ["events", "histogram"], query, schema: histogramSchema, signal })
}

const serverSchema = v.object({
  cycle: v.object({ lastClosed: v.string(), tookMs: v.nullable(v.number()), lagMs: v.number() }),
  counts: v.object({ elements: v.number(), series: v.number() }),
  ingest: v.object({ samplesPerSecond: v.number(), lastSample: v.nullable(v.string()) }),
})
export type ServerStatus = v.InferOutput<typeof serverSchema>

export function serverStatus(api: ApiClient, signal: AbortSignal): Promise<ServerStatus> {
  return api.call({ path: ["status"], schema: serverSchema, signal })
}
