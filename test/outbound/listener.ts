/** An HTTP server on loopback that records its requests and counts its connections. */

import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface Listener {
  readonly port: number
  readonly received: Received[]
  /** Accepted connections, whether something was sent or not. */
  connections(): number
  close(): Promise<void>
}

/** `port` 0 takes any. */
export async function listen(
  answer: (received: Received) => Answer = () => ({ status: 200 }),
  { host = "127.0.0.1", port = 0 } = {},
): Promise<Listener> {
  const received: Received[] = []
  let count = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { method = "", url = "", headers } = request
      const one = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      const { status, headers: more = {}, body = "" } = answer(one)
      response.writeHead(status, more).end(body)
    })
  })
  server.on("connection", () => count++)
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function delay(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
