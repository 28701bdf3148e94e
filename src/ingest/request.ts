/** The declared encoding of a body; `none` if its Content-Type names no charset. */

import type { TenantIndex } from "../model/ids.ts"

export const charsets = [
  "none",
  "utf-8",
  "utf-16",
  "iso-8859-1",
  "iso-8859-15",
  "windows-1252",
] as const
export type Charset = (typeof charsets)[number]

/** The parameters of a request besides its body. */
export interface IngestRequest {
  /** Index of the tenant whose API key was sent. */
  readonly tenant: TenantIndex
  /** INJECT_TIMESTAMP: the server's time replaces the timestamps of all samples. */
  readonly injectTimestamp: boolean
  readonly charset: Charset
  /** True if the client asks which samples were left out. */
  readonly reportsLeftOut: boolean
  /** True if the body may be collectd's own JSON. */
  readonly isCollectd?: boolean
  /** The server's time, epoch milliseconds. */
  readonly nowMs: number
}

/** Accepted timestamps, both ends inclusive (spec/time §3). Epoch milliseconds. */
export interface AcceptedPeriod {
  readonly oldestMs: number
  readonly newestMs: number
}
