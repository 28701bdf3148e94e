/** What is said at the start of a server that can be reached from other machines. */

/**
 * A warning if `address` is not one of this machine alone and no proxy with TLS stands before it:
 * then passwords and API keys cross the network in clear. Null if there is nothing to warn of.
 */
export function exposureWarning(address: string, baseUrl: string | null): string | null {
  const isLoopback = address === "::1" || /^(?:::ffff:)?127\./.test(address)
  if (isLoopback || baseUrl?.startsWith("https:") === true) return null
  return (
    `Listening on ${address} without TLS: passwords and API keys can be read on the way. ` +
    `Put a proxy with TLS before it and name its address with --base-url https://…, ` +
    `or listen on 127.0.0.1`
  )
}
