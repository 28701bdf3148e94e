/**
 * Origin: refuses cross-site requests of browsers (CSRF). Browsers add their credentials for this
 * server to such requests, Basic ones too, so without this check any page could act as its visitor.
 */

import { ServiceError } from "../../base/errors.ts"
import { shown } from "../../wire/problems.ts"

/** The headers that describe the page that caused a request; undefined if absent. */
export interface OriginHeaders {
  readonly site: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
}

/** The server's own origins. */
export interface OwnOrigin {
  /** Public address of the server; null if it is not set. */
  readonly baseUrl: string | null
  /** Whether the server speaks TLS: its own pages then have https origins only. */
  readonly isSecure: boolean
}

/**
 * Throws `forbidden` if the request comes from a page of another origin. A request with neither
 * header passes: collectors and scripts send none, and every browser in use since 2023 sends
 * `Sec-Fetch-Site` to trustworthy addresses and `Origin` with every POST.
 */
export function requireSameOrigin(headers: OriginHeaders, own: OwnOrigin): void {
  const { site, origin, host } = headers
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw foreign(`Sec-Fetch-Site: expected same-origin or none, got ${shown(site)}`)
  }
  if (origin === undefined || isSameOrigin(origin, host, own)) return
  const expected = "Origin: expected the Host of the request or the origin of --base-url"
  throw foreign(`${expected}, got ${shown(origin)}`)
}

/**
 * Without TLS of its own the scheme counts only for `--base-url`: a proxy that ends TLS leaves http
 * to the Host. With it, a page of the same host over http may be forged on the way.
 */
function isSameOrigin(
  origin: string,
  host: string | undefined,
  { baseUrl, isSecure }: OwnOrigin,
): boolean {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return false
  const sent = new URL(origin)
  if (baseUrl !== null && URL.canParse(baseUrl) && new URL(baseUrl).origin === sent.origin) {
    return true
  }
  if (isSecure && sent.protocol !== "https:") return false
  const own = `${sent.protocol}//${host ?? ""}`
  return URL.canParse(own) && new URL(own).host === sent.host
}

function foreign(problem: string): ServiceError {
  return new ServiceError("forbidden", `${problem}. Pages of other sites may not change anything`)
}
