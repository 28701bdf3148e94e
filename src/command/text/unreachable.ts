/** The reason why a server cannot be reached, for messages of client commands. */

interface Cause {
  readonly code?: unknown
  readonly address?: unknown
  readonly port?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  /** Of an AggregateError: one for each address that was tried. */
  readonly errors?: readonly unknown[]
}

/** Depth of causes that are followed; fetch nests two. */
const depthMax = 5

/**
 * The innermost cause of what `fetch` threw, such as "ECONNREFUSED 127.0.0.1:8080": the error
 * itself says no more than "fetch failed".
 */
export function unreachableCause(error: unknown): string {
  let current = error as Cause
  for (let depth = 0; depth < depthMax; depth++) {
    const next = current.errors?.[0] ?? current.cause
    if (typeof next !== "object" || next === null) break
    current = next
  }
  const { code, address, port, message } = current
  if (typeof code !== "string") return String(message ?? error)
  if (address !== undefined) return `${code} ${hostOf(String(address))}:${String(port)}`
  return message === undefined || message === "" ? code : `${code}: ${String(message)}`
}

function hostOf(address: string): string {
  return address.includes(":") ? `[${address}]` : address
}
