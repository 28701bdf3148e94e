/**
 * Bodies: collects what arrives without copying, counted as it comes, with an end that is always
 * told.
 *
 *   request ─► (inflate) ─► chunks ─► done(null, chunks, length)
 *                              └─ over a bound, broken, out of room ─► done(error)
 *                              └─ the client went away ─► nothing; what was held is released
 */

import { ServiceError } from "../../base/errors.ts"
import type { UploadAnnouncement } from "../../engine/ingest-queue.ts"
import { UnreadableBody } from "../shared/errors.ts"
import { createInflate } from "./inflate.ts"
import type { RequestCoding } from "./ingest-request.ts"
import type { IncomingMessage } from "node:http"

/** Where bytes are counted while they are in memory (the intake). */
export interface ByteBudget {
  reserve(bytes: number): boolean
  release(bytes: number): void
}

export interface BodyOptions {
  readonly coding: RequestCoding | null
  /** Bound on the bytes that are sent, and again on what they inflate to. */
  readonly bytesMax: number
  readonly budget: ByteBudget
  /** What was announced of the body, where it is large. */
  readonly announcement: UploadAnnouncement | null
  /** Held for the request beside its body; released with it where the body fails. */
  readonly overheadBytes: number
}

/**
 * Told once, never after the client went away. Where `error` is null, `overheadBytes` and `length`
 * bytes stay held and are the caller's to release; else nothing is held any more.
 */
export type BodyDone = (error: unknown, chunks: Buffer[], length: number) => void

/** Memory of one zlib or brotli decoder: its window and its output chunk, rounded up. */
const inflateOverheadBytes = 128 * 1024

/** Reads the body of `request`, whose overhead is held already. */
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
 * What a chunk costs beside its bytes: else a body sent byte by byte would take two hundred times
 * the memory that is counted for it.
 */
const chunkOverheadBytes = 192

/** The chunks of one body, and the one place that knows whether its end was told. */
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

  /** Nobody waits for an answer any more. */
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

/** A short piece in a long buffer would hold memory that nobody counts. */
function compact(chunk: Buffer): Buffer {
  return chunk.length * 2 < chunk.buffer.byteLength ? Buffer.from(chunk) : chunk
}

/** The body is larger than an ingest body may be. */
export function bodyTooLarge(bytesMax: number): ServiceError {
  return new ServiceError("tooLarge", `Expected a body of at most ${bytesMax} bytes`)
}

/**
 * The intake holds as much as it may. One object for all: it is never logged, and to capture its
 * stack would make refusing a request under a flood dearer than taking one (30 against 12 µs).
 */
export const queueFull = new ServiceError(
  "overloaded",
  "The intake queue is full; nothing was stored",
  { retryAfterSeconds: 1 },
)

/** The key's own requests fill the queue; what others send is still taken. */
export const quotaExceeded = new ServiceError(
  "throttled",
  "The requests of this API key hold their share of the intake queue; nothing was stored",
  { retryAfterSeconds: 1 },
)
