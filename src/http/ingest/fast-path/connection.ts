/**
 * Fast path connection: reads and answers the plain posts of one client, one at a time.
 *
 *   waiting ─► body ─► answering ─► waiting …
 *      │         └─ quota exceeded ─► lingering ─► end
 *      ├─ refused by its head ─► dropping (a small body) ─► waiting
 *      └─ not plain ─► node:http
 *
 * Bytes that arrive while a request is in the ingest queue are deferred, and the socket is paused.
 * They count against the quota of the API key; if the quota does not allow them, the connection is
 * closed.
 */

import type { Socket } from "node:net"
import type { Clock } from "../../../base/clock.ts"
import type { QueueQuota } from "../../../engine/ingest-queue.ts"
import { CollectedBody } from "../body-collector.ts"
import type { ErrorResponse } from "../../shared/errors.ts"
import { drainBytesMax } from "../ingest-route.ts"
import type { AdmittedRequest, IngestRoute, ResponseSink } from "../ingest-route.ts"
import type { HttpLimits } from "../../shared/limits.ts"
import type { LiveSettings } from "../../shared/live-settings.ts"
import { endInStages, linger } from "../../shared/reply.ts"
import type { RequestIds } from "../../shared/request-ids.ts"
import { HeadReader } from "./head.ts"
import type { RawResponses } from "./raw-responses.ts"

export interface FastPathDeps {
  readonly ingest: IngestRoute
  readonly limits: HttpLimits
  readonly live: Pick<LiveSettings, "hstsMs">
  readonly clock: Clock
  readonly requestIds: Pick<RequestIds, "of">
  /** Takes over a connection; the bytes that it has sent so far can be read from it again. */
  readonly handOver: (socket: Socket) => void
  /** Responds 408 to a request that did not arrive in time, and ends its connection. */
  readonly respondTimeout: (socket: Socket) => void
}

/** Shared by all connections. */
export interface ConnectionDeps extends FastPathDeps {
  readonly responses: RawResponses
  /** Number of calls of `FastPath.sweep`: a clock that costs nothing to read and never jumps. */
  sweepCount: number
}

type State =
  | "waiting"
  | "body"
  | "answering"
  /** Answered, but the client does not read its responses. */
  | "draining"
  | "dropping"
  | "lingering"
  /** Pending writes are flushed, then the socket is closed. */
  | "ending"
  /** Closed or handed over: all further events are ignored. */
  | "detached"

export class FastPathConnection implements ResponseSink {
  private readonly socket: Socket
  private readonly deps: ConnectionDeps
  private readonly head: HeadReader
  private state: State = "waiting"
  /** The sweep during which this state began. */
  private sinceSweep: number
  private bodyBytesLeft = 0
  private body: CollectedBody | null = null
  private deferred: Buffer | null = null
  /** The quota that deferred bytes count against: that of the last admitted request. */
  private quota: QueueQuota | null = null
  private hasClientEnded = false
  private readonly onDetached: (connection: FastPathConnection) => void
  private readonly onData = (bytes: Buffer): void => this.receive(bytes)
  private readonly onEnd = (): void => this.onClientEnd()
  private readonly onClose = (): void => this.detach()
  // "close" follows an error, and no response can be sent.
  private readonly onError = (): void => undefined

  /** `onDetached` is called once, when the connection is closed or handed over. */
  constructor(
    socket: Socket,
    deps: ConnectionDeps,
    onDetached: (connection: FastPathConnection) => void,
  ) {
    this.socket = socket
    this.deps = deps
    this.onDetached = onDetached
    this.head = new HeadReader(deps.limits)
    this.sinceSweep = deps.sweepCount
    socket.on("data", this.onData)
    socket.on("end", this.onEnd)
    socket.on("close", this.onClose)
    socket.on("error", this.onError)
  }

  accepted(body: string | null): void {
    const { headers } = this.head
    const hasId = headers["x-request-id"] !== undefined
    const requestId = hasId ? this.deps.requestIds.of(headers) : null
    this.respond(this.deps.responses.accepted(body, { isLast: this.isLast, requestId }))
  }

  refused(response: ErrorResponse): void {
    this.respond(this.deps.responses.refused(response, this.isLast))
  }

  /** Closes the connection if its state lasts too long; called once per sweep. */
  enforceTimeouts(): void {
    const { limits, sweepCount, respondTimeout } = this.deps
    const waitedMs = (sweepCount - this.sinceSweep) * limits.timeoutCheckMs
    if (waitedMs <= this.waitMsMax()) return
    const isSilent = this.state === "waiting" && this.socket.bytesRead === 0
    if (this.state !== "body" && !isSilent) return this.destroy()
    this.releaseInput()
    this.enter("ending")
    respondTimeout(this.socket)
  }

  closeIdle(): void {
    if (this.state === "waiting") this.endAfterWrites()
  }

  destroy(): void {
    this.detach()
    this.socket.destroy()
  }

  private get isLast(): boolean {
    return this.head.isLast || this.hasClientEnded || this.deps.ingest.stopping
  }

  /** The longest time that the connection may stay in its state. */
  private waitMsMax(): number {
    const { limits } = this.deps
    switch (this.state) {
      case "waiting":
        return this.socket.bytesRead === 0 ? limits.headersTimeoutMs : limits.keepAliveTimeoutMs
      case "body":
      case "dropping":
        return limits.requestTimeoutMs
      case "draining":
      case "ending":
        return limits.stallTimeoutMs
      // The ingest queue always answers, and lingering has a timer of its own.
      default:
        return Infinity
    }
  }

  private enter(state: State): void {
    this.state = state
    this.sinceSweep = this.deps.sweepCount
  }

