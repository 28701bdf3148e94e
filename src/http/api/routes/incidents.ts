/** Routes of incidents, also called alerts (spec/events §7). */

import { bulkIncidentsMax } from "../../../base/limits/records.ts"
import type { IncidentAction } from "../../../records/incidents/incident-pipeline.ts"
import { boundsFromNow } from "../../../records/core/read-bounds.ts"
import type { Incident } from "../../../records/incidents/incidents.ts"
import { described, listOf, optional, record, wholeNumber } from "../../../wire/answer.ts"
import {
  ackBody,
  deliveryDocument,
  deliveryRecord,
  incidentBulkAnswer,
  incidentBulkBody,
  incidentDocument,
  incidentGroupDocument,
  incidentGroupRecord,
  incidentRecord,
  listedIncident,
  listedIncidentRecord,
  readAckBody,
  readIncidentBulk,
} from "../../../wire/records/incident-document.ts"
import { totalFields, totalsOf } from "../found-totals.ts"
import {
  incidentGroupParameters,
  incidentHistogramParameters,
  incidentParameters,
  readIncidentFields,
  readIncidentGroups,
  readIncidentHistogram,
  readIncidentListing,
} from "../incident-filter-parameters.ts"
import {
  histogramAnswer,
  histogramDocument,
  histogramExample,
  readBuckets,
} from "../histogram-call.ts"
import { visibleProperties } from "../../../records/secrets/secret-fields.ts"
import { readUuid, viewerOf } from "../call-parameters.ts"
import { uuidValue, pathParameter } from "../../shared/parameters.ts"
import {
  json,
  jsonBody,
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
  const listing = readIncidentListing(call)
  const fields = readIncidentFields(call)
  const bounds = boundsFromNow(deps.elapsedMs, call.requester.signal)
  const found = await deps.records.incidents.find(call.tenant, listing, bounds)
  const tenantId = deps.accounts.tenantUuid(call.tenant)
  return json({
    incidents: found.incidents.map((incident) => listedIncident(incident, tenantId, fields)),
    ...totalsOf(found),
    ...(found.totalByLevel !== null && { totalByLevel: found.totalByLevel }),
  })
}

const group: Handler = async (call, deps) => {
  const { filter, options } = readIncidentGroups(call)
  const fields = readIncidentFields(call)
  const bounds = boundsFromNow(deps.elapsedMs, call.requester.signal)
  const found = await deps.records.incidents.findGroups(call.tenant, filter, options, bounds)
  const tenantId = deps.accounts.tenantUuid(call.tenant)
  const groups = found.groups.map((one) => incidentGroupDocument(one, tenantId, fields))
  return json({ ...found, groups })
}

const histogram: Handler = async (call, deps) => {
  const { filter, span } = readIncidentHistogram(call)
  const parts = readBuckets(call)
  const bounds = boundsFromNow(deps.elapsedMs, call.requester.signal)
  const asked = { span, parts }
  const found = await deps.records.incidents.histogram(call.tenant, filter, asked, bounds)
  return json(histogramDocument(found))
}

const get: Handler = async (call, deps) => {
  const incident = await deps.records.incidents.get(call.tenant, readUuid(call))
  const deliveries = await deliveriesOf(incident, call, deps)
  return json({ incident: documentOf(incident, call, deps), deliveries })
}

async function deliveriesOf(incident: Incident, call: Call, deps: RouteDeps) {
  const found = await deps.deliveries.of(call.tenant, incident)
  if (found.length === 0) return []
  const notifications = await deps.records.notifications.list(call.tenant)
  const byId = new Map(notifications.map(({ id, body }) => [Number(id), body]))
  const showsReason = viewerOf(call) === "writer"
  return found.map((one) => {
    const body = byId.get(one.notificationId)
    if (body === undefined) return deliveryDocument(one, null, showsReason)
    const { name = null } = visibleProperties(body.properties, viewerOf(call))
    return deliveryDocument(one, { name, type: body.type }, showsReason)
  })
}

const close: Handler = async (call, deps) => {
  await deps.records.incidentPipeline.close(call.tenant, readUuid(call))
  return noContent
}

const acknowledge: Handler = async (call, deps) => {
  const { note } = readAckBody(call.body)
  return changed(call, deps, { action: "ack", ack: ackOf(call, note) })
}

