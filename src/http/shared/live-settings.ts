/** Settings of the HTTP layer that may change while requests are served. */

/** Clients that may read the server's own metrics without credentials. */
export type MetricsAccess = "local" | "user" | "all"

/** Requests that the access log has: none, those with a status of 400 or more, or all. */
export type LoggedRequests = "off" | "errors" | "all"

export interface LiveSettings {
  /** Bytes of an ingest body, both as sent and after decompression; a larger one gets 413. */
  bodyBytesMax: number
  metricsAccess: MetricsAccess
  /** Time for which browsers must use https only; null: responses do not say. */
  hstsMs: number | null
  accessLog: LoggedRequests
  /** CIDR ranges of proxies whose X-Forwarded-For counts. */
  trustedProxies: readonly string[]
  /** Public address of the server; null if it is not set. */
  baseUrl: string | null
}

/** The value of Strict-Transport-Security; null without one. */
export function hstsValue({ hstsMs }: Pick<LiveSettings, "hstsMs">): string | null {
  return hstsMs === null ? null : `max-age=${Math.floor(hstsMs / 1000)}`
}