  private receive(bytes: Buffer): void {
    switch (this.state) {
      case "waiting":
        return this.beginRequest(bytes)
      case "body":
        return this.receiveBody(bytes)
      case "dropping":
        return this.dropBody(bytes)
      case "answering":
      case "draining":
        return this.defer(bytes)
      default:
    }
  }

  private beginRequest(bytes: Buffer): void {
    const { head } = this
    const { ingest, limits } = this.deps
    const isPlain = head.read(bytes) && bytes.length <= head.headBytes + head.bodyBytes
    if (!isPlain || head.bodyBytes > limits.bodyBytesMax || ingest.stopping) {
      return this.handOver(bytes)
    }
    let admission: AdmittedRequest
    try {
      const { target, headers, bodyBytes } = head
      admission = ingest.admit({ target, headers, announcedBytes: bodyBytes, requestId: null })
    } catch (error) {
      return this.refuse(bytes, error)
    }
    this.enter("body")
    this.quota = admission.quota
    this.bodyBytesLeft = head.bodyBytes
    this.body = new CollectedBody(ingest.bodyOptions(admission), (error, chunks, length) => {
      this.body = null
      if (error !== null) return this.refuseBody(error, admission)
      this.enter("answering")
      ingest.submit(admission, chunks, length, this)
    })
    this.receiveBody(bytes.subarray(head.headBytes))
  }

  private receiveBody(bytes: Buffer): void {
    const body = this.body!
    const isOver = bytes.length > this.bodyBytesLeft
    const own = isOver ? bytes.subarray(0, this.bodyBytesLeft) : bytes
    if (isOver) this.defer(bytes.subarray(this.bodyBytesLeft))
    this.bodyBytesLeft -= own.length
    if (own.length > 0) body.add(own)
    if (this.bodyBytesLeft === 0) body.finish()
  }

  /** Refuses a request by its head. If much of the body is left to read, node:http refuses it. */
  private refuse(bytes: Buffer, error: unknown): void {
    if (this.head.bodyBytes > drainBytesMax || this.head.isLast) return this.handOver(bytes)
    const request = { requestId: null, headers: this.head.headers, socket: this.socket }
    const response = this.deps.ingest.refusalFor(error, request)
    this.enter("dropping")
    this.bodyBytesLeft = this.head.bodyBytes
    this.socket.write(this.deps.responses.refused(response, false))
    this.dropBody(bytes.subarray(this.head.headBytes))
  }

  private dropBody(bytes: Buffer): void {
    if (bytes.length > this.bodyBytesLeft) this.defer(bytes.subarray(this.bodyBytesLeft))
    this.bodyBytesLeft -= Math.min(this.bodyBytesLeft, bytes.length)
    if (this.bodyBytesLeft === 0) this.nextRequest()
  }

  /** Refuses a body that exceeds its quota before it has arrived completely. */
  private refuseBody(error: unknown, admission: AdmittedRequest): void {
    const { ingest, responses, limits } = this.deps
    this.enter("lingering")
    this.dropDeferred()
    this.socket.write(responses.refused(ingest.refusalFor(error, admission), true))
    linger(this.socket, limits, () => this.endAfterWrites())
  }

  private respond(text: string): void {
    if (this.state !== "answering") return
    const { isLast } = this
    this.socket.write(text)
    if (!isLast) this.nextRequest()
    else if (this.deferred === null) this.endAfterWrites()
    else this.endInStages()
  }

  /** After a response: continues with the deferred bytes, or waits for the next request. */
  private nextRequest(): void {
    if (this.socket.writableNeedDrain) return this.waitForDrain()
    this.enter("waiting")
    const { deferred } = this
    if (deferred === null) return
    this.dropDeferred()
    this.socket.resume()
    this.beginRequest(deferred)
  }

  /** Ends the connection after the last response although bytes of another request arrived. */
  private endInStages(): void {
    this.releaseInput()
    this.enter("ending")
    endInStages(this.socket, this.deps.limits.lingerMs)
  }

  private waitForDrain(): void {
    this.enter("draining")
    this.socket.once("drain", () => {
      if (this.state === "draining") this.nextRequest()
    })
  }

  private defer(bytes: Buffer): void {
    this.socket.pause()
    if (this.quota !== null && !this.quota.reserve(bytes.length)) return this.destroy()
    this.deferred = this.deferred === null ? bytes : Buffer.concat([this.deferred, bytes])
  }

  private dropDeferred(): void {
    if (this.deferred !== null) this.quota?.release(this.deferred.length)
    this.deferred = null
  }

  private onClientEnd(): void {
    this.hasClientEnded = true
    // A request in the ingest queue still gets its response.
    if (this.state !== "answering") this.endAfterWrites()
  }

  private handOver(bytes: Buffer): void {
    const { socket, deps } = this
    this.detach()
    socket.off("data", this.onData)
    socket.off("end", this.onEnd)
    socket.off("close", this.onClose)
    socket.off("error", this.onError)
    socket.pause()
    socket.unshift(bytes)
    deps.handOver(socket)
    socket.resume()
  }

  /** Closes the socket after pending writes; `enforceTimeouts` cuts off a client that stalls. */
  private endAfterWrites(): void {
    if (this.state === "detached") return
    this.releaseInput()
    this.enter("ending")
    this.socket.destroySoon()
  }

  /** From here on input is ignored and no response is written. */
  private detach(): void {
    if (this.state === "detached") return
    this.releaseInput()
    this.state = "detached"
    this.onDetached(this)
  }

  /** Releases bytes that were read and not submitted. */
  private releaseInput(): void {
    this.body?.abandon()
    this.body = null
    this.dropDeferred()
  }
}
