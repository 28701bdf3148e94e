/**
 * Replies: writes an answer to a node:http response, also before its request was read to the end.
 */

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Readable } from "node:stream"
import type { ErrorResponse } from "./errors.ts"

const jsonType = "application/json"

/**
 * On every answer: a browser neither takes JSON for a page or script, nor keeps on disk what was
 * answered to someone who had to sign in.
 */
export const answerHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
}

/** The same as lines of a head. */
export const answerHeaderLines = Object.entries(answerHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("")

/**
 * Sends an answer on a connection that goes on. What is left of the body is read and dropped by
 * node.
 */
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
 * Sends an answer and closes the connection. Closing a socket with unread input resets it, and the
 * reset may overtake the answer; so the whole answer is written first, then the rest of the upload
 * is read and thrown away for a while, and only then is the response ended.
 */
export function replyAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, limits }: { answer: ErrorResponse; limits: LingerLimits },
): void {
  if (response.destroyed) return
  const bytes = Buffer.from(JSON.stringify(answer.body))
  response.writeHead(answer.status, { ...headersFor(answer, bytes), Connection: "close" })
  // A client that waits for "100 Continue" sends no body now.
  if (request.complete || request.headers.expect !== undefined) {
    response.end(bytes)
    return
  }
  response.write(bytes)
  linger(request, limits, () => response.end())
}

/** Reads and drops what still comes, then calls `done` once. */
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
 * Ends a connection in stages (RFC 9112 §9.6): what is written goes out, then what still comes is
 * read and dropped until the client ends its side, `lingerMs` at most.
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