const takeBack: Handler = (call, deps) => changed(call, deps, { action: "unack" })

const changeMany: Handler = async (call, { records }) => {
  const { ids, action, note } = readIncidentBulk(call.body)
  const change = action === "ack" ? { action, ack: ackOf(call, note) } : { action }
  const done = await records.incidentPipeline.changeMany(call.tenant, ids, change)
  const error = "Expected the id of an incident"
  return json({ changed: done.changed, failed: done.missing.map((id) => ({ id, error })) })
}

function ackOf({ identity, nowMs }: Call, note: string | null) {
  return { by: identity!.user, timeMs: nowMs, note }
}

/** Changes one incident and answers it as it is then. Throws `missing`. */
async function changed(call: Call, deps: RouteDeps, change: IncidentAction) {
  const id = readUuid(call)
  await deps.records.incidents.get(call.tenant, id)
  await deps.records.incidentPipeline.changeMany(call.tenant, [id], change)
  return get(call, deps)
}

function documentOf(incident: Incident, { tenant }: Call, { accounts }: RouteDeps) {
  return incidentDocument(incident, accounts.tenantUuid(tenant))
}

const idParameter: Parameter = pathParameter("id", "Id of an incident", { value: uuidValue })
const one = record({
  incident: incidentRecord,
  deliveries: described(listOf(deliveryRecord), "The last 20 messages about it, oldest first"),
})
const many = record({
  incidents: listOf(listedIncidentRecord),
  ...totalFields,
  totalByLevel: described(
    optional(record({ INFO: wholeNumber, WARNING: wholeNumber, CRITICAL: wholeNumber })),
    "All that match but for `level`, if the total was asked for",
  ),
})
const groups = record({
  groups: listOf(incidentGroupRecord),
  groupCount: described(wholeNumber, "Groups that match, listed or not"),
  total: described(wholeNumber, "Incidents that match"),
  isPartial: totalFields.isPartial,
})

export const incidentRoutes: readonly Route[] = [
  route(section, "/incidents", {
    GET: {
      summary: "Incidents that policies opened",
      access: "reader",
      parameters: incidentParameters,
      response: ok("`incidents`, by the time when they first fired", many, { incidents: [] }),
      handle: list,
    },
  }),
  route(section, "/incidents/groups", {
    GET: {
      summary: "Incidents by policy or element, counted",
      access: "reader",
      parameters: incidentGroupParameters,
      response: ok("`groups` in the order of `sort`; equal ones by their newest incident", groups, {
        groups: [],
        groupCount: 0,
        total: 0,
        isPartial: false,
      }),
      handle: group,
    },
  }),
  route(section, "/incidents/histogram", {
    GET: {
      summary: "Numbers of incidents by level and the time when they first fired",
      access: "reader",
      parameters: incidentHistogramParameters,
      response: ok(
        "Columns of numbers, of the last hour by default",
        histogramAnswer,
        histogramExample,
      ),
      handle: histogram,
    },
  }),
  route(section, "/incidents/bulk", {
    POST: {
      summary: "Acknowledge or close many incidents",
      access: "writer",
      body: jsonBody(`At most ${bulkIncidentsMax} ids`, incidentBulkBody, {
        ids: ["0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10"],
        action: "ack",
        note: "Disk is ordered",
      }),
      response: ok("How many changed, and which ids are of no incident", incidentBulkAnswer, {
        changed: 1,
        failed: [],
      }),
      handle: changeMany,
    },
  }),
  route(section, "/incidents/:id", {
    GET: {
      summary: "One incident",
      access: "reader",
      parameters: [idParameter],
      response: ok("`incident`, and `deliveries`", one),
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
  route(section, "/incidents/:id/ack", {
    POST: {
      summary: "Acknowledge an incident, with a note",
      access: "writer",
      parameters: [idParameter],
      body: jsonBody("Empty without a note; another one replaces the note", ackBody, {
        note: "Disk is ordered",
      }),
      response: ok("`incident`, and `deliveries`", one),
      handle: acknowledge,
    },
    DELETE: {
      summary: "Take an acknowledgement back",
      access: "writer",
      parameters: [idParameter],
      response: ok("`incident`, and `deliveries`", one),
      handle: takeBack,
    },
  }),
]
