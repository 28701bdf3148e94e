/**
 * Node handler: the node:http request handler, for everything that the fast path leaves to
 * node:http. It serves ingest itself, since Hono would read the body at a higher cost (16.8 against
 * 12.2 µs of CPU per request), and passes all other requests to the Hono listener.
 */

import type { Clock } from "../../base/clock.ts"
import { collectBody } from "./body-collector.ts"
import { DateHeader } from "../shared/date-header.ts"
import { malformedRequestResponse, methodNotAllowedResponse } from "../shared/errors.ts"
import type { ErrorResponse } from "../shared/errors.ts"
import { withoutRepeatedSlashes, ingestTarget } from "./ingest-request.ts"
import type { IngestTarget } from "./ingest-request.ts"
import { drainBytesMax } from "./ingest-route.ts"
import type { AdmittedRequest, IngestRoute } from "./ingest-route.ts"
import type { HttpLimits } from "../shared/limits.ts"
import { hstsValue, type LiveSettings } from "../shared/live-settings.ts"
import { headProblem } from "../shared/malformed.ts"
import { answerHeaders, reply, replyAndClose } from "../shared/reply.ts"
import { requestIdHeader, type RequestIds } from "../shared/request-ids.ts"
import { originForm } from "../shared/request-target.ts"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

interface NodeRequestHandlerDeps {
  readonly ingest: IngestRoute
  /** Serves everything except ingest: the request listener of the Hono app. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => unknown
  readonly limits: HttpLimits
  readonly live: Pick<LiveSettings, "hstsMs">
  readonly clock: Clock
  readonly requestIds: Pick<RequestIds, "of">
}

export interface NodeRequestHandler {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** From here on ingest gets 503, and every response closes its connection. */
  stop(): void
}

export function createNodeRequestHandler(options: NodeRequestHandlerDeps): NodeRequestHandler {
  const { ingest, listener, limits, live, clock, requestIds } = options
  const date = new DateHeader(clock)
  const endings = new ClosingConnections(limits)
  const posts = new IngestPostHandler(options, endings)
  const others = new Set<ServerResponse>()
  return {
    handle(request, response) {
      // The connection ends with an earlier response: this one would be stored without a response.
      if (endings.has(request.socket)) return void request.resume()
      // Otherwise node:http would use the time of the machine.
      response.setHeader("Date", date.value())
      const requestId = requestIds.of(request.headers)
      response.setHeader(requestIdHeader, requestId)
      const hsts = hstsValue(live)
      if (hsts !== null) response.setHeader("Strict-Transport-Security", hsts)
      const problem = headProblem(request, limits)
      if (problem !== null) {
        const answer = malformedRequestResponse(problem, { nowMs: clock.nowMs(), requestId })
        return endings.reply(request, response, answer)
      }
      // Hono reads the path from here.
      request.url = withoutRepeatedSlashes(originForm(request.url ?? ""))
      const target = ingestTarget(request.url)
      if (target !== null) return posts.handle(request, response, { target, requestId })
      if (ingest.stopping) closeAfter(response)
      others.add(response)
      response.on("close", () => others.delete(response))
      if (request.headers.expect !== undefined) response.writeContinue()
      listener(request, response)
    },
    stop() {
      ingest.stopping = true
      for (const response of others) closeAfter(response)
    },
  }
}

/** Connections that end with a refusal: requests after the refused one are ignored. */
class ClosingConnections {
  private readonly sockets = new WeakSet<Socket>()
  private readonly limits: HttpLimits

  constructor(limits: HttpLimits) {
    this.limits = limits
  }

  has(socket: Socket): boolean {
    return socket.writableEnded || this.sockets.has(socket)
  }

  /** Sends a response and ends the connection. */
  reply(request: IncomingMessage, response: ServerResponse, answer: ErrorResponse): void {
    this.sockets.add(request.socket)
    replyAndClose(request, response, { answer, limits: this.limits })
  }
}

/** Serves ingest requests that node:http parses. */
class IngestPostHandler {
  private readonly options: NodeRequestHandlerDeps
  private readonly route: IngestRoute
  private readonly endings: ClosingConnections

  constructor(options: NodeRequestHandlerDeps, endings: ClosingConnections) {
    this.options = options
    this.route = options.ingest
    this.endings = endings
  }

  handle(
    request: IncomingMessage,
    response: ServerResponse,
    of: { readonly target: IngestTarget; readonly requestId: string },
  ): void {
    const { headers } = request
    const { target, requestId } = of
    if (request.method !== "POST") {
      const nowMs = this.options.clock.nowMs()
      const answer = methodNotAllowedResponse("POST", { nowMs, requestId })
      return this.refuse(request, response, this.route.countResponse(answer))
    }
    let admission: AdmittedRequest
    try {
      const announcedBytes = Number(headers["content-length"] ?? 0)
      admission = this.route.admit({ target, headers, announcedBytes, requestId })
    } catch (error) {
      return this.refuse(
        request,
        response,
        this.route.refusalFor(error, { requestId, headers, socket: request.socket }),
      )
    }
    if (headers.expect !== undefined) response.writeContinue()
    this.collect(request, response, admission)
  }

  private collect(
    request: IncomingMessage,
    response: ServerResponse,
    admission: AdmittedRequest,
  ): void {
    collectBody(request, this.route.bodyOptions(admission), (error, chunks, length) => {
      if (error !== null) return this.refuseBody(request, response, { error, admission })
      this.route.submit(admission, chunks, length, {
        accepted: (body) => this.accept(response, body),
        refused: (answer) => {
          if (this.route.stopping) closeAfter(response)
          reply(response, answer)
        },
      })
    })
  }

  private accept(response: ServerResponse, body: string | null): void {
    if (this.route.stopping) closeAfter(response)
    // As on the fast path, see RawResponses.
    if (response.req.headers["x-request-id"] === undefined) response.removeHeader(requestIdHeader)
    const type = body === null ? {} : { "Content-Type": "application/json" }
    const length = { "Content-Length": Buffer.byteLength(body ?? "") }
    response.writeHead(202, { ...answerHeaders, ...type, ...length }).end(body ?? "")
  }

  /** Refuses a body that is too large, exceeds its quota or cannot be inflated. */
  private refuseBody(
    request: IncomingMessage,
    response: ServerResponse,
    { error, admission }: { readonly error: unknown; readonly admission: AdmittedRequest },
  ): void {
    this.endings.reply(request, response, this.route.refusalFor(error, admission))
  }

  /**
   * Refuses a request before its body is read. The connection stays open only if little is left to
   * read.
   */
  private refuse(request: IncomingMessage, response: ServerResponse, answer: ErrorResponse): void {
    if (!this.route.stopping && isCheapToDrain(request)) return reply(response, answer)
    this.endings.reply(request, response, answer)
  }
}

/** Ends the connection with this response, so that no idle connection delays the shutdown. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close")
}

function isCheapToDrain(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers.expect !== undefined || headers["transfer-encoding"] !== undefined) return false
  return Number(headers["content-length"] ?? 0) <= drainBytesMax
}
