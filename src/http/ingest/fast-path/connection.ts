/**
 * Lane connection: one sender's plain posts, one after the other.
 *
 *   waiting ─► body ─► answering ─► waiting …
 *      │         └─ no room for it ─► lingering ─► end
 *      ├─ refused by its head ─► dropping (the small rest) ─► waiting
 *      └─ not plain ─► node:http
 *
 * What comes while a request is with the intake is held, and nothing more is read meanwhile. It
 * counts as the request does; where there is no room for it the connection ends.
 */

import type { Socket } from "node:net"
import type { QueueQuota } from "../../../engine/ingest-queue.ts"
import { CollectedBody } from "../body-collector.ts"
import type { ErrorResponse } from "../../shared/errors.ts"
import { drainBytesMax } from "../ingest-route.ts"
import type { AdmittedRequest, ResponseSink } from "../ingest-route.ts"
import { endInStages, linger } from "../../shared/reply.ts"
import { HeadReader } from "./head.ts"
import type { ConnectionDeps } from "./deps.ts"

type State =
  | "waiting"
  | "body"
  | "answering"
  /** Answered, and the client takes no more of its answers. */
  | "unread"
  | "dropping"
  | "lingering"
  /** What is written goes out, then it is closed. */
  | "ending"
  | "left"

export class FastPathConnection implements ResponseSink {
  private readonly socket: Socket
  private readonly deps: ConnectionDeps
  private readonly head: HeadReader
  private state: State = "waiting"
  /** The round in which this state began, and bytes of the body that are still to come. */
  private sinceSweep: number
  private bodyBytesLeft = 0
  private body: CollectedBody | null = null
  private deferred: Buffer | null = null
  /** Where what is held counts: that of the last request that was admitted. */
  private quota: QueueQuota | null = null
  private hasClientEnded = false
  private readonly onDetached: (connection: FastPathConnection) => void
  private readonly onData = (bytes: Buffer): void => this.receive(bytes)
  private readonly onEnd = (): void => this.onClientEnd()
  private readonly onClose = (): void => this.detach()
  // What broke is followed by "close", and nobody is left to be told.
  private readonly onError = (): void => undefined

  /** `onDetached` is told once that the lane has nothing more to do with it. */
  constructor(
    socket: Socket,
    parts: ConnectionDeps,
    onLeft: (connection: FastPathConnection) => void,
  ) {
    this.socket = socket
    this.deps = parts
    this.onDetached = onLeft
    this.head = new HeadReader(parts.limits)
    this.sinceSweep = parts.sweepCount
    socket.on("data", this.onData)
    socket.on("end", this.onEnd)
    socket.on("close", this.onClose)
    socket.on("error", this.onError)
  }

  accepted(body: string | null): void {
    this.answer(this.deps.responses.accepted(body, this.isLast))
  }

  refused(answer: ErrorResponse): void {
    this.answer(this.deps.responses.refused(answer, this.isLast))
  }

  /** Ends it where it waits for too long; called once a round. */
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

  /** Milliseconds that it may be in its state. */
  private waitMsMax(): number {
    const { limits } = this.deps
    switch (this.state) {
      case "waiting":
        return this.socket.bytesRead === 0 ? limits.headersTimeoutMs : limits.keepAliveTimeoutMs
      case "body":
      case "dropping":
        return limits.requestTimeoutMs
      case "unread":
      case "ending":
        return limits.stallTimeoutMs
      // The intake answers always, and who lingers has a timer.
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
      case "unread":
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
      admission = ingest.admit({ target, headers, announcedBytes: bodyBytes })
    } catch (error) {
      return this.refuse(bytes, error)
    }
    this.enter("body")
    this.quota = admission.quota
    this.bodyBytesLeft = head.bodyBytes
    this.body = new CollectedBody(ingest.bodyOptions(admission), (error, chunks, length) => {
      this.body = null
      if (error !== null) return this.refuseBody(error)
      this.enter("answering")
      ingest.submit(admission, chunks, length, this)
    })
    this.receiveBody(bytes.subarray(head.headBytes))
  }

  private receiveBody(bytes: Buffer): void {
    const collected = this.body!
    const isOver = bytes.length > this.bodyBytesLeft
    const own = isOver ? bytes.subarray(0, this.bodyBytesLeft) : bytes
    if (isOver) this.defer(bytes.subarray(this.bodyBytesLeft))
    this.bodyBytesLeft -= own.length
    if (own.length > 0) collected.add(own)
    if (this.bodyBytesLeft === 0) collected.finish()
  }

  /** Refuses by the head alone. Where much is left to read, node:http does that. */
  private refuse(bytes: Buffer, error: unknown): void {
    if (this.head.bodyBytes > drainBytesMax || this.head.isLast) return this.handOver(bytes)
    const answer = this.deps.ingest.refusalFor(error, this.socket)
    this.enter("dropping")
    this.bodyBytesLeft = this.head.bodyBytes
    this.socket.write(this.deps.responses.refused(answer, false))
    this.dropBody(bytes.subarray(this.head.headBytes))
  }

  private dropBody(bytes: Buffer): void {
    if (bytes.length > this.bodyBytesLeft) this.defer(bytes.subarray(this.bodyBytesLeft))
    this.bodyBytesLeft -= Math.min(this.bodyBytesLeft, bytes.length)
    if (this.bodyBytesLeft === 0) this.nextRequest()
  }

  /** There was no room for the body, of which a part is still to come. */
  private refuseBody(error: unknown): void {
    const { ingest, responses, limits } = this.deps
    this.enter("lingering")
    this.dropDeferred()
    this.socket.write(responses.refused(ingest.refusalFor(error), true))
    linger(this.socket, limits, () => this.endAfterWrites())
  }

  private answer(text: string): void {
    if (this.state !== "answering") return
    const { isLast } = this
    this.socket.write(text)
    if (!isLast) this.nextRequest()
    else if (this.deferred === null) this.endAfterWrites()
    else this.endInStages()
  }

  /** Answered: on to what was held, or to what comes. */
  private nextRequest(): void {
    if (this.socket.writableNeedDrain) return this.waitForDrain()
    this.enter("waiting")
    const { deferred } = this
    if (deferred === null) return
    this.dropDeferred()
    this.socket.resume()
    this.beginRequest(deferred)
  }

  /** Ends it behind the last answer although more came than that request. */
  private endInStages(): void {
    this.releaseInput()
    this.enter("ending")
    endInStages(this.socket, this.deps.limits.lingerMs)
  }

  private waitForDrain(): void {
    this.enter("unread")
    this.socket.once("drain", () => {
      if (this.state === "unread") this.nextRequest()
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
    // Whose request is with the intake still gets the answer.
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

  /** Closes it behind what is written; who does not take that is cut off after a while. */
  private endAfterWrites(): void {
    if (this.state === "left") return
    this.releaseInput()
    this.enter("ending")
    this.socket.destroySoon()
  }

  /** From here on nothing that comes is heeded, and no answer is written. */
  private detach(): void {
    if (this.state === "left") return
    this.releaseInput()
    this.state = "left"
    this.onDetached(this)
  }

  /** Releases what was read and not handed on. */
  private releaseInput(): void {
    this.body?.abandon()
    this.body = null
    this.dropDeferred()
  }
}
