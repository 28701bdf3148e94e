/**
 * Ingest route: what an ingest request is asked before its body is read, and what it is answered.
 * It knows no sockets, so that node:http (front.ts) and the lane (lane/) quota it.
 *
 *   key ─► options, charset, coding ─► size ─► room ─► rate ─► body ─► intake ─► 202, 400, 5xx
 *   403    400                         413     503     429
 */

import type { KeyGrant } from "../../accounts/accounts.ts"
import type { Clock } from "../../base/clock.ts"
import { ServiceError } from "../../base/errors.ts"
import { requestOverheadBytes } from "../../engine/ingest-queue.ts"
import type { OnIngestResult, IngestResult, QueueQuota } from "../../engine/ingest-queue.ts"
import type { IngestBody } from "../../engine/request-batch.ts"
import { bodyTooLarge, queueFull, quotaExceeded } from "./body-collector.ts"
import type { BodyOptions } from "./body-collector.ts"
import { acceptedBody, errorResponseOf, badRequestResponse } from "../shared/errors.ts"
import type { ErrorResponse, ErrorIds } from "../shared/errors.ts"
import { charsetOf, codingOf, ingestOptions } from "./ingest-request.ts"
import type { RequestCoding, IngestOptions, IngestTarget } from "./ingest-request.ts"
import type { HttpLimits } from "../shared/limits.ts"
import type { IncomingHttpHeaders } from "node:http"

/** The questions that are asked of the intake. */
export interface IngestPort {
  quotaOf(apiKey: string): QueueQuota
  submit(body: IngestBody, done: OnIngestResult): void
}

export interface IngestRouteDeps {
  readonly ingestQueue: IngestPort
  /** What an API key stands for, undefined for an unknown or disabled one. Asked once a request. */
  readonly grantOf: (apiKey: string) => KeyGrant | undefined
  readonly limits: HttpLimits
  readonly clock: Clock
  /** Counts answers of the ingest endpoint. */
  readonly countRequest: (route: "ingest", status: number, startedMs?: number) => void
  /** Monotonic milliseconds, to be given to `countRequest`. */
  readonly startRequest: () => number
  readonly errorIds: ErrorIds
  /** Called for each request whose key is not known, with the address that it came from. */
  readonly onRefusedKey?: ((remoteAddress: string | undefined) => void) | undefined
  /** Told of every accepted request: whose it was, and the word before the key in its path. */
  readonly onAccepted?: ((grant: KeyGrant, kind: string | null) => void) | undefined
}

/** What a request says before its body. */
export interface IngestHead {
  readonly target: IngestTarget
  readonly headers: IncomingHttpHeaders
  /** Its Content-Length; 0 where it has none. */
  readonly announcedBytes: number
}

/** What was learnt from a request before its body. */
export interface AdmittedRequest {
  readonly grant: KeyGrant
  readonly kind: string | null
  readonly headers: IncomingHttpHeaders
  readonly options: IngestOptions
  readonly coding: RequestCoding | null
  readonly quota: QueueQuota
  readonly startedMs: number
  /** About how much memory the body will take; 0 where it does not say. */
  readonly expectedBytes: number
}

/** Who waits for what became of a request; told once. */
export interface ResponseSink {
  /** 202, with JSON where the sender asked for it. */
  accepted(body: string | null): void
  refused(answer: ErrorResponse): void
}

// As with `queueFull`: made once, since a flood of them must be cheap to refuse.
const serverStopping = new ServiceError("stopping", "The server is shutting down")
const unknownKey = new ServiceError("forbidden", "The API key is not known")

export class IngestRoute {
  /** From here on every request is answered 503. */
  stopping = false
  private readonly deps: IngestRouteDeps

  constructor(deps: IngestRouteDeps) {
    this.deps = deps
  }

  /**
   * Everything that can be refused by the headers alone, which it then throws. On return the
   * request's overhead is held.
   */
  admit({ target, headers, announcedBytes }: IngestHead): AdmittedRequest {
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
    grant.limit?.chargePayload()
    const options = ingestOptions(headers)
    quota.reserve(requestOverheadBytes)
    const startedMs = this.deps.startRequest()
    return { grant, kind: target.kind, headers, options, coding, quota, startedMs, expectedBytes }
  }

  /** How the body of an admitted request is collected. */
  bodyOptions({ coding, quota, expectedBytes }: AdmittedRequest): BodyOptions {
    return {
      coding,
      bytesMax: this.deps.limits.bodyBytesMax,
      budget: quota,
      announcement: quota.announce(expectedBytes),
      overheadBytes: requestOverheadBytes,
    }
  }

  /** Hands a whole body of `length` bytes to the intake; the asker is told once it is on disk. */
  submit(admission: AdmittedRequest, chunks: Buffer[], length: number, sink: ResponseSink): void {
    const { grant, options, quota } = admission
    const { injectTimestamp, sendResponseBody: reportsLeftOut } = options
    const charset = charsetOf(admission.headers["content-type"])
    const { tenant } = grant
    const isCollectd = admission.kind === "collectd"
    const about = { tenant, injectTimestamp, charset, reportsLeftOut, isCollectd }
    const body = { chunks, length, ...about, quota: quota }
    this.deps.ingestQueue.submit(body, (result) => this.respond(admission, result, sink))
  }

  /** The answer to what was thrown, counted; `socket` is what the request came by. */
  refusalFor(
    error: unknown,
    socket?: { readonly remoteAddress?: string | undefined },
  ): ErrorResponse {
    if (error === unknownKey) this.deps.onRefusedKey?.(socket?.remoteAddress)
    return this.countResponse(errorResponseOf(error, this.deps.clock.nowMs(), this.deps.errorIds))
  }

  /** Counts an answer of the ingest endpoint, and gives it back. */
  countResponse(answer: ErrorResponse, startedMs?: number): ErrorResponse {
    this.deps.countRequest("ingest", answer.status, startedMs)
    return answer
  }

  private respond(admission: AdmittedRequest, result: IngestResult, sink: ResponseSink): void {
    const { grant, kind, options, startedMs } = admission
    const nowMs = this.deps.clock.nowMs()
    if (result.outcome === "failed") return sink.refused(this.refusalFor(result.error))
    if (result.outcome === "refused") {
      const { detail, errors } = result
      return sink.refused(this.countResponse(badRequestResponse(detail, errors, nowMs), startedMs))
    }
    grant.limit?.chargeSamples(result.samples)
    this.deps.onAccepted?.(grant, kind)
    if (result.refusal !== undefined) {
      const { detail, errors } = result.refusal
      return sink.refused(this.countResponse(badRequestResponse(detail, errors, nowMs), startedMs))
    }
    this.deps.countRequest("ingest", 202, startedMs)
    sink.accepted(options.sendResponseBody ? acceptedBody(result, nowMs) : null)
  }
}

/**
 * JSON of collectors deflates to a tenth or a twentieth. A guess too low lets uploads begin that
 * then find no room; one too high refuses what would have fitted.
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
 * Bodies that cost less to read and drop than a new connection costs. That is more than its 150 µs:
 * libuv accepts one connection a turn, so under overload, when turns are long, clients that had to
 * connect anew waited a second to be refused again.
 */
export const drainBytesMax = 1024 * 1024
