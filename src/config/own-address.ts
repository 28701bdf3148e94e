/** The address under which people reach the server's pages, for links in texts. */

export interface AddressSettings {
  /** Public address; null if it is not set. */
  readonly baseUrl: string | null
  readonly host: string
  readonly port: number
  readonly tlsCertPath: string | null
}

/** Hosts that mean "every interface": a browser on the same machine reaches the server at this one. */
const everyInterface = new Set(["0.0.0.0", "::", "[::]"])

/** Without a last slash: `--base-url`, otherwise host and port as they are set. */
export function ownAddress({ baseUrl, host, port, tlsCertPath }: AddressSettings): string {
  if (baseUrl !== null) return baseUrl.replace(/\/+$/, "")
  const name = everyInterface.has(host) ? "127.0.0.1" : host
  const bracketed = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name
  return `${tlsCertPath === null ? "http" : "https"}://${bracketed}:${port}`
}
