/**
 * Address groups: which clients throttling treats as one. An IPv4 address is a group of its own;
 * IPv6 addresses are grouped by their first 64 bits, because one customer has at least a /64
 * (RFC 6177).
 */

/** The group of requests without a socket. */
const noAddress = "none"

/**
 * The group of a socket's remote address: IPv4 unchanged, also if mapped into IPv6; IPv6 as four
 * groups of hexadecimal digits and `::/64`. Never throws.
 */
export function addressGroup(address: string | undefined): string {
  if (address === undefined || address === "") return noAddress
  if (!address.includes(":")) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  const [head = "", tail] = address.replace(/%.*$/, "").split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right]
  const first = groups.slice(0, 4).map((group) => (Number.parseInt(group, 16) || 0).toString(16))
  return `${first.join(":")}::/64`
}
