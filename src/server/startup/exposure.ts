/** The warning of a server that other machines can reach without TLS. */

/**
 * The warning if `address` is not a loopback address and `baseUrl` names no TLS proxy: passwords
 * and API keys then cross the network in clear. Null if there is nothing to warn of.
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
