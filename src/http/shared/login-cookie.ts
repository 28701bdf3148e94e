/**
 * The login cookie. Its name has the first eight digits of the store's first account, because
 * several servers share one host name. `Secure` and the prefixes that browsers enforce are added if
 * the public address is https.
 */

import { parse, serialize } from "hono/utils/cookie"

export interface CookieAddress {
  /** Id of the first account. */
  readonly accountId: string
  /** Public address of the server; null if it is not set. */
  readonly baseUrl: string | null
  /** Whether the server speaks TLS. */
  readonly isSecure: boolean
}

/** The header that no other site can send without CORS, which this server does not speak. */
export const requestHeader = "X-Tidegauge-Request"

interface CookieShape {
  readonly name: string
  readonly path: string
  readonly secure: boolean
}

function shapeOf({ accountId, baseUrl, isSecure }: CookieAddress): CookieShape {
  const base = baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const path = base === null ? "/" : base.pathname
  const secure = base === null ? isSecure : base.protocol === "https:"
  const prefix = !secure ? "" : path === "/" ? "__Host-" : "__Secure-"
  return { name: `${prefix}tg_${accountId.replaceAll("-", "").slice(0, 8)}`, path, secure }
}

/** The token in a Cookie header, or null. */
export function loginToken(header: string | undefined, address: CookieAddress): string | null {
  if (header === undefined) return null
  const { name } = shapeOf(address)
  return parse(header, name)[name] ?? null
}

/** The Set-Cookie header of a session; `maxAgeMs` null: until the browser is closed. */
export function loginCookie(
  token: string,
  maxAgeMs: number | null,
  address: CookieAddress,
): string {
  return printed(token, maxAgeMs === null ? {} : { maxAge: Math.floor(maxAgeMs / 1000) }, address)
}

/** The Set-Cookie header that removes the cookie. */
export function removedCookie(address: CookieAddress): string {
  return printed("", { maxAge: 0 }, address)
}

function printed(token: string, age: { maxAge?: number }, address: CookieAddress): string {
  const { name, path, secure } = shapeOf(address)
  return serialize(name, token, { ...age, path, secure, httpOnly: true, sameSite: "Strict" })
}
