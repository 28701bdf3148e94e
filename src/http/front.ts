/**
 * Front: the node:http request handler. Ingest is caught here, before Hono would read its body
 * (12.2 µs of CPU a request against 16.8); everything else goes on to the Hono listener.
 *
 *   key ─► options, charset, coding ─► size ─► room ─► rate ─► body ─► intake ─► 202, 400, 5xx
 *   403    400                         413     503     429
 */

import type { KeyGrant } from "../accounts/accounts.ts"
import type { Clock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"
import { requestOverheadBytes } from "../engine/intake.ts"
import type { Done, IntakeResult, Share } from "../engine/intake.ts"
import type { IngestBody } from "../engine/pack.ts"
import { bodyTooLarge, collectBody, queueFull, shareFull } from "./body.ts"
import { acceptedBody, answerOf, methodAnswer, refusalAnswer } from "./errors.ts"
import type { Answer, FailureNames } from "./errors.ts"
import { charsetOf, codingOf, ingestOptions, ingestTarget } from "./ingest-request.ts"
import type { Coding, IngestOptions, IngestTarget } from "./ingest-request.ts"
import type { HttpLimits } from "./limits.ts"
import { reply, replyAndClose } from "./reply.ts"
import type { IncomingMessage, ServerResponse } from "node:http"

/** The questions that the front asks of the intake. */
export interface IntakeDoor {
  shareOf(apiKey: string): Share
  submit(body: IngestBody, done: Done): void
}

export interface FrontOptions {
  readonly intake: IntakeDoor
  /** Answers everything that is not ingest: the request listener of the Hono app. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => unknown
  /** What an API key stands for, undefined for an unknown or disabled one. Asked once a request. */
  readonly keys: (apiKey: string) => KeyGrant | undefined
  readonly limits: HttpLimits
  readonly clock: Clock
  /** Counts answers of the ingest endpoint. */
  readonly countRequest: (route: "ingest", status: number) => void
  readonly failures: FailureNames
  /** Told of every accepted request: whose it was, and the word before the key in its path. */
  readonly onAccepted?: ((grant: KeyGrant, kind: string | null) => void) | undefined
}

export interface Front {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** From here on ingest is answered 503, and every answer closes its connection. */
  stop(): void
}

export function createFront(options: FrontOptions): Front {
  const ingest = new IngestRoute(options)
  const { listener } = options
  const others = new Set<ServerResponse>()
  return {
    handle(request, response) {
      const target = ingestTarget(request.url ?? "")
      if (target !== null) return ingest.handle(request, response, target)
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

// As with `queueFull`: made once, since a flood of them must be cheap to refuse.
const serverStopping = new ServiceError("stopping", "The server is shutting down")
const unknownKey = new ServiceError("forbidden", "The API key is not known")

/** What was learnt from a request before its body. */
interface Admission {
  readonly grant: KeyGrant
  readonly kind: string | null
  readonly options: IngestOptions
  readonly coding: Coding | null
  readonly share: Share
  /** About how much memory the body will take; 0 where it does not say. */
  readonly expectedBytes: number
}

class IngestRoute {
  stopping = false
  private readonly options: FrontOptions

  constructor(options: FrontOptions) {
    this.options = options
  }

  handle(request: IncomingMessage, response: ServerResponse, target: IngestTarget): void {
    if (request.method !== "POST") {
      return this.refuse(request, response, methodAnswer("POST", this.options.clock.nowMs()))
    }
    let admission: Admission
    try {
      admission = this.admit(request, target)
    } catch (error) {
      return this.refuse(request, response, this.answerOf(error))
    }
    if (request.headers.expect !== undefined) response.writeContinue()
    this.collect(request, response, admission)
  }

  /**
   * Everything that can be refused by the headers alone. On return the request's overhead is held.
   */
  private admit(request: IncomingMessage, { apiKey, kind }: IngestTarget): Admission {
    const { intake, keys, limits } = this.options
    if (this.stopping) throw serverStopping
    const grant = keys(apiKey)
    if (grant === undefined) throw unknownKey

    const { headers } = request
    const coding = codingOf(headers["content-encoding"])
    const announcedBytes = Number(headers["content-length"] ?? 0)
    if (announcedBytes > limits.bodyBytesMax) throw bodyTooLarge(limits.bodyBytesMax)
    const expectedBytes = expectedLength(announcedBytes, coding, limits.bodyBytesMax)
    const share = intake.shareOf(apiKey)
    const room = share.admission(expectedBytes + requestOverheadBytes)
    if (room === "full") throw queueFull
    if (room === "overShare") throw shareFull
    grant.limit?.takePayload()
    const options = ingestOptions(headers)
    const admission = { grant, kind, options, coding, share, expectedBytes }
    share.hold(requestOverheadBytes)
    return admission
  }

  private collect(
    request: IncomingMessage,
    response: ServerResponse,
    { grant, kind, options, coding, share, expectedBytes }: Admission,
  ): void {
    const { intake, limits } = this.options
    const { tenant } = grant
    const body = {
      coding,
      bytesMax: limits.bodyBytesMax,
      budget: share,
      promise: share.promise(expectedBytes),
      overheadBytes: requestOverheadBytes,
    }
    collectBody(request, body, (error, chunks, length) => {
      if (error !== null) return this.refuseBody(request, response, error)
      const { injectTimestamp } = options
      const charset = charsetOf(request.headers["content-type"])
      intake.submit({ chunks, length, tenant, injectTimestamp, charset, share }, (result) => {
        if (result.outcome === "accepted") {
          grant.limit?.takeSamples(result.samples)
          this.options.onAccepted?.(grant, kind)
        }
        this.answer(response, options, result)
      })
    })
  }

  private answer(response: ServerResponse, options: IngestOptions, result: IntakeResult): void {
    if (result.outcome === "accepted") return this.accept(response, options, result.elements)
    const answer =
      result.outcome === "refused"
        ? refusalAnswer(result.detail, result.errors, this.options.clock.nowMs())
        : this.answerOf(result.error)
    this.count(answer.status)
    if (this.stopping) closeAfter(response)
    reply(response, answer)
  }

  private accept(response: ServerResponse, options: IngestOptions, elements: number): void {
    this.count(202)
    if (this.stopping) closeAfter(response)
    response.statusCode = 202
    if (!options.sendResponseBody) {
      response.end()
      return
    }
    response.setHeader("Content-Type", "application/json")
    response.end(acceptedBody(elements, this.options.clock.nowMs()))
  }

  /** The body turned out to be too large, too much for the queue, or not to inflate. */
  private refuseBody(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const answer = this.answerOf(error)
    this.count(answer.status)
    replyAndClose(request, response, { answer, limits: this.options.limits })
  }

  /**
   * Answers before the body is read. Only where little is left to read does the connection go on.
   */
  private refuse(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
    this.count(answer.status)
    if (!this.stopping && isSmallRest(request)) return reply(response, answer)
    replyAndClose(request, response, { answer, limits: this.options.limits })
  }

  private answerOf(error: unknown): Answer {
    return answerOf(error, this.options.clock.nowMs(), this.options.failures)
  }

  private count(status: number): void {
    this.options.countRequest("ingest", status)
  }
}

/**
 * Lets the connection end with this response, so that it does not outlive the server as an idle
 * one.
 */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close")
}

/**
 * JSON of collectors deflates to a tenth or a twentieth. A guess too low lets uploads begin that
 * then find no room; one too high refuses what would have fitted.
 */
const inflation = 12

function expectedLength(announcedBytes: number, coding: Coding | null, bytesMax: number): number {
  return coding === null ? announcedBytes : Math.min(announcedBytes * inflation, bytesMax)
}

/**
 * Bodies that cost less to read and drop than a new connection costs. That is more than its 150 µs:
 * libuv accepts one connection a turn, so under overload, when turns are long, clients that had to
 * connect anew waited a second to be refused again.
 */
const smallRestBytes = 1024 * 1024

function isSmallRest(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers.expect !== undefined || headers["transfer-encoding"] !== undefined) return false
  return Number(headers["content-length"] ?? 0) <= smallRestBytes
}
