/** Routes of incidents, also called alerts (spec/events §7). */

import type { Incident } from "../../../records/incidents/incidents.ts"
import { listOf, record } from "../../../wire/answer.ts"
import { incidentDocument, incidentRecord } from "../../../wire/records/incident-document.ts"
import { incidentParameters, readIncidentFilter } from "../event-filter-parameters.ts"
import { uuidParameter } from "../call-parameters.ts"
import { json, noBody, noContent } from "../../shared/route.ts"
import type { Call, Handler, Parameter, RouteDeps, Route } from "../../shared/route.ts"
import { uuidValue } from "../../shared/values.ts"

const section = "Incidents"

const list: Handler = async (call, rooms) => {
  const filter = readIncidentFilter(call)
  const found = await rooms.records.incidents.find(call.tenant, filter)
  return json({ incidents: found.map((incident) => documentOf(incident, call, rooms)) })
}

const get: Handler = async (call, rooms) => {
  const incident = await rooms.records.incidents.get(call.tenant, uuidParameter(call))
  return json({ incident: documentOf(incident, call, rooms) })
}

const close: Handler = async (call, rooms) => {
  await rooms.records.incidentPipeline.close(call.tenant, uuidParameter(call))
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
        answer: {
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
        answer: {
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
        answer: noBody(204, "It is closed"),
        handle: close,
      },
    },
  },
]
