/** The warning of a server that other machines can reach without TLS. */

import type { Config } from "../../config/config.ts"

/**
 * The warning if `address` is not a loopback address and neither this server nor a proxy
 * that `baseUrl` names speaks TLS: passwords
 * and API keys then cross the network in clear. Null if there is nothing to warn of.
 */
export function exposureWarning(
  address: string,
  { baseUrl, tlsCertPath }: Pick<Config, "baseUrl" | "tlsCertPath">,
): string | null {
  const isLoopback = address === "::1" || /^(?:::ffff:)?127\./.test(address)
  if (isLoopback || tlsCertPath !== null || baseUrl?.startsWith("https:") === true) return null
  return (
    `Listening on ${address} without TLS: passwords and API keys can be read on the way. ` +
    `Give a certificate with --tls-cert and --tls-key, or put a proxy with TLS before it and ` +
    `name its address with --base-url https://…, or listen on 127.0.0.1`
  )
}
