/** Routes of external events and webhooks, which collectors post (spec/events §1). */

import { invalid, ServiceError } from "../../../base/errors.ts"
import { cleanFqn } from "../../../model/fqn.ts"
import type { PostedEvents } from "../../../model/records/posted-event.ts"
import { eventsBody, readEvents } from "../../../wire/records/event-body.ts"
import { acceptedRecord } from "../../../wire/description/server-answers.ts"
import { acceptedText } from "../../shared/errors.ts"
import { postedJson, postOptions, readPost } from "../post-body.ts"
import { pathParameter } from "../../shared/parameters.ts"
import {
  noBody,
  route,
  type Call,
  type Handler,
  type Operation,
  type Parameter,
  type Reply,
  type Route,
  type RouteDeps,
} from "../../shared/route.ts"

const section = "Ingest"

const keyParameter: Parameter = pathParameter("apiId", "An API key")

const kindParameter: Parameter = pathParameter(
  "kind",
  "The kind of collector, any word; it has no effect",
  { example: "infrastructure" },
)

const postEvents: Handler = async (call, deps) => {
  const { events, commitQueue } = deps.records
  const { sendResponseBody, injectTimestamp } = postOptions(call)
  const { text, heldBytes } = await readPost(call, commitQueue)
  try {
    const posted = readEvents(postedJson(text), { ...events.acceptedPeriod(), injectTimestamp })
    const isNamed = posted.events.every(({ source }) => source !== null)
    const source = isNamed ? null : (await integrationOf(call, deps)).name
    await events.accept(call.tenant, posted, source)
    return sendResponseBody ? accepted(detailOf(posted), call.nowMs) : { status: 202 }
  } finally {
    commitQueue.release(heldBytes)
  }
}

const postText: Handler = async (call, deps) => {
  const { events, commitQueue } = deps.records
  const { text, heldBytes } = await readPost(call, commitQueue)
  try {
    if (text.trim() === "") throw invalid("body: expected the text of an event, got none")
    const { name, elementFqn } = await integrationOf(call, deps)
    await events.acceptText(call.tenant, { text, elementFqn, source: name })
    return { status: 202 }
  } finally {
    commitQueue.release(heldBytes)
  }
}

interface IntegrationFacts {
  readonly name: string
  /** The element of its webhook events. */
  readonly elementFqn: string
}

/** Properties of an integration that name the element of its webhooks, in order of precedence. */
const elementProperties = ["elementFqn", "elementId", "element"]

/** The integration of a key; without an element property its name is the element's FQN. */
async function integrationOf(
  call: Call,
  { accounts, records }: RouteDeps,
): Promise<IntegrationFacts> {
  const grant = accounts.grantOf(call.path["apiId"] ?? "")
  const found = records.datasources.get(call.tenant, String(grant?.datasourceId))
  const datasource = await found.catch(undefinedIfMissing)
  const name = datasource?.body.name ?? defaultName
  const clear = datasource?.body.properties.clear ?? {}
  const said = elementProperties.map((property) => cleanFqn(clear[property] ?? ""))
  const elementFqn = [...said, cleanFqn(name), defaultName].find((fqn) => fqn !== "")!
  return { name, elementFqn }
}

/** The name if the integration was removed while its key still works. */
const defaultName = "webhook"

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== "missing") throw error
}

function detailOf({ received, events }: PostedEvents): string {
  const discarded = received - events.length
  const rest = discarded === 0 ? "" : `, ${discarded} of them not stored: no data.elementId`
  return `${received} events received${rest}`
}

function accepted(detail: string, nowMs: number): Reply {
  const headers = { "Content-Type": "application/json" }
  return { status: 202, text: acceptedText(detail, nowMs), headers }
}

const eventExample = [
  {
    type: "INFO",
    title: "Deployment",
    source: "ci",
    tags: [{ name: "stage", value: "production" }],
    data: { elementId: "web-1", level: "Warning", message: "Version 1.2 is out" },
  },
]

const eventsOperation: Operation = {
  summary: "Store external events",
  access: "key",
  parameters: [keyParameter],
  body: {
    kind: "raw",
    description: "JSON array of events. One without `data.elementId` is accepted and not stored",
    schema: eventsBody,
    example: eventExample,
  },
  response: {
    status: 202,
    description: "Stored durably; a body only with the option SEND_RESPONSE_BODY",
    schema: acceptedRecord,
    mayBeEmpty: true,
  },
  handle: postEvents,
}

const textOperation: Operation = {
  summary: "Store any text as an event of the element that the integration names",
  access: "key",
  parameters: [keyParameter],
  body: { kind: "raw", description: "Any text", example: "Disk sda1 is failing" },
  response: noBody(202, "Stored durably"),
  handle: postText,
}

function withKind(operation: Operation): Operation {
  return { ...operation, parameters: [kindParameter, keyParameter] }
}

export const eventPostRoutes: readonly Route[] = [
  route(section, "/ingest/events/:apiId", { POST: eventsOperation }),
  route(section, "/ingest/events/:kind/:apiId", { POST: withKind(eventsOperation) }),
  route(section, "/ingest/webhook/:apiId", { POST: textOperation }),
  route(section, "/ingest/webhook/:kind/:apiId", { POST: withKind(textOperation) }),
]
