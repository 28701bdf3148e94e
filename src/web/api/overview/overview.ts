/** Calls of the first page: status of elements, open incidents, newest events, status of the server. */

import * as v from "valibot"
import type { ApiClient } from "../client.ts"
import type { FilterBody } from "../elements.ts"
import {
  eventPageSchema,
  histogramSchema,
  pageEvents,
  type EventHistogram,
  type EventPage,
} from "../events.ts"
import { incidentGroups, type IncidentGroups } from "../incident/groups.ts"
import { incidentPage, type IncidentPage } from "../incidents.ts"
import {
  serverSchema,
  silencesSchema,
  statusSchema,
  type ServerStatus,
  type Silence,
  type StatusMap,
} from "./overview-answer.ts"

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

const open = { state: "open", levels: [], text: "" } as const

/** Open incidents by policy, those of the highest level first, and the number of all. */
export function openGroups(
  api: ApiClient,
  limit: number,
  signal: AbortSignal,
): Promise<IncidentGroups> {
  return incidentGroups(api, open, { by: "policy", limit, members: 1 }, signal)
}

/** The newest open incidents, and the number of all. */
export function openIncidents(
  api: ApiClient,
  limit: number,
  signal: AbortSignal,
): Promise<IncidentPage> {
  return incidentPage(api, open, { sort: "since", isDescending: true, limit, offset: 0 }, signal)
}

/** The newest events of the last day, as many as the page of events has at first. */
export function newestEvents(api: ApiClient, signal: AbortSignal): Promise<EventPage> {
  const query = { duration: "P1D", order: "desc", limit: pageEvents }
  return api.call({ path: ["events"], query, schema: eventPageSchema, signal })
}

/** Numbers of events of the last day, by half an hour. */
export function eventCounts(api: ApiClient, signal: AbortSignal): Promise<EventHistogram> {
  const query = { duration: "P1D", buckets: 48 }
  return api.call({ path: ["events", "histogram"], query, schema: histogramSchema, signal })
}

export function serverStatus(api: ApiClient, signal: AbortSignal): Promise<ServerStatus> {
  return api.call({ path: ["status"], schema: serverSchema, signal })
}
