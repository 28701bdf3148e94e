/**
 * Ingest route: admits a request by its head, and makes the response. It knows no sockets, so that
 * the node handler and the fast path share it.
 *
 *   key ─► options, charset, coding ─► size ─► quota ─► rate ─► body ─► queue ─► 202, 400, 5xx
 *   403    400                         413     503, 429  429
 */

import type { KeyGrant } from "../../accounts/accounts.ts"
import type { Clock } from "../../base/clock.ts"
import { ServiceError } from "../../base/errors.ts"
import { requestOverheadBytes, throttledError } from "../../engine/ingest-queue.ts"
import type { OnIngestResult, IngestResult, QueueQuota } from "../../engine/ingest-queue.ts"
import type { IngestBody } from "../../engine/request-batch.ts"
import type { IngestRefusal } from "../../engine/shard-protocol.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { PostedEvent } from "../../model/records/posted-event.ts"
import { bodyTooLarge, queueFull, quotaExceeded } from "./body-collector.ts"
import type { BodyOptions } from "./body-collector.ts"
import { acceptedBody, errorResponseOf, badRequestResponse } from "../shared/errors.ts"
import type { AccessLog } from "../shared/access-log.ts"
import type { ErrorContext, ErrorResponse } from "../shared/errors.ts"
import type { RequestIds } from "../shared/request-ids.ts"
import { charsetOf, codingOf, ingestOptions } from "./ingest-request.ts"
import type { RequestCoding, IngestOptions, IngestTarget } from "./ingest-request.ts"
import type { HttpLimits } from "../shared/limits.ts"
import type { AddressSource } from "../live/trusted-proxies.ts"
import type { IngestActivity } from "../live/ingest-activity.ts"
import type { IncomingHttpHeaders } from "node:http"

/** The part of the ingest queue that the route uses. */
export interface IngestPort {
  quotaOf(apiKey: string): QueueQuota
  submit(body: IngestBody, done: OnIngestResult): void
}

export interface IngestRouteDeps {
  readonly ingestQueue: IngestPort
  /** The grant of an API key; undefined for an unknown or disabled key. Called once per request. */
  readonly grantOf: (apiKey: string) => KeyGrant | undefined
  readonly limits: HttpLimits
  readonly clock: Clock
  /** Counts responses of the ingest endpoint. */
  readonly countRequest: (route: "ingest", status: number, startedMs?: number) => void
  /** Monotonic milliseconds, for `countRequest`. */
  readonly startRequest: () => number
  readonly requestIds: RequestIds
  readonly activity: IngestActivity
  /**
   * Stores events that came with samples, in a body of `bodyBytes` bytes; resolves when they are
   * synced, rejects if none is stored.
   */
  readonly storeEvents: (tenant: TenantIndex, posted: EventsOfBody) => Promise<void>
  /** Called for each accepted request, with the id of its key. */
  readonly onKeyUse: (keyId: string, nowMs: number) => void
  readonly access: Pick<AccessLog, "shows" | "write">
  /** Called for each request with an unknown key. */
  readonly onRefusedKey?: ((request: AddressSource) => void) | undefined
  /** Called for each accepted request, with the path segment before the key. */
  readonly onAccepted?: ((grant: KeyGrant, kind: string | null) => void) | undefined
}

export interface EventsOfBody {
  readonly events: readonly PostedEvent[]
  readonly bodyBytes: number
}

/** The head of a request. */
export interface IngestHead {
  readonly target: IngestTarget
  readonly headers: IncomingHttpHeaders
  /** Its Content-Length; 0 if absent. */
  readonly announcedBytes: number
  /** Null: made if a response or a log line needs it. */
  readonly requestId: string | null
}

/** The request that a response is for. */
export interface AnsweredRequest {
  readonly requestId: string | null
  readonly headers?: IncomingHttpHeaders
  readonly socket?: { readonly remoteAddress?: string | undefined }
}

