/** Replies: writes an error response with node:http, even before the request has been read. */

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Readable } from "node:stream"
import type { ErrorResponse } from "./errors.ts"

const jsonType = "application/json"

/**
 * Headers of every response: a browser neither interprets JSON as a page or script, nor stores the
 * data of a signed-in user on disk.
 */
export const answerHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
}

/** The same headers as lines of a head. */
export const answerHeaderLines = Object.entries(answerHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("")

/** Sends a response and keeps the connection; node reads and drops the rest of the body. */
export function reply(response: ServerResponse, answer: ErrorResponse): void {
  if (response.destroyed) return
  const bytes = Buffer.from(JSON.stringify(answer.body))
  response.writeHead(answer.status, headersFor(answer, bytes))
  response.end(bytes)
}

export interface LingerLimits {
  readonly lingerMs: number
  readonly lingerBytesMax: number
}

/**
 * Sends a response and closes the connection. Closing a socket with unread input resets it, and the
 * reset may overtake the response. So the whole response is written first, then the rest of the
 * upload is read and dropped within `limits`, and only then the response is ended.
 */
export function replyAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, limits }: { answer: ErrorResponse; limits: LingerLimits },
): void {
  if (response.destroyed) return
  const bytes = Buffer.from(JSON.stringify(answer.body))
  response.writeHead(answer.status, { ...headersFor(answer, bytes), Connection: "close" })
  // A client that waits for "100 Continue" sends no body after a refusal.
  if (request.complete || request.headers.expect !== undefined) {
    response.end(bytes)
    return
  }
  response.write(bytes)
  linger(request, limits, () => response.end())
}

/** Reads and drops input within `limits`, then calls `done` once. */
export function linger(request: Readable, limits: LingerLimits, done: () => void): void {
  const timer = setTimeout(finish, limits.lingerMs)
  let droppedBytes = 0
  function drop(chunk: Buffer): void {
    droppedBytes += chunk.length
    if (droppedBytes > limits.lingerBytesMax) finish()
  }
  function finish(): void {
    clearTimeout(timer)
    request.off("data", drop)
    request.off("close", finish)
    done()
  }
  request.on("data", drop)
  request.on("close", finish)
  request.resume()
}

/**
 * Ends a connection in stages (RFC 9112 §9.6): flushes pending writes, then reads and drops input
 * until the client ends its side, for at most `lingerMs`.
 */
export function endInStages(socket: Socket, lingerMs: number): void {
  if (socket.destroyed) return
  if (socket.readableEnded) {
    socket.end(() => socket.destroy())
    return
  }
  let timer: NodeJS.Timeout | undefined
  socket.once("close", () => clearTimeout(timer))
  socket.once("end", () => socket.end(() => socket.destroy()))
  socket.end(() => (timer = setTimeout(() => socket.destroy(), lingerMs)))
  socket.resume()
}

function headersFor(answer: ErrorResponse, bytes: Buffer): Record<string, string | number> {
  const own = { "Content-Type": jsonType, "Content-Length": bytes.length }
  return { ...answerHeaders, ...answer.headers, ...own }
}
