/** Bounds of the front door, each with its reason. All of them are finite; none may be 0. */

import {
  bodyBytesDefault,
  bodyTimeoutMs,
  headersTimeoutMs,
  jsonDepthMax,
} from "../../base/limits.ts"

export interface HttpLimits {
  /** Bytes of an ingest body, as sent and again after decompression; more is a 413. */
  readonly bodyBytesMax: number
  /** Bytes of the JSON body of a query. */
  readonly queryBodyBytesMax: number
  /** Nested arrays and objects in the JSON body of a query. */
  readonly queryBodyDepthMax: number
  /** Bytes of request line and headers together. */
  readonly headerBytesMax: number
  readonly headerCountMax: number
  /**
   * From the first byte of a request (or the opening of a connection) to the end of its headers.
   */
  readonly headersTimeoutMs: number
  /** From the first byte of a request to the last of its body. */
  readonly requestTimeoutMs: number
  /** How often the two above are looked at. */
  readonly timeoutCheckMs: number
  readonly keepAliveTimeoutMs: number
  /** A client that takes no byte of its answer for so long is cut off. */
  readonly stallTimeoutMs: number
  readonly connectionsMax: number
  /** Connections that wait to be accepted; the system may hold fewer (net.core.somaxconn). */
  readonly backlog: number
  /**
   * A refused upload is read on and thrown away for so long, so that the client gets to read the
   * answer.
   */
  readonly lingerMs: number
  readonly lingerBytesMax: number
}

export const defaultHttpLimits: HttpLimits = {
  bodyBytesMax: bodyBytesDefault,
  // 25,000 element ids, for POST /metrics/statistics.
  queryBodyBytesMax: 1024 * 1024,
  queryBodyDepthMax: jsonDepthMax,
  // Queries repeat parameters in the URL; 300 element ids fit.
  headerBytesMax: 16 * 1024,
  headerCountMax: 100,
  headersTimeoutMs,
  requestTimeoutMs: bodyTimeoutMs,
  timeoutCheckMs: 2_000,
  // Agents post every minute; a connection that survives until then saves a handshake.
  keepAliveTimeoutMs: 75_000,
  // As long as a body may take. An answer of 100 MB stays in memory until it is read.
  stallTimeoutMs: bodyTimeoutMs,
  connectionsMax: 10_000,
  // With node's 511, a fleet that connects at once is dropped and waits a second to try again.
  backlog: 4_096,
  lingerMs: 1_000,
  lingerBytesMax: 64 * 1024 * 1024,
}