/** An admitted request, before its body is read. */
export interface AdmittedRequest {
  /** Null as in `IngestHead`. */
  readonly requestId: string | null
  readonly grant: KeyGrant
  readonly kind: string | null
  readonly headers: IncomingHttpHeaders
  readonly options: IngestOptions
  readonly coding: RequestCoding | null
  readonly quota: QueueQuota
  readonly startedMs: number
  /** Estimated memory of the body; 0 if its length is not announced. */
  readonly expectedBytes: number
}

/** Receives the response to a request; one of its methods is called once. */
export interface ResponseSink {
  /** 202, with JSON if the client asked for it. */
  accepted(body: string | null): void
  refused(answer: ErrorResponse): void
}

// As with `queueFull`: made once, since a flood of them must be cheap to refuse.
const serverStopping = new ServiceError("stopping", "The server is shutting down")
const memoryShort = new ServiceError(
  "overloaded",
  "The server is short of memory; nothing was stored",
  { retryAfterSeconds: 5 },
)
const unknownKey = new ServiceError("forbidden", "The API key is not known")

export class IngestRoute {
  /** From here on every request is answered 503. */
  stopping = false
  private readonly deps: IngestRouteDeps

  constructor(deps: IngestRouteDeps) {
    this.deps = deps
  }

  /**
   * Admits a request by its head and reserves its overhead. Throws a `ServiceError` if the headers
   * alone justify a refusal.
   */
  admit({ target, headers, announcedBytes, requestId }: IngestHead): AdmittedRequest {
    const { ingestQueue, grantOf, limits } = this.deps
    if (this.stopping) throw serverStopping
    const grant = grantOf(target.apiKey)
    if (grant === undefined) throw unknownKey

    const coding = codingOf(headers["content-encoding"])
    if (announcedBytes > limits.bodyBytesMax) throw bodyTooLarge(limits.bodyBytesMax)
    const expectedBytes = expectedLength(announcedBytes, coding, limits.bodyBytesMax)
    const quota = ingestQueue.quotaOf(target.apiKey)
    const room = quota.admission(expectedBytes + requestOverheadBytes)
    if (room === "full") throw queueFull
    if (room === "overQuota") throw quotaExceeded
    if (room === "memoryShort") throw memoryShort
    grant.limit?.chargePayload()
    const options = ingestOptions(headers)
    quota.reserve(requestOverheadBytes)
    const startedMs = this.deps.startRequest()
    const { kind } = target
    return { requestId, kind, headers, options, coding, grant, quota, startedMs, expectedBytes }
  }

  /** Options to collect the body of an admitted request. */
  bodyOptions({ coding, quota, expectedBytes }: AdmittedRequest): BodyOptions {
    return {
      coding,
      bytesMax: this.deps.limits.bodyBytesMax,
      budget: quota,
      announcement: quota.announce(expectedBytes),
      overheadBytes: requestOverheadBytes,
    }
  }

  /** Queues a complete body of `length` bytes; `sink` gets the response after the fsync. */
  submit(admission: AdmittedRequest, chunks: Buffer[], length: number, sink: ResponseSink): void {
    const { grant, options, quota } = admission
    const { injectTimestamp, sendResponseBody: reportsLeftOut } = options
    const charset = charsetOf(admission.headers["content-type"])
    const { tenant } = grant
    const isCollectd = admission.kind === "collectd"
    const body = {
      chunks,
      length,
      tenant,
      injectTimestamp,
      charset,
      reportsLeftOut,
      isCollectd,
      quota,
    }
    this.deps.ingestQueue.submit(body, (result) => {
      const events = result.outcome === "accepted" ? result.events : undefined
      if (events === undefined) return this.respond(admission, result, sink)
      const posted = { events, bodyBytes: length }
      this.deps.storeEvents(tenant, posted).then(
        () => this.respond(admission, result, sink),
        (error: unknown) => this.respond(admission, { outcome: "failed", error }, sink),
      )
    })
  }

  /** The error response for a thrown error, counted. */
  refusalFor(error: unknown, request: AnsweredRequest): ErrorResponse {
    if (error === unknownKey) {
      const { headers = {}, socket = {} } = request
      this.deps.onRefusedKey?.({ headers, socket })
    }
    const context = this.contextOf(request)
    const response = errorResponseOf(error, context, this.deps.requestIds)
    return this.countResponse(response)
  }

