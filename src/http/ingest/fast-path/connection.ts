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
import type { Share } from "../../../engine/ingest-queue.ts"
import { Collected } from "../body-collector.ts"
import type { Answer } from "../../shared/errors.ts"
import { smallRestBytes } from "../ingest-route.ts"
import type { Admission, Asker } from "../ingest-route.ts"
import { endInStages, linger } from "../../shared/reply.ts"
import { HeadReader } from "./head.ts"
import type { LaneParts } from "./deps.ts"

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

export class LaneConnection implements Asker {
  private readonly socket: Socket
  private readonly parts: LaneParts
  private readonly head: HeadReader
  private state: State = "waiting"
  /** The round in which this state began, and bytes of the body that are still to come. */
  private sinceRound: number
  private rest = 0
  private collected: Collected | null = null
  private held: Buffer | null = null
  /** Where what is held counts: that of the last request that was admitted. */
  private share: Share | null = null
  private hasEnded = false
  private readonly onLeft: (connection: LaneConnection) => void
  private readonly onData = (bytes: Buffer): void => this.take(bytes)
  private readonly onEnd = (): void => this.end()
  private readonly onClose = (): void => this.leave()
  // What broke is followed by "close", and nobody is left to be told.
  private readonly onError = (): void => undefined

  /** `onLeft` is told once that the lane has nothing more to do with it. */
  constructor(socket: Socket, parts: LaneParts, onLeft: (connection: LaneConnection) => void) {
    this.socket = socket
    this.parts = parts
    this.onLeft = onLeft
    this.head = new HeadReader(parts.limits)
    this.sinceRound = parts.round
    socket.on("data", this.onData)
    socket.on("end", this.onEnd)
    socket.on("close", this.onClose)
    socket.on("error", this.onError)
  }

  accepted(body: string | null): void {
    this.answer(this.parts.texts.accepted(body, this.isLast))
  }

  refused(answer: Answer): void {
    this.answer(this.parts.texts.refused(answer, this.isLast))
  }

  /** Ends it where it waits for too long; called once a round. */
  look(): void {
    const { limits, round, tellLate } = this.parts
    const waitedMs = (round - this.sinceRound) * limits.timeoutCheckMs
    if (waitedMs <= this.waitMax()) return
    const isSilent = this.state === "waiting" && this.socket.bytesRead === 0
    if (this.state !== "body" && !isSilent) return this.destroy()
    this.forget()
    this.enter("ending")
    tellLate(this.socket)
  }

  closeIdle(): void {
    if (this.state === "waiting") this.finish()
  }

  destroy(): void {
    this.leave()
    this.socket.destroy()
  }

  private get isLast(): boolean {
    return this.head.isLast || this.hasEnded || this.parts.ingest.stopping
  }

  /** Milliseconds that it may be in its state. */
  private waitMax(): number {
    const { limits } = this.parts
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
    this.sinceRound = this.parts.round
  }

  private take(bytes: Buffer): void {
    switch (this.state) {
      case "waiting":
        return this.begin(bytes)
      case "body":
        return this.takeBody(bytes)
      case "dropping":
        return this.drop(bytes)
      case "answering":
      case "unread":
        return this.hold(bytes)
      default:
    }
  }

  private begin(bytes: Buffer): void {
    const { head } = this
    const { ingest, limits } = this.parts
    const isPlain = head.read(bytes) && bytes.length <= head.headBytes + head.bodyBytes
    if (!isPlain || head.bodyBytes > limits.bodyBytesMax || ingest.stopping) {
      return this.handOver(bytes)
    }
    let admission: Admission
    try {
      const { target, headers, bodyBytes } = head
      admission = ingest.admit({ target, headers, announcedBytes: bodyBytes })
    } catch (error) {
      return this.refuse(bytes, error)
    }
    this.enter("body")
    this.share = admission.share
    this.rest = head.bodyBytes
    this.collected = new Collected(ingest.bodyOptions(admission), (error, chunks, length) => {
      this.collected = null
      if (error !== null) return this.refuseBody(error)
      this.enter("answering")
      ingest.submit(admission, chunks, length, this)
    })
    this.takeBody(bytes.subarray(head.headBytes))
  }

