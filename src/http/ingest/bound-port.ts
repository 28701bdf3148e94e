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
  /** Releases the port; must not be called after an HTTP server has taken it over. */
  close(): Promise<void>
}

/**
 * Listens on `port` of `host`; port 0 lets the system choose. Until an HTTP server takes over, each
 * connection is answered 503. Throws `invalid` with one sentence that names the setting to change.
 */
export function bindPort(
  { port, host }: { readonly port: number; readonly host: string },
  clock: Clock,
  tls: TlsAcceptor | null = null,
): Promise<BoundPort> {
  const answer = (socket: Socket): void => answerStarting(socket, clock)
  if (tls !== null) tls.onSecure = answer
  const listener = createServer((socket) => (tls === null ? answer(socket) : tls.accept(socket)))
  listener.maxConnections = defaultHttpLimits.connectionsMax
  const close = (): Promise<void> => new Promise((resolve) => listener.close(() => resolve()))
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(bindError(error, { port, host }))
    listener.once("error", refuse)
    listener.listen({ port, host, backlog: defaultHttpLimits.backlog }, () => {
      listener.off("error", refuse)
      resolve({ address: listener.address() as AddressInfo, listener, tls, close })
    })
  })
}

/** Responds 503 to any input, without reading it. */
function answerStarting(socket: Socket, clock: Clock): void {
  socket.on("error", () => socket.destroy())
  socket.setTimeout(defaultHttpLimits.lingerMs, () => socket.destroy())
  // With unread bytes the system would reset the connection before the response arrives.
  socket.resume()
  const { status, body } = notReadyResponse(
    ["The server is starting; nothing was stored"],
    clock.nowMs(),
  )
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
}

/** The error for an address that cannot be bound. */
export function bindError(
  cause: NodeJS.ErrnoException,
  { port, host, portFlag = "--port" }: BindAddress,
): ServiceError {
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
