/**
 * Send: writes the reply of a handler to its connection with backpressure, compressed if the client
 * accepts that. zlib compresses on libuv's threads, so a long body does not block the main thread.
 *
 *   parts of the body ─► [gzip or br] ─► connection
 *     each released to the answer memory when the next one is read: once it was accepted
 *
 * Replies bypass the web Response of Hono, which copies a long body and reads it as a stream: that
 * took a fifth of the main thread's time of a query.
 */

import type { ServerResponse } from "node:http"
import { pipeline } from "node:stream/promises"
import { constants, createBrotliCompress, createGzip } from "node:zlib"
import { parseAccept } from "hono/utils/accept"
import { isLoopbackRequest, type RequestSource } from "./is-loopback.ts"
import { answerHeaders } from "./reply.ts"

/** A body in parts: `take` yields them, `release` frees the rest at any time. */
export interface ResponseBody {
  readonly byteCount: number
  readonly partCount: number
  take(): Iterable<Uint8Array>
  release(): void
}

export interface OutgoingResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ResponseBody
}

export type ResponseCoding = "br" | "gzip"

/** In order of preference for clients that accept both equally. */
const codings: readonly ResponseCoding[] = ["br", "gzip"]
/**
 * Below this compression saves two packets at most, all of the first flight of a connection, for
 * 0.1 to 0.3 ms of CPU.
 */
const codedBytesMin = 4_096

/** The known coding that the client prefers; null if it accepts none. */
export function acceptedCoding(acceptEncoding: string | undefined): ResponseCoding | null {
  if (acceptEncoding === undefined) return null
  const accepted = parseAccept(acceptEncoding)
  const qualityOf = (coding: string): number | undefined =>
    accepted.find(({ type }) => type.toLowerCase() === coding)?.q
  const any = qualityOf("*") ?? 0
  let best: ResponseCoding | null = null
  let bestQuality = 0
  for (const coding of codings) {
    const quality = qualityOf(coding) ?? any
    if (quality > bestQuality) [best, bestQuality] = [coding, quality]
  }
  return best
}

/**
 * The coding of an answer to this request; null to send it as it is. To this machine bytes cost
 * less than compression, which would be a sixth of the CPU of statistics.
 */
export function codingFor(incoming: RequestSource): ResponseCoding | null {
  const accepted = acceptedCoding(incoming.headers["accept-encoding"])
  return accepted === null || isLoopbackRequest(incoming) ? null : accepted
}

/**
 * Sends a response; releases its body at the end, also if the client disconnects. `codingOf` is
 * called for a body that is long enough to be compressed.
 */
export async function sendResponse(
  outgoing: ServerResponse,
  { status, headers, body }: OutgoingResponse,
  codingOf: () => ResponseCoding | null,
): Promise<void> {
  const mayBeCoded = body.byteCount >= codedBytesMin
  const coding = mayBeCoded ? codingOf() : null
  const isCoded = coding !== null
  const isWhole = !isCoded && body.partCount === 1
  // A pipeline releases the body itself, and adds seven listeners of "close" to the three that the
  // response has: Node warns about more than ten.
  if (isWhole) outgoing.once("close", () => body.release())
  outgoing.writeHead(status, {
    ...answerHeaders,
    ...(mayBeCoded ? { Vary: "Accept-Encoding" } : {}),
    ...headers,
    ...(isCoded ? { "Content-Encoding": coding } : { "Content-Length": String(body.byteCount) }),
  })
  if (isWhole) {
    // Released when the response closes; a pipeline would cost 50 µs more.
    for (const part of body.take()) {
      outgoing.end(part)
      return
    }
  }
  // From an iterable the next part is taken when the last one has left: a stream reads ahead.
  try {
    if (isCoded) await pipeline(body.take(), compressor(coding), outgoing)
    else await pipeline(body.take(), outgoing)
  } catch {
    // The client disconnected or was cut off, so there is no response to send.
    outgoing.destroy()
  } finally {
    body.release()
  }
}

/**
 * Levels by what they cost (DECISIONS). A window of 256 KiB limits the memory of a slow connection,
 * as the 32 KiB of gzip do.
 */
function compressor(coding: ResponseCoding) {
  if (coding === "gzip") return createGzip({ level: 2 })
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } =
    constants
  return createBrotliCompress({
    params: {
      [BROTLI_PARAM_QUALITY]: 1,
      [BROTLI_PARAM_LGWIN]: 18,
      [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
    },
  })
}