  /** Counts a response of the ingest endpoint, and returns it. */
  countResponse(response: ErrorResponse, startedMs?: number): ErrorResponse {
    const { status, body } = response
    this.deps.countRequest("ingest", status, startedMs)
    const { serverTimestamp: timeMs, detail, errors } = body
    this.deps.activity.lastRefused = { timeMs, status, reason: errors[0] ?? detail }
    if (this.deps.access.shows(status)) {
      this.logAccess(status, { requestId: body.requestId, startedMs, tenant: -1 })
    }
    return response
  }

  private logAccess(
    status: number,
    of: {
      readonly requestId: string
      readonly startedMs: number | undefined
      readonly tenant: number
    },
  ): void {
    const { startedMs, ...rest } = of
    const durationMs = startedMs === undefined ? null : this.deps.startRequest() - startedMs
    const request = { method: "POST", route: "ingest", principal: null, ...rest }
    this.deps.access.write({ ...request, status, durationMs })
  }

  private contextOf({ requestId, headers = {} }: AnsweredRequest): ErrorContext {
    const { clock, requestIds } = this.deps
    return { nowMs: clock.nowMs(), requestId: requestId ?? requestIds.of(headers) }
  }

  private respond(admission: AdmittedRequest, result: IngestResult, sink: ResponseSink): void {
    const { grant, kind, options, startedMs } = admission
    if (result.outcome === "failed") return sink.refused(this.refusalFor(result.error, admission))
    if (result.outcome === "refused") return this.refuse(admission, result, sink)
    const { samples, latestTimeMs } = result
    grant.limit?.chargeSamples(samples)
    this.deps.onAccepted?.(grant, kind)
    const nowMs = this.deps.clock.nowMs()
    const post = { keyId: grant.id, samples, latestTimeMs, nowMs, elapsedMs: startedMs }
    this.deps.activity.accepted(grant.tenant, post)
    this.deps.onKeyUse(grant.id, nowMs)
    if (result.refusal !== undefined) return this.refuseInPart(admission, result.refusal, sink)
    this.deps.countRequest("ingest", 202, startedMs)
    if (this.deps.access.shows(202)) {
      const { requestId } = this.contextOf(admission)
      this.logAccess(202, { requestId, startedMs, tenant: grant.tenant })
    }
    sink.accepted(options.sendResponseBody ? acceptedBody(result, nowMs) : null)
  }

  /** Answers 400 or 429 to a request of which the rest is stored. */
  private refuseInPart(
    admission: AdmittedRequest,
    refusal: IngestRefusal,
    sink: ResponseSink,
  ): void {
    if (refusal.retryAfterSeconds === undefined) return this.refuse(admission, refusal, sink)
    sink.refused(this.refusalFor(throttledError(refusal), admission))
  }

  /** Answers 400 to a request that was read. */
  private refuse(
    admission: AdmittedRequest,
    { detail, errors }: { readonly detail: string; readonly errors: readonly string[] },
    sink: ResponseSink,
  ): void {
    const response = badRequestResponse(detail, errors, this.contextOf(admission))
    sink.refused(this.countResponse(response, admission.startedMs))
  }
}

/**
 * The JSON of collectors deflates to a tenth or a twentieth. Too low an estimate admits uploads
 * that later exceed the quota; too high an estimate refuses uploads that would have fitted.
 */
const inflation = 12

function expectedLength(
  announcedBytes: number,
  coding: RequestCoding | null,
  bytesMax: number,
): number {
  return coding === null ? announcedBytes : Math.min(announcedBytes * inflation, bytesMax)
}

/**
 * Longest rest of a refused body that is read and dropped: this costs less than a new connection.
 * A connection costs more than its 150 µs, because libuv accepts one per turn of the event loop:
 * under overload, when turns are long, reconnecting clients waited a second to be refused again.
 */
export const drainBytesMax = 1024 * 1024
