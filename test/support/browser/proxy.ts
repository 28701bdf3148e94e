/** A proxy in front of a server, as people put one there: below a path, or one that buffers. */

import { once } from "node:events"
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"

interface ProxyOptions {
  readonly port: number
  /** Where the server listens. */
  readonly target: string
  /** Is taken off each path; what is not below it gets 404. */
  readonly prefix?: string
  /** Sends nothing of an answer before it has all of it. */
  readonly isBuffering?: boolean
}

/** Listens; resolves to what ends it. */
export async function startProxy(options: ProxyOptions): Promise<() => void> {
  const server = createServer((from, to) => void pass(options, from, to))
  server.listen(options.port, "127.0.0.1")
  await once(server, "listening")
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

async function pass(
  { target, prefix = "", isBuffering = false }: ProxyOptions,
  from: IncomingMessage,
  to: ServerResponse,
): Promise<void> {
  const path = from.url ?? "/"
  if (!path.startsWith(`${prefix}/`)) return void to.writeHead(404).end("Not below the prefix")
  const { method = "GET", headers } = from
  const url = new URL(path.slice(prefix.length), target)
  const sent = request(url, { method, headers }, (answer) => {
    const head = () => to.writeHead(answer.statusCode!, answer.headers)
    if (!isBuffering) return void answer.pipe(head())
    // An answer that is cut off is none.
    buffer(answer).then(
      (body) => head().end(body),
      () => to.destroy(),
    )
  })
  sent.on("error", () => to.destroy())
  to.on("close", () => sent.destroy())
  from.pipe(sent)
}
