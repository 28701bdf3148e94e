/**
 * Trusted proxies: the address of the client of a request that came through proxies. Each proxy
 * adds the address that it was called from to X-Forwarded-For, so the last one that is not a
 * trusted proxy's is the client's; a client may have written all before it.
 *
 *   client 203.0.113.7 ─► proxy 10.0.0.2 ─► proxy 127.0.0.1 ─► server
 *   X-Forwarded-For: (anything), 203.0.113.7, 10.0.0.2
 */

import type { IncomingHttpHeaders } from "node:http"
import { BlockList, isIP } from "node:net"
import { forwardedAddressesMax } from "../../base/limits/proxies.ts"

/** The part of a request that its address follows from. */
export interface AddressSource {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

export class TrustedProxies {
  private readonly ranges: readonly string[]
  private readonly list = new BlockList()

  /** CIDR ranges, as the setting has them. */
  constructor(ranges: readonly string[]) {
    this.ranges = ranges
    for (const range of ranges) {
      const [address = "", bits = ""] = range.split("/")
      this.list.addSubnet(address, Number(bits), isIP(address) === 4 ? "ipv4" : "ipv6")
    }
  }

  /** This, or another one if the setting was reloaded. */
  with(ranges: readonly string[]): TrustedProxies {
    return ranges === this.ranges ? this : new TrustedProxies(ranges)
  }

  /** The address of the client; that of the connection if no trusted proxy says another. */
  clientOf({ headers, socket }: AddressSource): string | undefined {
    const { remoteAddress } = socket
    const forwarded = headers["x-forwarded-for"]
    if (forwarded === undefined || remoteAddress === undefined) return remoteAddress
    let client = plainAddress(remoteAddress) ?? remoteAddress
    const addresses = String(forwarded).split(",").slice(-forwardedAddressesMax)
    for (const text of addresses.reverse()) {
      if (!this.trusts(client)) return client
      const before = plainAddress(text.trim())
      // A text that is no address says nothing of those before it.
      if (before === null) return client
      client = before
    }
    return client
  }

  private trusts(address: string): boolean {
    const version = isIP(address)
    return version !== 0 && this.list.check(address, version === 4 ? "ipv4" : "ipv6")
  }
}

/** Without brackets and port, IPv4 also if it is mapped into IPv6; null if it is no address. */
function plainAddress(text: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1")
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  const address = mapped ?? bare
  return isIP(address) === 0 ? null : address
}
