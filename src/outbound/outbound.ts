/**
 * Outbound: all HTTP calls of the server to addresses given by users.
 *
 * A name is resolved once a hop, all its addresses are checked, and the connection uses exactly
 * these addresses, without a second look-up: DNS rebinding has no effect. Connections are not
 * reused, and proxies of the environment are ignored.
 */

import { request as openHttp } from "node:http"
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http"
import { request as openHttps } from "node:https"
import type { LookupFunction } from "node:net"
import type { Delay } from "../base/async.ts"
import { invalid, ServiceError } from "../base/errors.ts"
import { isAllowed, type AllowedAddresses } from "./address-policy.ts"
import { hostOf, parseTarget, redactTarget } from "./url-target.ts"

interface OutboundDeps {
  /** All addresses of a host name; rejects if it has none. */
  readonly resolve: (host: string) => Promise<readonly string[]>
  readonly allowed: AllowedAddresses
  readonly delay: Delay
}

export interface OutboundLimits {
  /** Limit of the response's body. */
  readonly bytesMax: number
  /** From the resolution of the name to the last byte, redirects included. */
  readonly timeoutMs: number
}

export interface OutboundCall extends OutboundLimits {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface OutboundResponse {
  readonly status: number
  readonly bytes: Uint8Array
}

/** Downloads are redirected from a name to its storage: one or two hops. */
const redirectsMax = 3
/** Addresses of a name: large services have up to ten. */
const addressesMax = 32

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Headers that frame the request or name its host: the caller may not set them. */
const ownHeaders: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "proxy-connection",
  "keep-alive",
])

export class Outbound {
  private readonly deps: OutboundDeps

  constructor(deps: OutboundDeps) {
    this.deps = deps
  }

  /**
   * Makes one call. A GET follows up to `redirectsMax` redirects, each checked like the first
   * target; a POST follows none, since its body is meant for the named target only. Throws
   * `invalid`, with a message without path or query, for a forbidden or unreachable target and for
   * a response beyond a limit.
   */
  async call(call: OutboundCall): Promise<OutboundResponse> {
    const stop = new AbortController()
    const cancel = this.deps.delay(() => stop.abort(), call.timeoutMs)
    const timedOut = new Promise<never>((_, reject) => {
      stop.signal.addEventListener("abort", () =>
        reject(invalid(`${redactTarget(call.url)}: no answer within ${call.timeoutMs} ms`)),
      )
    })
    try {
      return await Promise.race([this.follow(call, stop.signal), timedOut])
    } finally {
      cancel()
      // Closes the connection if it is still open.
      stop.abort()
    }
  }

  private async follow(call: OutboundCall, signal: AbortSignal): Promise<OutboundResponse> {
    let url = call.url
    for (let hops = 0; ; hops++) {
      const target = parseTarget(url)
      const addresses = await this.addressesOf(target)
      signal.throwIfAborted()
      const response = await exchange(call, { target, addresses, signal, isFirst: hops === 0 })
      const status = response.statusCode!
      const location = response.headers.location
      const isRedirect = redirectStatuses.has(status) && location !== undefined
      if (call.method !== "GET" || !isRedirect) {
        return { status, bytes: await readBytes(response, call.bytesMax, redactTarget(url)) }
      }
      response.destroy()
      if (hops === redirectsMax) {
        throw invalid(`${redactTarget(call.url)}: expected at most ${redirectsMax} redirects`)
      }
      url = redirected(location, target)
    }
  }

  private async addressesOf(target: URL): Promise<readonly string[]> {
    const { host, isAddress } = hostOf(target)
    const found = isAddress ? [host] : await this.resolved(host)
    const forbidden = found.find((address) => !isAllowed(address, this.deps.allowed))
    if (forbidden !== undefined) {
      throw invalid(
        `${redactTarget(target.href)}: expected a public address; ` +
          "this one, or the one behind the name, is not (see --allow-private-addresses)",
      )
    }
    return found
  }

  private async resolved(host: string): Promise<readonly string[]> {
    let found: readonly string[] = []
    try {
      found = await this.deps.resolve(host)
    } catch (cause) {
      throw new ServiceError("invalid", `${host}: the name cannot be resolved`, { cause })
    }
    if (found.length === 0 || found.length > addressesMax) {
      throw invalid(`${host}: expected 1 to ${addressesMax} addresses, got ${found.length}`)
    }
    return found
  }
}

/** Downloads a URL. Throws `invalid` as `Outbound.call` does, and for any status but 200. */
export async function fetchPublic(
  url: string,
  { outbound, ...limits }: OutboundLimits & { readonly outbound: Outbound },
): Promise<Uint8Array> {
  const { status, bytes } = await outbound.call({ method: "GET", url, ...limits })
  if (status !== 200) throw invalid(`${redactTarget(url)}: expected the status 200, got ${status}`)
  return bytes
}

function redirected(location: string, from: URL): string {
  if (!URL.canParse(location, from.href)) {
    throw invalid(`${redactTarget(from.href)}: it redirects to what is no URL`)
  }
  const to = new URL(location, from.href)
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw invalid(`${redactTarget(from.href)}: it redirects from https to http`)
  }
  return to.href
}

interface Hop {
  readonly target: URL
  /** Checked addresses: the only ones to connect to. */
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
  /** The caller's headers may be credentials, so only the first hop gets them. */
  readonly isFirst: boolean
}

function exchange(call: OutboundCall, hop: Hop): Promise<IncomingMessage> {
  const { target, addresses, signal, isFirst } = hop
  const body = call.body === undefined ? undefined : Buffer.from(call.body)
  const options: RequestOptions = {
    method: call.method,
    agent: false,
    signal,
    lookup: fixedLookup(addresses),
    headers: {
      "user-agent": "tidegauge",
      // Compressed answers could inflate beyond the limit.
      "accept-encoding": "identity",
      ...(isFirst ? callerHeaders(call.headers ?? {}) : {}),
      ...(body === undefined ? {} : { "content-length": String(body.length) }),
      connection: "close",
    },
  }
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown) =>
      reject(new ServiceError("invalid", failureText(target, cause), { cause }))
    let opened: ClientRequest
    try {
      opened = (target.protocol === "https:" ? openHttps : openHttp)(target, options)
    } catch (cause) {
      // For example a header with a line break.
      return failed(cause)
    }
    opened.on("error", failed)
    opened.on("response", resolve)
    opened.end(body)
  })
}

function callerHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(own.filter(([name]) => !ownHeaders.has(name)))
}

/** A resolver that returns the checked addresses for any name. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
  return (_, options, callback) => {
    if (options.all === true) callback(null, all)
    else callback(null, all[0]!.address, all[0]!.family)
  }
}

function failureText(target: URL, cause: unknown): string {
  const { code, message, errors } = cause as NodeJS.ErrnoException & { errors?: unknown[] }
  const inner = errors?.[0] as NodeJS.ErrnoException | undefined
  return `${redactTarget(target.href)}: the call failed: ${code ?? inner?.code ?? message}`
}

/** Reads a body. Throws `invalid` as soon as it or Content-Length exceeds the limit. */
async function readBytes(
  response: IncomingMessage,
  bytesMax: number,
  from: string,
): Promise<Uint8Array> {
  const tooLarge = () => invalid(`${from}: expected at most ${bytesMax} bytes`)
  const announced = Number(response.headers["content-length"] ?? 0)
  const chunks: Buffer[] = []
  let size = 0
  try {
    if (announced > bytesMax) throw tooLarge()
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bytesMax) throw tooLarge()
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError("invalid", `${from}: the answer broke off`, { cause })
  } finally {
    response.destroy()
  }
}
