/** Routes of incidents, also called alerts (spec/events §7). */

import type { Incident } from "../../../records/incidents/incidents.ts"
import { listOf, record } from "../../../wire/answer.ts"
import { incidentDocument, incidentRecord } from "../../../wire/records/incident-document.ts"
import { incidentParameters, readIncidentFilter } from "../event-filter-parameters.ts"
import { readUuid } from "../call-parameters.ts"
import { json, noBody, noContent } from "../../shared/route.ts"
import type { Call, Handler, Parameter, RouteDeps, Route } from "../../shared/route.ts"
import { uuidValue } from "../../shared/parameters.ts"

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

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "Id of an incident",
  required: true,
  value: uuidValue,
}

export const incidentRoutes: readonly Route[] = [
  {
    path: "/incidents",
    section,
    operations: {
      GET: {
        summary: "Incidents that policies opened",
        access: "reader",
        parameters: incidentParameters,
        response: {
          status: 200,
          description: "`incidents`, oldest first",
          schema: record({ incidents: listOf(incidentRecord) }),
          example: { incidents: [] },
        },
        handle: list,
      },
    },
  },
  {
    path: "/incidents/:id",
    section,
    operations: {
      GET: {
        summary: "One incident",
        access: "reader",
        parameters: [idParameter],
        response: {
          status: 200,
          description: "`incident`",
          schema: record({ incident: incidentRecord }),
        },
        handle: get,
      },
      PUT: {
        summary: "Close an incident",
        access: "writer",
        parameters: [idParameter],
        response: noBody(204, "It is closed"),
        handle: close,
      },
    },
  },
]
