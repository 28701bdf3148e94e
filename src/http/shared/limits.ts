/** Limits of the HTTP server, each with its reason. All are finite, and none may be 0. */

import {
  bodyBytesDefault,
  bodyTimeoutMs,
  headersTimeoutMs,
  jsonDepthMax,
} from "../../base/limits.ts"

export interface HttpLimits {
  /** Bytes of an ingest body, both as sent and after decompression; a larger one gets 413. */
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
  /** Interval of the checks of the two timeouts above. */
  readonly timeoutCheckMs: number
  readonly keepAliveTimeoutMs: number
  /** A client that reads no byte of its response for this time is cut off. */
  readonly stallTimeoutMs: number
  readonly connectionsMax: number
  /** Connections that wait to be accepted; the system may allow fewer (net.core.somaxconn). */
  readonly backlog: number
  /**
   * The rest of a refused upload is read and dropped for this time, so that the client can read the
   * response.
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
  // The same as for a body. A response of 100 MB stays in memory until it is read.
  stallTimeoutMs: bodyTimeoutMs,
  connectionsMax: 10_000,
  // With node's 511, a fleet that connects simultaneously is dropped and retries after a second.
  backlog: 4_096,
  lingerMs: 1_000,
  lingerBytesMax: 64 * 1024 * 1024,
}
