/** Sends the replies of handlers: directly to the connection, or as a web response through Hono. */

import type { HttpBindings } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import type { Context } from "hono"
import type { AnswerMemory } from "../../base/answer-memory.ts"
import { ReservedAnswer } from "../../query/query.ts"
import { openEventSink } from "../live/event-sink.ts"
import type { ErrorResponse } from "../shared/errors.ts"
import { answerHeaders } from "../shared/reply.ts"
import { requestIdHeader } from "../shared/request-ids.ts"
import type { Reply } from "../shared/route.ts"
import { codingFor, sendResponse } from "../shared/send.ts"
import type { TenantIndex } from "../../model/ids.ts"

export type AppContext = Context<{ Bindings: HttpBindings }>

/** The answer memory of a body, and the tenant that is charged for it; -1 for no tenant. */
interface ReplyAccount {
  readonly memory: AnswerMemory
  readonly tenant: TenantIndex
}

/**
 * Writes a reply to its connection. Returns null if it needs a web response: without a connection,
 * for HEAD, or without a body. Throws `overloaded` if the answer memory cannot reserve the body.
 */
export function sendReply(
  reply: Reply,
  context: AppContext,
  account: ReplyAccount,
): Response | null {
  const { incoming, outgoing } = context.env ?? {}
  if (outgoing === undefined || context.req.raw.method === "HEAD") return null
  const { status, bytes, headers = {} } = reply
  if (reply.events !== undefined) {
    reply.events(openEventSink(outgoing, { ...answerHeaders, ...headers }))
    return RESPONSE_ALREADY_SENT
  }
  const body = reply.answer ?? serializedBody(reply, account)
  if (body === null) return null
  const codingOf = () => (bytes !== undefined ? null : codingFor(incoming))
  const all = { ...contentType(reply), ...headers }
  void sendResponse(outgoing, { status, headers: all, body }, codingOf)
  return RESPONSE_ALREADY_SENT
}

/** The body of a reply that the main thread serializes; null if it has none. */
function serializedBody(
  { json, text, bytes: ready }: Reply,
  { memory, tenant }: ReplyAccount,
): ReservedAnswer | null {
  if (ready !== undefined) return new ReservedAnswer([ready], () => {})
  const serialized = text ?? (json === undefined ? null : JSON.stringify(json))
  if (serialized === null) return null
  if (tenant < 0) return new ReservedAnswer([Buffer.from(serialized)], () => {})
  memory.reserve(tenant, Buffer.byteLength(serialized))
  const release = (released: number) => memory.release(tenant, released)
  return new ReservedAnswer([Buffer.from(serialized)], release)
}

/** The reply as a web response, for whatever `sendReply` does not write. */
export function webReplyOf(reply: Reply): Response {
  const { status, json, answer, text, headers } = reply
  const bytes = answer === undefined ? reply.bytes : Buffer.concat([...answer.take()])
  const body = bytes ?? text ?? (json === undefined ? null : JSON.stringify(json))
  return new Response(body as string | Uint8Array<ArrayBuffer> | null, {
    status,
    headers: { ...answerHeaders, ...contentType(reply), ...headers },
  })
}

/** An error as a web response. */
export function webResponseOf(answer: ErrorResponse): Response {
  return new Response(JSON.stringify(answer.body), {
    status: answer.status,
    headers: {
      ...answerHeaders,
      "Content-Type": "application/json",
      [requestIdHeader]: answer.body.requestId,
      ...answer.headers,
    },
  })
}

function contentType({ json, answer }: Reply): Record<string, string> {
  const isJson = answer !== undefined || json !== undefined
  return isJson ? { "Content-Type": "application/json" } : {}
}