  private takeBody(bytes: Buffer): void {
    const collected = this.collected!
    const isOver = bytes.length > this.rest
    const own = isOver ? bytes.subarray(0, this.rest) : bytes
    if (isOver) this.hold(bytes.subarray(this.rest))
    this.rest -= own.length
    if (own.length > 0) collected.add(own)
    if (this.rest === 0) collected.finish()
  }

  /** Refuses by the head alone. Where much is left to read, node:http does that. */
  private refuse(bytes: Buffer, error: unknown): void {
    if (this.head.bodyBytes > smallRestBytes || this.head.isLast) return this.handOver(bytes)
    const answer = this.parts.ingest.refusalOf(error, this.socket)
    this.enter("dropping")
    this.rest = this.head.bodyBytes
    this.socket.write(this.parts.texts.refused(answer, false))
    this.drop(bytes.subarray(this.head.headBytes))
  }

  private drop(bytes: Buffer): void {
    if (bytes.length > this.rest) this.hold(bytes.subarray(this.rest))
    this.rest -= Math.min(this.rest, bytes.length)
    if (this.rest === 0) this.next()
  }

  /** There was no room for the body, of which a part is still to come. */
  private refuseBody(error: unknown): void {
    const { ingest, texts, limits } = this.parts
    this.enter("lingering")
    this.dropHeld()
    this.socket.write(texts.refused(ingest.refusalOf(error), true))
    linger(this.socket, limits, () => this.finish())
  }

  private answer(text: string): void {
    if (this.state !== "answering") return
    const { isLast } = this
    this.socket.write(text)
    if (!isLast) this.next()
    else if (this.held === null) this.finish()
    else this.endUnread()
  }

  /** Answered: on to what was held, or to what comes. */
  private next(): void {
    if (this.socket.writableNeedDrain) return this.waitForReader()
    this.enter("waiting")
    const { held } = this
    if (held === null) return
    this.dropHeld()
    this.socket.resume()
    this.begin(held)
  }

  /** Ends it behind the last answer although more came than that request. */
  private endUnread(): void {
    this.forget()
    this.enter("ending")
    endInStages(this.socket, this.parts.limits.lingerMs)
  }

  private waitForReader(): void {
    this.enter("unread")
    this.socket.once("drain", () => {
      if (this.state === "unread") this.next()
    })
  }

  private hold(bytes: Buffer): void {
    this.socket.pause()
    if (this.share !== null && !this.share.hold(bytes.length)) return this.destroy()
    this.held = this.held === null ? bytes : Buffer.concat([this.held, bytes])
  }

  private dropHeld(): void {
    if (this.held !== null) this.share?.release(this.held.length)
    this.held = null
  }

  private end(): void {
    this.hasEnded = true
    // Whose request is with the intake still gets the answer.
    if (this.state !== "answering") this.finish()
  }

  private handOver(bytes: Buffer): void {
    const { socket, parts } = this
    this.leave()
    socket.off("data", this.onData)
    socket.off("end", this.onEnd)
    socket.off("close", this.onClose)
    socket.off("error", this.onError)
    socket.pause()
    socket.unshift(bytes)
    parts.handOver(socket)
    socket.resume()
  }

  /** Closes it behind what is written; who does not take that is cut off after a while. */
  private finish(): void {
    if (this.state === "left") return
    this.forget()
    this.enter("ending")
    this.socket.destroySoon()
  }

  /** From here on nothing that comes is heeded, and no answer is written. */
  private leave(): void {
    if (this.state === "left") return
    this.forget()
    this.state = "left"
    this.onLeft(this)
  }

  /** Releases what was read and not handed on. */
  private forget(): void {
    this.collected?.abandon()
    this.collected = null
    this.dropHeld()
  }
}
