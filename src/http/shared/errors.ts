/**
 * Errors on the wire: the only place that maps an error code to an HTTP status, and the one shape
 * of the errors of all endpoints (spec/accounts §4).
 */

import { ServiceError } from "../../base/errors.ts"
import type { ErrorCode } from "../../base/errors.ts"
import type { LeftOutReport } from "../../ingest/ingest.ts"
import type { RequestIds } from "./request-ids.ts"

/** An error response that is not serialized yet; all parts of the server send it. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

export interface ErrorBody {
  readonly status: number
  /** The status as a word, such as BAD_REQUEST. */
  readonly message: string
  /** The kind of problem in one line. */
  readonly detail: string
  /** One sentence per problem; never empty. */
  readonly errors: readonly string[]
  /** Epoch milliseconds. */
  readonly serverTimestamp: number
  readonly iso8601DateTime: string
  readonly requestId: string
}

/** The part of a response that names its request. */
export interface ErrorContext {
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** Status, `message` and `detail` of each error code. */
export const statusByCode: Readonly<Record<ErrorCode, readonly [number, string, string]>> = {
  invalid: [400, "BAD_REQUEST", "Input Validation Failed"],
  unauthenticated: [401, "UNAUTHORIZED", "Authentication Required"],
  forbidden: [403, "FORBIDDEN", "Access Denied"],
  missing: [404, "NOT_FOUND", "Resource Not Found"],
  tooLarge: [413, "PAYLOAD_TOO_LARGE", "Payload Too Large"],
  throttled: [429, "TOO_MANY_REQUESTS", "Rate Limit Exceeded"],
  overloaded: [503, "SERVICE_UNAVAILABLE", "Server Overloaded"],
  timedOut: [503, "SERVICE_UNAVAILABLE", "Time Limit Exceeded"],
  // The client does not read it; the status distinguishes it from failures in the request counter.
  cancelled: [499, "CLIENT_CLOSED_REQUEST", "Client Closed Request"],
  stopping: [503, "SERVICE_UNAVAILABLE", "Server Stopping"],
  readOnly: [503, "SERVICE_UNAVAILABLE", "Store Read-Only"],
  // Not 503, which promises that a retry helps: a broken store needs repair. Also, the ingest
  // endpoints are documented to respond 202, 400 and 500.
  storage: [500, "INTERNAL_SERVER_ERROR", "Storage Failed"],
}

/** `Retry-After` of an error without one of its own. Most agents post once a minute. */
const retryAfterSecondsDefault = 5

const challenge = 'Basic realm="tidegauge", charset="UTF-8"'

/** A body that cannot be read as JSON; the message is one sentence. */
export class UnreadableBody extends Error {
  override readonly name = "UnreadableBody"
}

/**
 * The response for any thrown value. Only the messages of `ServiceError` and `UnreadableBody` are
 * visible to the client.
 */
export function errorResponseOf(
  error: unknown,
  context: ErrorContext,
  requestIds: Pick<RequestIds, "idOf">,
): ErrorResponse {
  if (error instanceof UnreadableBody) {
    return badRequestResponse("Error Parsing JSON Request", [error.message], context)
  }
  if (!(error instanceof ServiceError)) return internalErrorResponse(error, context, requestIds)

  const [status, message, detail] = statusByCode[error.code]
  if (status === 500) return internalErrorResponse(error, context, requestIds)
  return {
    status,
    headers: headersOf(error),
    body: errorBody({ status, message, detail, errors: error.problems }, context),
  }
}

function internalErrorResponse(
  error: unknown,
  context: ErrorContext,
  requestIds: Pick<RequestIds, "idOf">,
): ErrorResponse {
  const id = requestIds.idOf(error, context.requestId)
  const [status, message] = statusByCode.storage
  const what =
    error instanceof ServiceError ? "The store failed" : "The server failed to handle the request"
  const errors = [`${what}; nothing was acknowledged. The server's log has the reason: ${id}`]
  return {
    status,
    headers: {},
    body: errorBody(
      { status, message, detail: `Internal Server Error, request id ${id}`, errors },
      context,
    ),
  }
}

function headersOf(error: ServiceError): Record<string, string> {
  switch (error.code) {
    case "unauthenticated":
      return { "WWW-Authenticate": challenge }
    case "throttled":
    case "overloaded":
    case "timedOut":
    case "stopping":
    case "readOnly":
      return { "Retry-After": String(error.retryAfterSeconds ?? retryAfterSecondsDefault) }
    default:
      return {}
  }
}

/** A 400 with a `detail` of its own, such as "Error Parsing JSON Request". */
export function badRequestResponse(
  detail: string,
  errors: readonly string[],
  context: ErrorContext,
): ErrorResponse {
  const [status, message] = statusByCode.invalid
  return { status, headers: {}, body: errorBody({ status, message, detail, errors }, context) }
}

/** A 503 for a server that cannot serve yet, or no longer; `problems` must not be empty. */
export function notReadyResponse(
  problems: readonly string[],
  context: ErrorContext,
): ErrorResponse {
  const [status, message] = statusByCode.overloaded
  const words = { status, message, detail: "Not Ready", errors: problems }
  return { status, headers: {}, body: errorBody(words, context) }
}

/** A 405 for a known path without the method; `allow` lists the methods that it has. */
export function methodNotAllowedResponse(allow: string, context: ErrorContext): ErrorResponse {
  const errors = [`Expected one of the methods ${allow} for this path`]
  const words = { status: 405, message: "METHOD_NOT_ALLOWED", detail: "Method Not Allowed", errors }
  return { status: 405, headers: { Allow: allow }, body: errorBody(words, context) }
}

/** The response to malformed HTTP, a header section over its limit or an upload that timed out. */
export function malformedRequestResponse(
  nodeCode: string | undefined,
  context: ErrorContext,
): ErrorResponse {
  const [status, message, problem] = malformedByNodeCode[nodeCode ?? ""] ?? malformedDefault
  const words = { status, message, detail: "Malformed HTTP Request", errors: [problem] }
  return { status, headers: { Connection: "close" }, body: errorBody(words, context) }
}

type MalformedStatus = readonly [number, string, string]

const malformedDefault: MalformedStatus = [
  400,
  "BAD_REQUEST",
  "Expected a well-formed HTTP/1.1 request",
]

/** By the code of a `clientError` event of node:http, or a code of malformed.ts. */
const malformedByNodeCode: Readonly<Record<string, MalformedStatus>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    "REQUEST_HEADER_FIELDS_TOO_LARGE",
    "The request line and headers are over the size limit",
  ],
  HEADER_COUNT: [
    431,
    "REQUEST_HEADER_FIELDS_TOO_LARGE",
    "The request has more headers than the limit",
  ],
  HOST: [400, "BAD_REQUEST", "Expected exactly one Host header"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    "PAYLOAD_TOO_LARGE",
    "The chunk extensions are over the size limit",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    "REQUEST_TIMEOUT",
    "The request did not arrive within the time limit",
  ],
}

