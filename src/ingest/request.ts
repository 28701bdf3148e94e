/** How a body was declared to be written; `none` where its Content-Type names no charset. */
export type Charset = "none" | "utf-8" | "utf-16" | "iso-8859-1"

/** What is read beside the body itself. */
export interface IngestRequest {
  /** Index of the tenant whose API key was sent. */
  readonly tenant: number
  /** INJECT_TIMESTAMP: the server's time replaces whatever timestamp a sample has. */
  readonly injectTimestamp: boolean
  readonly charset: Charset
  /** True if the sender wants to know which samples were left out. */
  readonly reportsLeftOut: boolean
  /** True if the body may be collectd's own JSON. */
  readonly isCollectd?: boolean
  /** The server's time, epoch milliseconds. */
  readonly nowMs: number
}

/** Instants that are accepted, both ends included (spec/time §3). Epoch milliseconds. */
export interface AcceptedPeriod {
  readonly oldestMs: number
  readonly newestMs: number
}
