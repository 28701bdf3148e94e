/** Addresses of pages: `path?query` below /app/, matched with patterns such as `elements/:fqn`. */

export interface Address {
  /** Decoded parts of the path. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

/** Reads an address; parts with broken percent signs stay as they are written. */
export function parseAddress(text: string): Address {
  const [path = "", ...query] = text.split("?")
  const segments = path.split("/").filter((part) => part !== "")
  return { segments: segments.map(decoded), query: new URLSearchParams(query.join("?")) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Prints an address. Names of elements may have any character, slashes too. */
export function printAddress(segments: readonly string[], query?: URLSearchParams): string {
  const path = segments.map((part) => encodeURIComponent(part)).join("/")
  const text = query?.toString() ?? ""
  return text === "" ? path : `${path}?${text}`
}

/** The named parts of a path that fits the pattern, or null. `:name` matches one part. */
export function matchPattern(
  pattern: string,
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  const parts = pattern.split("/").filter((part) => part !== "")
  if (parts.length !== segments.length) return null
  const named: [string, string][] = []
  for (const [i, part] of parts.entries()) {
    const segment = segments[i]!
    if (part.startsWith(":")) named.push([part.slice(1), segment])
    else if (part !== segment) return null
  }
  return Object.fromEntries(named)
}
