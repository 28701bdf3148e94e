/** Whether a request comes from this machine, without a proxy in between. */

import { isIP } from "node:net"
import type { IncomingMessage } from "node:http"

/** Headers that proxies add: behind one that runs here, every request seems to come from here. */
const proxyHeaders = /^(?:forwarded|via|x-real-ip|x-forwarded-[a-z-]+|true-client-ip|cf-.+)$/

/** What is looked at of a request. */
export type RequestSource = Pick<IncomingMessage, "headers" | "httpVersion"> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * True for a client on this machine that named an IP address or `localhost` as the host. Another
 * name in `Host` may be one of a site whose page made a browser here send the request (DNS
 * rebinding). HTTP/1.0 is what nginx speaks to a server behind it unless set otherwise, without any
 * header of its own; collectors speak 1.1.
 */
export function isLoopbackRequest(request: RequestSource | undefined): boolean {
  if (request === undefined || request.httpVersion === "1.0") return false
  const address = request.socket.remoteAddress ?? ""
  const isLoopback = address === "::1" || /^(?:::ffff:)?127\./.test(address)
  if (!isLoopback || !isLoopbackHost(request.headers.host ?? "")) return false
  return Object.keys(request.headers).every((name) => !proxyHeaders.test(name))
}

/** An IP literal or `localhost`, with or without a port. */
function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, "")
  if (name.startsWith("[") && name.endsWith("]")) return isIP(name.slice(1, -1)) === 6
  return isIP(name) === 4 || name.toLowerCase() === "localhost"
}
