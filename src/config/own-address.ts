/** The addresses under which a server is reached: by people, and from its own machine. */

import type { Config } from "./config.ts"

type ListenSettings = Pick<Config, "host" | "port" | "tlsCertPath">

/** Hosts that mean "every interface", with the one that this machine reaches. */
const ownHosts: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/** Public address for links in texts, without a last slash: `--base-url`, otherwise `localAddress`. */
export function ownAddress(settings: ListenSettings & Pick<Config, "baseUrl">): string {
  return settings.baseUrl?.replace(/\/+$/, "") ?? localAddress(settings)
}

/** Where a server with these settings is reached from its own machine, without a last slash. */
export function localAddress({ host, port, tlsCertPath }: ListenSettings): string {
  const name = ownHosts[host] ?? host
  const scheme = tlsCertPath === null ? "http" : "https"
  return `${scheme}://${name.includes(":") ? `[${name}]` : name}:${port}`
}
