/** Routes of incidents, also called alerts (spec/events §7). */

import type { Incident } from "../../../records/incidents/incidents.ts"
import { listOf, record } from "../../../wire/answer.ts"
import { incidentDocument, incidentRecord } from "../../../wire/records/incident-document.ts"
import { incidentParameters, readIncidentFilter } from "../event-filter-parameters.ts"
import { readUuid } from "../call-parameters.ts"
import { uuidValue, pathParameter } from "../../shared/parameters.ts"
import {
  json,
  noBody,
  noContent,
  ok,
  route,
  type Call,
  type Handler,
  type Parameter,
  type Route,
  type RouteDeps,
} from "../../shared/route.ts"

const section = "Incidents"

const list: Handler = async (call, deps) => {
  const filter = readIncidentFilter(call)
  const found = await deps.records.incidents.find(call.tenant, filter)
  return json({ incidents: found.map((incident) => documentOf(incident, call, deps)) })
}

const get: Handler = async (call, deps) => {
  const incident = await deps.records.incidents.get(call.tenant, readUuid(call))
  return json({ incident: documentOf(incident, call, deps) })
}

const close: Handler = async (call, deps) => {
  await deps.records.incidentPipeline.close(call.tenant, readUuid(call))
  return noContent
}

function documentOf(incident: Incident, { tenant }: Call, { accounts }: RouteDeps) {
  return incidentDocument(incident, accounts.tenantUuid(tenant))
}

const idParameter: Parameter = pathParameter("id", "Id of an incident", { value: uuidValue })

export const incidentRoutes: readonly Route[] = [
  route(section, "/incidents", {
    GET: {
      summary: "Incidents that policies opened",
      access: "reader",
      parameters: incidentParameters,
      response: ok("`incidents`, oldest first", record({ incidents: listOf(incidentRecord) }), {
        incidents: [],
      }),
      handle: list,
    },
  }),
  route(section, "/incidents/:id", {
    GET: {
      summary: "One incident",
      access: "reader",
      parameters: [idParameter],
      response: ok("`incident`", record({ incident: incidentRecord })),
      handle: get,
    },
    PUT: {
      summary: "Close an incident",
      access: "writer",
      parameters: [idParameter],
      response: noBody(204, "It is closed"),
      handle: close,
    },
  }),
]
