/**
 * Server: a node:http server with limits, the fast path in front of it, responses to malformed
 * requests, and a graceful shutdown.
 */

import { createServer as createHttpServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { assert } from "../base/assert.ts"
import type { Clock } from "../base/clock.ts"
import type { BoundPort } from "./ingest/bound-port.ts"
import type { NodeRequestHandler } from "./ingest/node-handler.ts"
import type { IngestRoute } from "./ingest/ingest-route.ts"
import { FastPath } from "./ingest/fast-path/fast-path.ts"
import type { HttpLimits } from "./shared/limits.ts"
import { MalformedRequests } from "./shared/malformed.ts"
import type { HttpSocket } from "./shared/malformed.ts"
import { endInStages } from "./shared/reply.ts"

export interface HttpServer {
  /**
   * Starts to accept on a port that is bound already, or on one that it binds itself (0 lets the
   * system choose); resolves with the address in use.
   */
  listen(at: BoundPort | { port: number; host: string }): Promise<AddressInfo>
  /**
   * Accepts nothing more, closes idle connections, lets requests in flight be answered for
   * `graceMs`, then closes what is left. Resolves when no connection is open.
   */
  close(graceMs: number): Promise<void>
}

export function createServer(options: {
  readonly nodeHandler: NodeRequestHandler
  readonly ingest: IngestRoute
  readonly limits: HttpLimits
  readonly clock: Clock
}): HttpServer {
  const { nodeHandler, ingest, limits, clock } = options
  const malformed = new MalformedRequests(clock, limits)
  const server = createHttpServer(serverOptions(limits), nodeHandler.handle)
  // node drops headers over the limit silently; one more lets the handler see the excess.
  server.maxHeadersCount = limits.headerCountMax + 1
  server.maxConnections = limits.connectionsMax
  // The nodeHandler decides by the headers whether the body is wanted, and then says so.
  server.on("checkContinue", nodeHandler.handle)
  server.on("checkExpectation", nodeHandler.handle)
  // Else node ends a connection without its answers as soon as the client ends its side.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.timeout = limits.stallTimeoutMs
  server.on("timeout", (socket) => cutWhereStalled(socket as HttpSocket, limits.stallTimeoutMs))
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    malformed.answer(error, socket as Socket),
  )
  const sockets = trackSockets(server)
  const respondTimeout = (socket: Socket) => malformed.answer(lateError, socket)
  const handOver = takeConnections(server, limits)
  const fastPath = new FastPath({ ingest, limits, clock, handOver, respondTimeout })
  server.on("connection", (socket) => fastPath.take(socket))
  const sweeping = setInterval(() => fastPath.sweep(), limits.timeoutCheckMs).unref()
  return {
    listen: (at) => {
      const { backlog } = limits
      return "listener" in at
        ? listen(server, (done) => server.listen(at.listener, backlog, done))
        : listen(server, (done) => server.listen({ ...at, backlog }, done))
    },
    close: (graceMs) => {
      clearInterval(sweeping)
      return close(server, { nodeHandler, fastPath, sockets, graceMs })
    },
  }
}

/** What node:http itself says of a request that does not arrive in time. */
const lateError = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

/**
 * Takes new connections away from node:http; what is returned gives it one of them, from which
 * bytes may have been read and put back.
 */
function takeConnections(server: Server, { lingerMs }: HttpLimits): (socket: Socket) => void {
  const [listener] = server.listeners("connection")
  assert(listener !== undefined, "Expected node:http to listen for connections")
  server.off("connection", listener as (socket: Socket) => void)
  return (socket) => {
    // By this node ends a connection behind its last answer.
    socket.destroySoon = () => endInStages(socket, lingerMs)
    listener.call(server, socket)
  }
}

function serverOptions(limits: HttpLimits) {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    noDelay: true,
    // The nodeHandler looks at the Host: node's own answer would not have our error shape.
    requireHostHeader: false,
  }
}

function trackSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  return sockets
}

function listen(server: Server, begin: (done: () => void) => void): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    begin(() => {
      server.off("error", reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

interface Closing {
  readonly nodeHandler: NodeRequestHandler
  readonly fastPath: FastPath
  readonly sockets: ReadonlySet<Socket>
  readonly graceMs: number
}

function close(
  server: Server,
  { nodeHandler, fastPath, sockets, graceMs }: Closing,
): Promise<void> {
  nodeHandler.stop()
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections()
      fastPath.closeAll()
    }, graceMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    fastPath.closeIdle()
    // node counts a connection that never said a word as busy until its headers time out.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
}

/**
 * Nothing was read or written for a while. A request whose answer is being made may take longer; a
 * client that does not read its answer, and a connection without a request, are done.
 */
function cutWhereStalled(socket: HttpSocket, stallTimeoutMs: number): void {
  const isAnswering = socket._httpMessage != null && socket.writableLength === 0
  if (isAnswering) socket.setTimeout(stallTimeoutMs)
  else socket.destroy()
}
