/**
 * Body collector: collects the chunks of a body without copying, counts their bytes as they arrive,
 * and calls `done` exactly once unless the client disconnects.
 *
 *   request ─► (inflate) ─► chunks ─► done(null, chunks, length)
 *                              └─ over a limit, corrupt, quota exceeded ─► done(error)
 *                              └─ client disconnected ─► nothing; reserved bytes are released
 */

import { ServiceError } from "../../base/errors.ts"
import type { UploadAnnouncement } from "../../engine/ingest-queue.ts"
import { UnreadableBody } from "../shared/errors.ts"
import { createInflate } from "./inflate.ts"
import type { RequestCoding } from "./ingest-request.ts"
import type { IncomingMessage } from "node:http"

/** Counts the bytes of requests while they are in memory. */
export interface ByteBudget {
  reserve(bytes: number): boolean
  release(bytes: number): void
}

export interface BodyOptions {
  readonly coding: RequestCoding | null
  /** Bound on the bytes that are sent, and again on what they inflate to. */
  readonly bytesMax: number
  readonly budget: ByteBudget
  /** Reservation for the announced length of a large body. */
  readonly announcement: UploadAnnouncement | null
  /** Bytes reserved for the request in addition to its body; released if the body fails. */
  readonly overheadBytes: number
}

/**
 * Called once, never after a disconnect. If `error` is null, `overheadBytes` plus `length` bytes
 * remain reserved and the caller releases them; otherwise all bytes have been released.
 */
export type BodyDone = (error: unknown, chunks: Buffer[], length: number) => void

/** Memory of one zlib or brotli decoder: its window and its output chunk, rounded up. */
const inflateOverheadBytes = 128 * 1024

/** Reads the body of `request`, whose overhead has been reserved. */
export function collectBody(request: IncomingMessage, options: BodyOptions, done: BodyDone): void {
  if (options.coding === null) collectPlain(request, options, done)
  else collectInflated(request, options.coding, { options, done })
}

function collectPlain(request: IncomingMessage, options: BodyOptions, done: BodyDone): void {
  const collected = new CollectedBody(options, done)
  request.on("data", (chunk: Buffer) => collected.add(chunk))
  request.on("end", () => collected.finish())
  request.on("close", () => collected.abandon())
}

/**
 * Memory of a chunk in addition to its bytes. Without it a body sent byte by byte would take two
 * hundred times the memory that is counted for it.
 */
const chunkOverheadBytes = 192

/** The chunks of one body; ensures that `done` is called at most once. */
export class CollectedBody {
  private readonly chunks: Buffer[] = []
  private length = 0
  private isDone = false
  private readonly options: BodyOptions
  private readonly done: BodyDone

  constructor(options: BodyOptions, done: BodyDone) {
    this.options = options
    this.done = done
  }

  add(chunk: Buffer): void {
    if (this.isDone) return
    const { bytesMax, budget } = this.options
    if (this.length + chunk.length > bytesMax) return this.fail(bodyTooLarge(bytesMax))
    if (!budget.reserve(chunk.length + chunkOverheadBytes)) return this.fail(queueFull)
    this.options.announcement?.received(chunk.length)
    this.length += chunk.length
    this.chunks.push(chunk)
  }

  finish(): void {
    if (this.isDone) return
    this.isDone = true
    this.options.announcement?.end()
    const overheadBytes = this.chunks.length * chunkOverheadBytes
    const isScattered = this.chunks.length > 1 && overheadBytes > this.length
    const chunks = isScattered ? [Buffer.concat(this.chunks)] : this.chunks
    this.options.budget.release(overheadBytes)
    this.done(null, chunks, this.length)
  }

  fail(error: unknown): void {
    if (this.isDone) return
    this.abandon()
    this.done(error, [], 0)
  }

  /** Releases everything without a call of `done`. */
  abandon(): void {
    if (this.isDone) return
    this.isDone = true
    this.options.announcement?.end()
    const chunkBytes = this.length + this.chunks.length * chunkOverheadBytes
    this.options.budget.release(chunkBytes + this.options.overheadBytes)
    this.chunks.length = 0
  }
}

function collectInflated(
  request: IncomingMessage,
  coding: RequestCoding,
  { options, done }: { options: BodyOptions; done: BodyDone },
): void {
  const { bytesMax, budget } = options
  if (!budget.reserve(inflateOverheadBytes)) {
    budget.release(options.overheadBytes)
    options.announcement?.end()
    return done(queueFull, [], 0)
  }
  const inflate = createInflate(coding)
  const stop = (): void => {
    request.unpipe(inflate)
    inflate.destroy()
  }
  const collected = new CollectedBody(options, (error, chunks, length) => {
    stop()
    done(error, chunks, length)
  })
  let sentBytes = 0
  request.on("data", (chunk: Buffer) => {
    sentBytes += chunk.length
    // Empty blocks inflate to nothing, so the output alone does not bound the input.
    if (sentBytes > bytesMax) collected.fail(bodyTooLarge(bytesMax))
  })
  request.on("close", () => {
    if (request.complete) return
    collected.abandon()
    stop()
  })
  inflate.on("data", (chunk: Buffer) => collected.add(compact(chunk)))
  inflate.on("end", () => collected.finish())
  inflate.on("error", (cause) => {
    const message = `Cannot inflate the ${coding} body: ${cause.message}`
    collected.fail(new UnreadableBody(message, { cause }))
  })
  inflate.on("close", () => budget.release(inflateOverheadBytes))
  request.pipe(inflate)
}

/** Copies a short chunk of a long buffer, which would retain memory that is not counted. */
function compact(chunk: Buffer): Buffer {
  return chunk.length * 2 < chunk.buffer.byteLength ? Buffer.from(chunk) : chunk
}

export function bodyTooLarge(bytesMax: number): ServiceError {
  return new ServiceError("tooLarge", `Expected a body of at most ${bytesMax} bytes`)
}

/**
 * The ingest queue is full. One object for all requests: it is never logged, and capturing a stack
 * would make refusing a request more expensive than accepting one (30 against 12 µs).
 */
export const queueFull = new ServiceError(
  "overloaded",
  "The intake queue is full; nothing was stored",
  { retryAfterSeconds: 1 },
)

/** The requests of one key use up its quota; requests with other keys are still accepted. */
export const quotaExceeded = new ServiceError(
  "throttled",
  "The requests of this API key hold their share of the intake queue; nothing was stored",
  { retryAfterSeconds: 1 },
)
