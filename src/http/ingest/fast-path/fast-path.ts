/**
 * Fast path: parses plain ingest posts from the socket itself, without node:http. A bare node:http
 * server costs 56 µs of CPU per 6 kB post (kernel included, one core), a bare socket 26 µs. This
 * difference was most of the cost of a fleet of agents.
 *
 *   socket ─► head ─► admission ─► body ─► ingest queue ─► response
 *     └─ anything else ─► node:http, for the rest of the connection, with all bytes read so far
 *
 * Everything that is not plain is left to node:http: other paths, chunks, codings, Expect,
 * pipelined requests, heads in several reads, and all malformed input.
 */

import type { Socket } from "node:net"
import { RawResponses } from "./raw-responses.ts"
import { FastPathConnection, type ConnectionDeps, type FastPathDeps } from "./connection.ts"

export class FastPath {
  private readonly deps: ConnectionDeps
  private readonly connections = new Set<FastPathConnection>()

  constructor(deps: FastPathDeps) {
    this.deps = {
      ...deps,
      responses: new RawResponses(deps.clock, deps.limits.keepAliveTimeoutMs, deps.live),
      sweepCount: 0,
    }
  }

  /** Accepts a new connection, from which nothing was read. */
  accept(socket: Socket): void {
    const connection = new FastPathConnection(socket, this.deps, (one) =>
      this.connections.delete(one),
    )
    this.connections.add(connection)
  }

  /** Ends connections that wait for too long; must be called every `timeoutCheckMs`. */
  sweep(): void {
    this.deps.sweepCount++
    for (const connection of this.connections) connection.enforceTimeouts()
  }

  /** Ends connections that wait for a request. */
  closeIdle(): void {
    for (const connection of this.connections) connection.closeIdle()
  }

  /** Destroys all connections. */
  closeAll(): void {
    for (const connection of this.connections) connection.destroy()
  }
}
