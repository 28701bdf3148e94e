/**
 * Malformed requests: input that node:http cannot parse gets a 400 (or 408, 413, 431) in our error
 * shape, after the responses to earlier requests of its connection.
 *
 *   good request ─► 202 ┐
 *   garbage ────────────┴─► 400, end
 */

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Clock } from "../../base/clock.ts"
import { malformedRequestResponse } from "./errors.ts"
import type { ErrorContext, ErrorResponse } from "./errors.ts"
import type { HttpLimits } from "./limits.ts"
import { answerHeaderLines, endInStages } from "./reply.ts"
import { requestIdHeader, type RequestIds } from "./request-ids.ts"

/** The next response to be written; node has no public access to it. */
export interface HttpSocket extends Socket {
  readonly _httpMessage?: (ServerResponse & { readonly req: IncomingMessage }) | null
}

export class MalformedRequests {
  private readonly clock: Clock
  private readonly requestIds: Pick<RequestIds, "of">
  private readonly limits: Pick<HttpLimits, "lingerMs">
  /** node reports the error again with each further chunk. */
  private readonly answeredSockets = new WeakSet<Socket>()

  constructor(
    { clock, requestIds }: { readonly clock: Clock; readonly requestIds: Pick<RequestIds, "of"> },
    limits: Pick<HttpLimits, "lingerMs">,
  ) {
    this.clock = clock
    this.requestIds = requestIds
    this.limits = limits
  }

  /** Responds to a `clientError` of node:http, and ends the connection. */
  answer(error: NodeJS.ErrnoException, socket: HttpSocket): void {
    if (error.code === "ECONNRESET") {
      socket.destroy()
      return
    }
    if (this.answeredSockets.has(socket)) return
    this.answeredSockets.add(socket)
    this.answerInTurn(error, socket)
  }

  /**
   * Waits for the responses to earlier requests, since a 400 would be taken for one of them. node
   * ends a connection that ends with one of them (bytes after `Connection: close`).
   */
  private answerInTurn(error: NodeJS.ErrnoException, socket: HttpSocket): void {
    if (socket.destroyed || socket.writableEnded) return
    const current = socket._httpMessage
    const isOwn = !current || (!current.headersSent && !current.req.complete)
    if (isOwn) return this.send(malformedRequestResponse(error.code, this.errorContext()), socket)
    // node's own listener runs first, so the next response is the current one when this runs.
    current.once("finish", () => this.answerInTurn(error, socket))
  }

  /** The head of the request is not read, so its own id is not known. */
  private errorContext(): ErrorContext {
    return { nowMs: this.clock.nowMs(), requestId: this.requestIds.of({}) }
  }

  private send({ status, body }: ErrorResponse, socket: HttpSocket): void {
    const text = JSON.stringify(body)
    const head = [
      `HTTP/1.1 ${status} ${reasonOf(body.message)}`,
      `Date: ${new Date(body.serverTimestamp).toUTCString()}`,
      "Connection: close",
      `${requestIdHeader}: ${body.requestId}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(text)}`,
    ]
    socket.write(`${head.join("\r\n")}\r\n${answerHeaderLines}\r\n${text}`)
    endInStages(socket, this.limits.lingerMs)
  }
}

function reasonOf(message: string): string {
  return message.replaceAll("_", " ")
}

/**
 * The problem of a head that node:http has parsed; null if there is none. node drops headers over a
 * count, and accepts requests without a Host or with two (RFC 9112 §3.2 requires a 400).
 */
export function headProblem(
  request: Pick<IncomingMessage, "rawHeaders" | "httpVersion">,
  { headerCountMax }: Pick<HttpLimits, "headerCountMax">,
): "HEADER_COUNT" | "HOST" | null {
  const { rawHeaders, httpVersion } = request
  if (rawHeaders.length > 2 * headerCountMax) return "HEADER_COUNT"
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === hostLength && name.toLowerCase() === "host") hosts++
  }
  const isOptional = httpVersion === "1.0"
  return hosts === 1 || (hosts === 0 && isOptional) ? null : "HOST"
}

const hostLength = 4
