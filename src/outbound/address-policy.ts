/**
 * SSRF guard: which addresses the server may call. Users who may create notifications or name a
 * package's URL could otherwise make the server call machines that only it can reach: cloud
 * metadata, databases, routers. Only public unicast addresses are allowed, unless the operator
 * allows more.
 */

import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Addresses that may be called in addition to public ones: CIDR ranges, or all addresses. */
export type AllowedAddresses = "all" | readonly string[]

/** Ranges in one setting: more than a network has that notifications go to. */
const rangesMax = 64

/**
 * Allocated global unicast addresses (RFC 4291 §2.4, IANA). All others are not public: loopback,
 * local, mapped IPv4 (::ffff:0:0/96), compatible IPv4 (::/96), NAT64.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** Parses "all", or comma-separated CIDR ranges and addresses; undefined for anything else. */
export function parseAllowedAddresses(text: string): AllowedAddresses | undefined {
  const parts = text.split(",").map((part) => part.trim())
  if (parts.length === 1 && parts[0]!.toLowerCase() === "all") return "all"
  if (parts.length > rangesMax) return undefined
  const ranges = parts.map(rangeText)
  return ranges.some((range) => range === undefined) ? undefined : (ranges as string[])
}

/** Parses "none", or comma-separated CIDR ranges and addresses; undefined for anything else. */
export function parseAddressRanges(text: string): readonly string[] | undefined {
  if (text.trim().toLowerCase() === "none") return []
  const ranges = parseAllowedAddresses(text)
  return ranges === "all" ? undefined : ranges
}

/**
 * `address`: of a resolver or from a URL, without brackets.
 *
 * @example
 * const allowed = parseAllowedAddresses("10.1.0.0/16, 192.168.1.7")!
 * assert.ok(isAllowed("10.1.2.3", allowed))
 * assert.ok(!isAllowed("10.2.0.1", allowed))
 * assert.ok(isAllowed("93.184.216.34", allowed))
 */
export function isAllowed(address: string, allowed: AllowedAddresses): boolean {
  const parsed = parse(address)
  if (parsed === undefined) return false
  if (allowed === "all" || isPublic(parsed)) return true
  // A mapped address reaches the IPv4 machine, so the range that allows IPv4 allows it, too.
  const meant = unmapped(parsed)
  return allowed.some((range) => isWithin(meant, ipaddr.parseCIDR(range)))
}

function isPublic(address: Address): boolean {
  // 6to4, Teredo, documentation, benchmarks and the like have other ranges than "unicast".
  if (address.range() !== "unicast") return false
  return address.kind() === "ipv4" || isWithin(address, globalUnicast)
}

function isWithin(address: Address, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

function unmapped(address: Address): Address {
  if (address.kind() === "ipv4") return address
  const six = address as ipaddr.IPv6
  return six.isIPv4MappedAddress() ? six.toIPv4Address() : six
}

/** Four decimal parts or IPv6; short, octal and hexadecimal forms are ambiguous, and rejected. */
function parse(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}

function rangeText(text: string): string | undefined {
  const address = parse(text)
  if (address !== undefined) return `${text}/${address.kind() === "ipv4" ? 32 : 128}`
  const isRange = ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)
  return isRange ? text : undefined
}
