/** Routes of events (spec/events §5). */

import { ServiceError } from "../../../base/errors.ts"
import { cleanFqn } from "../../../model/fqn.ts"
import { wholeWindow } from "../../../records/incidents/event-filter.ts"
import type { EventWithElement } from "../../../records/incidents/events.ts"
import { listOf, record } from "../../../wire/answer.ts"
import { eventDocument, eventRecord } from "../../../wire/records/event-document.ts"
import { uuidOf } from "../../../wire/records/fields.ts"
import { elementFactsOf, elementIdOf } from "../element-lookup.ts"
import { windowParameters } from "../query-handler.ts"
import { eventParameters, readEventFilter, readSpan } from "../event-filter-parameters.ts"
import { uuidValue, pathParameter } from "../../shared/parameters.ts"
import {
  json,
  noBody,
  noContent,
  ok,
  route,
  type Handler,
  type Operation,
  type Parameter,
  type Route,
} from "../../shared/route.ts"

const section = "Events"

const list: Handler = async (call, deps) => {
  const filter = readEventFilter(call)
  const facts = elementFactsOf(call, deps)
  const found = await deps.records.events.find(call.tenant, filter, facts)
  return json({ events: found.map(documentOf) })
}

const ofElement: Handler = async (call, deps) => {
  const span = readSpan(call)
  const facts = elementFactsOf(call, deps)
  const find = (elements: string[]) =>
    deps.records.events.find(call.tenant, { ...wholeWindow(span), elements }, facts)
  const asked = call.path["elementId"] ?? ""
  try {
    const found = await find([await elementIdOf(call, deps, asked)])
    return json({ events: found.map(documentOf) })
  } catch (error) {
    // Events may concern an element that never sent a sample.
    const found = isMissing(error) ? await find([asked.toLowerCase(), cleanFqn(asked)]) : []
    if (found.length === 0) throw error
    return json({ events: found.map(documentOf) })
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "missing"
}

const get: Handler = async (call, deps) => {
  const id = uuidOf(call.path["eventId"] ?? "")
  const found = await deps.records.events.get(call.tenant, id, elementFactsOf(call, deps))
  return json({ event: documentOf(found) })
}

const remove: Handler = async (call, deps) => {
  await deps.records.events.remove(call.tenant, uuidOf(call.path["eventId"] ?? ""))
  return noContent
}

const removeOfPolicy: Handler = async (call, deps) => {
  await deps.records.events.removeOfPolicy(call.tenant, uuidOf(call.path["policyId"] ?? ""))
  return noContent
}

function documentOf({ event, element }: EventWithElement): Record<string, unknown> {
  return eventDocument(event, element)
}

const eventId: Parameter = pathParameter("eventId", "Id of an event", { value: uuidValue })

const manyEvents = record({ events: listOf(eventRecord) })

const removal: Operation = {
  summary: "Remove one event",
  access: "writer",
  parameters: [eventId],
  response: noBody(204, "It is gone"),
  handle: remove,
}

export const eventRoutes: readonly Route[] = [
  route(section, "/events", {
    GET: {
      summary: "Events of a window, the last hour if none is given",
      access: "reader",
      parameters: eventParameters,
      response: ok("`events`, oldest first", manyEvents),
      handle: list,
    },
  }),
  route(section, "/events/delete/policy/:policyId", {
    DELETE: {
      summary: "Remove all events of a policy",
      access: "writer",
      parameters: [pathParameter("policyId", "Id of a policy", { value: uuidValue })],
      response: noBody(204, "They are gone"),
      handle: removeOfPolicy,
    },
  }),
  route(section, "/events/delete/:eventId", { DELETE: removal }),
  route(section, "/events/:eventId", {
    GET: {
      summary: "One event",
      access: "reader",
      parameters: [eventId],
      response: ok("`event`", record({ event: eventRecord })),
      handle: get,
    },
    DELETE: removal,
  }),
  route("Elements", "/elements/:elementId/events", {
    GET: {
      summary: "Events of one element in a window, the last hour if none is given",
      access: "reader",
      parameters: [
        pathParameter("elementId", "Id or FQN of an element", { example: "web-1" }),
        ...windowParameters,
      ],
      response: ok("`events`, oldest first", manyEvents),
      handle: ofElement,
    },
  }),
]
