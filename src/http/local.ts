/** Whether a request comes from this machine, without anybody in between. */

import type { IncomingMessage } from "node:http"

/** Set by proxies: behind one that runs here, every request seems to come from here. */
const proxyHeaders = ["forwarded", "x-forwarded-for", "x-real-ip", "via"]

export function isLocal(request: IncomingMessage | undefined): boolean {
  if (request === undefined) return false
  const address = request.socket.remoteAddress ?? ""
  const isLoopback = address === "::1" || /^(?:::ffff:)?127\./.test(address)
  return isLoopback && proxyHeaders.every((name) => request.headers[name] === undefined)
}