function errorBody(
  words: Pick<ErrorBody, "status" | "message" | "detail" | "errors">,
  { nowMs, requestId }: ErrorContext,
): ErrorBody {
  return {
    status: words.status,
    message: words.message,
    detail: words.detail,
    errors: words.errors,
    serverTimestamp: nowMs,
    iso8601DateTime: new Date(nowMs).toISOString(),
    requestId,
  }
}

/**
 * The detailed success body of ingest, for the option SEND_RESPONSE_BODY. `leftOut` is
 * undefined if all samples were stored, `events` if there are none.
 */
export function acceptedBody(
  {
    elements,
    events,
    leftOut,
  }: {
    elements: number
    events: readonly unknown[] | undefined
    leftOut: LeftOutReport | undefined
  },
  nowMs: number,
): string {
  const more = events === undefined ? "" : ` and ${events.length} events`
  const received = `${elements} elements${more} received`
  if (leftOut === undefined) return acceptedText(received, nowMs)
  const { total, warnings } = leftOut
  const samples = total === 1 ? "1 sample was" : `${total} samples were`
  return acceptedText(`${received}; ${samples} left out`, nowMs, { warnings })
}

/** The detailed success body; the members of `more` follow `detail`. */
export function acceptedText(detail: string, nowMs: number, more: object = {}): string {
  return JSON.stringify({
    status: 202,
    message: "ACCEPTED",
    detail,
    ...more,
    serverTimestamp: nowMs,
    iso8601DateTime: new Date(nowMs).toISOString(),
  })
}
