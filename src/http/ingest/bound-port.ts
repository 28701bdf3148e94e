/**
 * Bound port: the address of the server, bound before anything else is opened or created. So a port
 * in use or an unknown host fails the start early; later, a first start would already have created
 * secrets and never shown them.
 */

import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import type { Clock } from "../../base/clock.ts"
import { invalid, type ServiceError } from "../../base/errors.ts"
import { DateHeader } from "../shared/date-header.ts"
import { notReadyResponse } from "../shared/errors.ts"
import { defaultHttpLimits } from "../shared/limits.ts"
import type { TlsAcceptor } from "../shared/tls-acceptor.ts"

export interface BoundPort {
  readonly address: AddressInfo
  /** `HttpServer.listen` takes it over; from then on the HTTP server closes it. */
  readonly listener: Server
  /** Null: plain HTTP. */
  readonly tls: TlsAcceptor | null
  /** Takes the connections to a passed socket that came before the HTTP server; nothing is read. */
  takeWaiting(): Socket[]
  /** Releases the port; must not be called after an HTTP server has taken it over. */
  close(): Promise<void>
}

export interface PortOptions {
  /** 0 lets the system choose. */
  readonly port: number
  readonly host: string
  /** A socket that listens already, in place of port and host. */
  readonly descriptor?: number | null
}

/**
 * Listens on a port, or on a socket that another process opened. Until an HTTP server takes over,
 * each connection to the port is answered 503. Those to a passed socket wait: such a socket is
 * there so that clients notice no restart. Throws `invalid` with one sentence that names what to
 * change.
 */
export function bindPort(
  { port, host, descriptor = null }: PortOptions,
  clock: Clock,
  tls: TlsAcceptor | null = null,
): Promise<BoundPort> {
  const waiting = new WaitingSockets()
  const answer = (socket: Socket): void => answerStarting(socket, clock)
  if (tls !== null) tls.onSecure = answer
  const respond = (socket: Socket): void => (tls === null ? answer(socket) : tls.accept(socket))
  // As node:http opens its own connections, which these become.
  const options = descriptor === null ? {} : { allowHalfOpen: true, noDelay: true }
  const listener = createServer(options, (socket) =>
    descriptor === null ? respond(socket) : waiting.add(socket),
  )
  listener.maxConnections = defaultHttpLimits.connectionsMax
  const takeWaiting = (): Socket[] => waiting.take()
  const close = (): Promise<void> => {
    for (const socket of waiting.take()) socket.destroy()
    return new Promise((resolve) => listener.close(() => resolve()))
  }
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void =>
      reject(bindError(error, { port, host, descriptor }))
    listener.once("error", refuse)
    const { backlog } = defaultHttpLimits
    const at = descriptor === null ? { port, host } : { fd: descriptor }
    listener.listen({ ...at, backlog }, () => {
      listener.off("error", refuse)
      const address = listener.address()
      if (isOfNetwork(address)) resolve({ address, listener, tls, takeWaiting, close })
      else void close().then(() => reject(socketError(descriptor!)))
    })
  })
}

/** Connections that wait for the HTTP server; their number is bounded by that of the listener. */
class WaitingSockets {
  private readonly sockets = new Set<Socket>()

  add(socket: Socket): void {
    this.sockets.add(socket)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => this.sockets.delete(socket))
  }

  take(): Socket[] {
    const taken = [...this.sockets]
    this.sockets.clear()
    return taken
  }
}

/** False for a Unix socket, whose connections have no address to count and limit by. */
export function isOfNetwork(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null
}

/** The error for a passed descriptor that is not a TCP socket. */
export function socketError(descriptor: number): ServiceError {
  return invalid(
    `LISTEN_FDS: descriptor ${descriptor} is no TCP socket; ` +
      "use ListenStream= with a port in the unit of the socket",
  )
}

/** The request is not read, so its own id is not known, and nothing is logged of it. */
const unreadId = "starting"

/** Responds 503 to any input, without reading it. */
function answerStarting(socket: Socket, clock: Clock): void {
  socket.on("error", () => socket.destroy())
  socket.setTimeout(defaultHttpLimits.lingerMs, () => socket.destroy())
  // With unread bytes the system would reset the connection before the response arrives.
  socket.resume()
  const { status, body } = notReadyResponse(["The server is starting; nothing was stored"], {
    nowMs: clock.nowMs(),
    requestId: unreadId,
  })
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} Service Unavailable`,
    `Date: ${new DateHeader(clock).value()}`,
    "Connection: close",
    "Retry-After: 1",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`)
}

export interface BindAddress {
  readonly port: number
  readonly host: string
  /** The setting of the port. */
  readonly portFlag?: string
  /** In place of both. */
  readonly descriptor?: number | null
}

/** The error for an address that cannot be bound. */
export function bindError(
  cause: NodeJS.ErrnoException,
  { port, host, portFlag = "--port", descriptor = null }: BindAddress,
): ServiceError {
  if (descriptor !== null) return socketError(descriptor)
  switch (cause.code) {
    case "EADDRINUSE":
      return invalid(`Port ${port} is in use; choose another with ${portFlag}`)
    case "EACCES":
      return invalid(`This user may not listen on port ${port}; choose another with ${portFlag}`)
    case "EADDRNOTAVAIL":
      return invalid(`This machine does not have the address "${host}"; choose another with --host`)
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return invalid(`The host name "${host}" has no known address; choose another with --host`)
    case "EAFNOSUPPORT":
    case "EINVAL":
      return invalid(`This machine cannot listen on "${host}"; choose another with --host`)
    default:
      return invalid(
        `Cannot listen on port ${port} of "${host}": ${cause.code ?? cause.message}; ` +
          `choose others with ${portFlag} and --host`,
      )
  }
}
