/** Detects requests from this machine that did not pass a proxy. */

import { isIP } from "node:net"
import type { IncomingMessage } from "node:http"

/** Headers that proxies add: behind a local proxy every request seems to come from this machine. */
const proxyHeaders = /^(?:forwarded|via|x-real-ip|x-forwarded-[a-z-]+|true-client-ip|cf-.+)$/

/** The part of a request that is checked. */
export type RequestSource = Pick<IncomingMessage, "headers" | "httpVersion"> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * True for a client on this machine whose `Host` is an IP address or `localhost`. Another name may
 * belong to a site whose page made a local browser send the request (DNS rebinding). HTTP/1.0 is
 * refused because nginx speaks it by default to servers behind it, without a header of its own;
 * collectors speak 1.1.
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
