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
import type { LiveSettings } from "./shared/live-settings.ts"
import { MalformedRequests } from "./shared/malformed.ts"
import type { HttpSocket } from "./shared/malformed.ts"
import { endInStages } from "./shared/reply.ts"
import type { RequestIds } from "./shared/request-ids.ts"
import type { TlsAcceptor } from "./shared/tls-acceptor.ts"

export interface HttpServer {
  /**
   * Starts to accept on a bound port, or binds a port itself (0 lets the system choose). Resolves
   * with the address in use.
   */
  listen(at: BoundPort | { port: number; host: string; tls?: TlsAcceptor }): Promise<AddressInfo>
  /**
   * Stops accepting, closes idle connections, waits up to `graceMs` for requests in flight, then
   * closes all other connections. Resolves when no connection is open.
   */
  close(graceMs: number): Promise<void>
}

export function createServer(options: {
  readonly nodeHandler: NodeRequestHandler
  readonly ingest: IngestRoute
  readonly limits: HttpLimits
  readonly live: Pick<LiveSettings, "hstsMs">
  readonly clock: Clock
  readonly requestIds: Pick<RequestIds, "of">
}): HttpServer {
  const { nodeHandler, limits } = options
  const malformed = new MalformedRequests(options, limits)
  const server = createHttpServer(serverOptions(limits), nodeHandler.handle)
  // node drops headers over the limit silently; one more lets the handler see the excess.
  server.maxHeadersCount = limits.headerCountMax + 1
  server.maxConnections = limits.connectionsMax
  // The handler decides by the headers whether it wants the body, and then sends 100 Continue.
  server.on("checkContinue", nodeHandler.handle)
  server.on("checkExpectation", nodeHandler.handle)
  // Otherwise node closes a connection without responses as soon as the client ends its side.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.timeout = limits.stallTimeoutMs
  server.on("timeout", (socket) => cutIfStalled(socket as HttpSocket, limits.stallTimeoutMs))
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    malformed.answer(error, socket as Socket),
  )
  const sockets = trackSockets(server)
  const respondTimeout = (socket: Socket) => malformed.answer(lateError, socket)
  const handOver = takeConnections(server, limits)
  const fastPath = new FastPath({ ...options, handOver, respondTimeout })
  let tls: TlsAcceptor | null = null
  const sweeps = setInterval(() => fastPath.sweep(), limits.timeoutCheckMs).unref()
  return {
    listen: (at) => {
      const { backlog } = limits
      tls = at.tls ?? null
      acceptConnections(server, tls, fastPath)
      if (!("listener" in at)) {
        return listen(server, (done) =>
          server.listen({ port: at.port, host: at.host, backlog }, done),
        )
      }
      const listening = listen(server, (done) => server.listen(at.listener, backlog, done))
      for (const socket of at.takeWaiting()) server.emit("connection", socket)
      return listening
    },
    // Until its end, connections that wait for too long are ended: none holds up the stop.
    close: (graceMs) =>
      close(server, { nodeHandler, fastPath, sockets, tls, graceMs }).finally(() =>
        clearInterval(sweeps),
      ),
  }
}

/** The error that node:http itself raises for a request that does not arrive in time. */
const lateError = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

/**
 * Detaches node:http from new connections. The function that it returns hands one over to
 * node:http, possibly after bytes were read from it and put back.
 */
function takeConnections(server: Server, { lingerMs }: HttpLimits): (socket: Socket) => void {
  const [listener] = server.listeners("connection")
  assert(listener !== undefined, "Expected node:http to listen for connections")
  server.off("connection", listener as (socket: Socket) => void)
  return (socket) => {
    // node calls this to end a connection after its last response.
    socket.destroySoon = () => endInStages(socket, lingerMs)
    listener.call(server, socket)
  }
}

/** The fast path sees text in either case: a TLS socket reads and writes like a plain one. */
function acceptConnections(server: Server, tls: TlsAcceptor | null, fastPath: FastPath): void {
  if (tls === null) {
    server.on("connection", (socket) => fastPath.accept(socket))
    return
  }
  tls.onSecure = (socket) => fastPath.accept(socket)
  server.on("connection", (socket) => tls.accept(socket))
}

function serverOptions(limits: HttpLimits) {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    noDelay: true,
    // The handler checks the Host: node's own response would not have our error shape.
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
  readonly tls: TlsAcceptor | null
  readonly graceMs: number
}

function close(
  server: Server,
  { nodeHandler, fastPath, sockets, tls, graceMs }: Closing,
): Promise<void> {
  nodeHandler.stop()
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections()
      fastPath.closeAll()
      tls?.closePending()
    }, graceMs)
    // The server does not count connections that another listener accepted for it.
    const closed = new Promise((done) => server.close(done))
    void Promise.all([closed, allClosed(sockets)]).then(() => {
      clearTimeout(timer)
      resolve()
    })
    fastPath.closeIdle()
    tls?.closePending()
    // node treats a connection that has sent nothing as busy until its headers time out.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
}

function allClosed(sockets: ReadonlySet<Socket>): Promise<unknown> {
  const closed = (socket: Socket): Promise<void> =>
    new Promise((resolve) => socket.once("close", () => resolve()))
  return Promise.all([...sockets].map(closed))
}

/**
 * Handles a socket without reads and writes for `stallTimeoutMs`. A request that is being processed
 * may take longer; a client that does not read its response, or sends no request, is cut off.
 */
function cutIfStalled(socket: HttpSocket, stallTimeoutMs: number): void {
  const isProcessing = socket._httpMessage != null && socket.writableLength === 0
  if (isProcessing) socket.setTimeout(stallTimeoutMs)
  else socket.destroy()
}
