/** Routes of events (spec/events §5). */

import { ServiceError } from "../../../base/errors.ts"
import { cleanFqn } from "../../../model/fqn.ts"
import { wholeWindow } from "../../../records/incidents/event-filter.ts"
import { boundsFromNow } from "../../../records/core/read-bounds.ts"
import type { EventWithElement } from "../../../records/incidents/events.ts"
import { described, listOf, optional, orNull, record, text } from "../../../wire/answer.ts"
import { annotationBody, readAnnotation } from "../../../wire/records/event-body.ts"
import { eventDocument, eventRecord } from "../../../wire/records/event-document.ts"
import { uuidOf } from "../../../wire/records/fields.ts"
import { elementFactsOf, elementFqnOf, elementIdOf } from "../element-lookup.ts"
import { totalFields, totalsOf } from "../found-totals.ts"
import {
  bucketsParameter,
  histogramAnswer,
  histogramDocument,
  histogramExample,
  readBuckets,
} from "../histogram-call.ts"
import { windowParameters } from "../query-handler.ts"
import {
  cursorAfter,
  eventListParameters,
  eventParameters,
  readEventFilter,
  readEventPage,
  readSpan,
} from "../event-filter-parameters.ts"
import { uuidValue, pathParameter } from "../../shared/parameters.ts"
import {
  json,
  jsonBody,
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
  const [filter, page] = [readEventFilter(call), readEventPage(call)]
  const facts = elementFactsOf(call, deps)
  const bounds = boundsFromNow(deps.elapsedMs, call.requester.signal)
  const found = await deps.records.events.find(call.tenant, filter, facts, page, bounds)
  const isFull = found.events.length === page.limit
  const last = isFull ? (found.events.at(-1)?.event ?? null) : found.stoppedAt
  return json({
    events: found.events.map(documentOf),
    ...(page.isNewestFirst ? { next: last === null ? null : cursorAfter(last) } : {}),
    ...totalsOf(found),
  })
}

const histogram: Handler = async (call, deps) => {
  const filter = readEventFilter(call)
  const parts = readBuckets(call)
  const facts = elementFactsOf(call, deps)
  const bounds = boundsFromNow(deps.elapsedMs, call.requester.signal)
  const found = await deps.records.events.histogram(call.tenant, filter, facts, parts, bounds)
  return json(histogramDocument(found))
}

const annotate: Handler = async (call, deps) => {
  const { events } = deps.records
  const note = readAnnotation(call.body, events.acceptedPeriod())
  const { elementId, ...rest } = note
  const elementFqn = elementId === null ? null : await elementFqnOf(call, deps, elementId)
  const author = call.identity!.user
  const event = await events.annotate(call.tenant, { ...rest, elementFqn, author })
  const found = await events.get(call.tenant, event.id, elementFactsOf(call, deps))
  return json({ event: documentOf(found) }, 201)
}

const ofElement: Handler = async (call, deps) => {
  const span = readSpan(call)
  const facts = elementFactsOf(call, deps)
  const find = (elements: string[]) =>
    deps.records.events.find(call.tenant, { ...wholeWindow(span), elements }, facts)
  const asked = call.path["elementId"] ?? ""
  try {
    const { events: found } = await find([await elementIdOf(call, deps, asked)])
    return json({ events: found.map(documentOf) })
  } catch (error) {
    // Events may concern an element that never sent a sample.
    if (!isMissing(error)) throw error
    const { events: found } = await find([asked.toLowerCase(), cleanFqn(asked)])
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

const eventPage = record({
  events: listOf(eventRecord),
  next: described(optional(orNull(text)), "With order=desc: `before` of the next page, if any"),
  ...totalFields,
})

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
      parameters: eventListParameters,
      response: ok("`events`, oldest first if `order` does not say otherwise", eventPage),
      handle: list,
    },
    POST: {
      summary: "Note something: an annotation of an element or of everything",
      access: "writer",
      body: jsonBody("`timestamp` is now if it is absent", annotationBody, {
        title: "Deploy 1.2",
        message: "With the new cache",
        elementId: "web-1",
        tags: [{ name: "stage", value: "production" }],
      }),
      response: {
        status: 201,
        description: "The event; its source is `user`, and `data.author` the user's e-mail",
        schema: record({ event: eventRecord }),
      },
      mayMiss: true,
      handle: annotate,
    },
  }),
  route(section, "/events/histogram", {
    GET: {
      summary: "Numbers of events by level, in equal parts of a window",
      access: "reader",
      parameters: [bucketsParameter, ...eventParameters],
      response: ok("Columns of numbers", histogramAnswer, histogramExample),
      handle: histogram,
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
