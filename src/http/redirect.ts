/**
 * Redirect: a second listener that answers every plain request with 308 and the https address.
 * Health endpoints are no exception: probes can ask the TLS port without checking its certificate,
 * and one rule leaves no path on which a password may cross the network in clear.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { bindError, isOfNetwork, socketError } from "./ingest/bound-port.ts"
import { defaultHttpLimits } from "./shared/limits.ts"
import { linger } from "./shared/reply.ts"
import { originForm } from "./shared/request-target.ts"

interface RedirectOptions {
  readonly host: string
  readonly port: number
  /** A socket that listens already, in place of host and port. */
  readonly descriptor?: number | null
  /** Where the server speaks TLS. */
  readonly tlsPort: number
  /** Public address of the server; null: the host that the client names. */
  readonly baseUrl: string | null
}

export interface Redirect {
  readonly port: number
  /** Changes the public address of the server for later requests. */
  setBaseUrl(baseUrl: string | null): void
  /** Closes the listener and its connections. */
  close(): Promise<void>
}

/** Each is answered immediately and closed. */
const connectionsMax = 1_000
const httpsPort = 443

/** Listens. Throws `invalid` with one sentence that names the setting to change. */
export function listenForRedirect(options: RedirectOptions): Promise<Redirect> {
  const { headersTimeoutMs, requestTimeoutMs, headerBytesMax, backlog } = defaultHttpLimits
  const limits = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    maxHeaderSize: headerBytesMax,
  }
  const { host, port, descriptor = null } = options
  const at = descriptor === null ? { host, port } : { fd: descriptor }
  let { baseUrl } = options
  const server = createServer(limits, (request, response) =>
    answer(request, response, { ...options, baseUrl }),
  )
  server.maxConnections = connectionsMax
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void =>
      reject(bindError(error, { port, host, portFlag: "--http-redirect", descriptor }))
    server.once("error", refuse)
    server.listen({ ...at, backlog }, () => {
      server.off("error", refuse)
      const address = server.address()
      if (!isOfNetwork(address)) {
        return void close(server).then(() => reject(socketError(descriptor!)))
      }
      resolve({
        port: address.port,
        setBaseUrl: (changed) => (baseUrl = changed),
        close: () => close(server),
      })
    })
  })
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: RedirectOptions,
): void {
  const location = locationOf(originForm(request.url ?? ""), request.headers.host, options)
  const headers = { Connection: "close", "Content-Length": 0 }
  if (location === null) response.writeHead(400, headers)
  else response.writeHead(308, { ...headers, Location: location })
  response.flushHeaders()
  // A body that is not read would reset the connection before the client reads the answer.
  if (request.complete) response.end()
  else linger(request, defaultHttpLimits, () => response.end())
}

/** A name or an IPv4 address, or an IPv6 one in brackets; with or without a port. */
const hostForm = /^([A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/** The address of a request over TLS; null if the request names no host or path. */
export function locationOf(
  url: string,
  host: string | undefined,
  { baseUrl, tlsPort }: Pick<RedirectOptions, "baseUrl" | "tlsPort">,
): string | null {
  if (!url.startsWith("/")) return null
  if (baseUrl?.startsWith("https:")) return `${new URL(baseUrl).origin}${url}`
  const name = hostForm.exec(host ?? "")?.[1]
  if (name === undefined) return null
  return `https://${name}${tlsPort === httpsPort ? "" : `:${tlsPort}`}${url}`
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
