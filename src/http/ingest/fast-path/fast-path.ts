/**
 * Lane: the short way of plain ingest posts, from the socket to the ingest route and back, beside
 * node:http. Of a 6 kB post a bare node:http server costs 56 µs of CPU (with the kernel's part, on
 * one core) and a bare socket 26; most of what a fleet of agents costs us was this difference.
 *
 *   socket ─► head ─► admission ─► body ─► intake ─► answer
 *     └─ anything else ─► node:http, for good: nothing was answered, no byte is lost
 *
 * Whatever is not plain is left to node:http with all its rules: other paths, chunks, codings,
 * Expect, several requests at once, heads in pieces, all that is malformed.
 */

import type { Socket } from "node:net"
import { RawResponses } from "./raw-responses.ts"
import { FastPathConnection } from "./connection.ts"
import type { FastPathDeps, ConnectionDeps } from "./deps.ts"

export class FastPath {
  private readonly parts: ConnectionDeps
  private readonly connections = new Set<FastPathConnection>()

  constructor(options: FastPathDeps) {
    this.parts = {
      ...options,
      responses: new RawResponses(options.clock, options.limits.keepAliveTimeoutMs),
      sweepCount: 0,
    }
  }

  /** A new connection, of which nothing was read. */
  take(socket: Socket): void {
    const connection = new FastPathConnection(socket, this.parts, (one) =>
      this.connections.delete(one),
    )
    this.connections.add(connection)
  }

  /** Ends what waits for too long; to be called every `timeoutCheckMs`. */
  sweep(): void {
    this.parts.sweepCount++
    for (const connection of this.connections) connection.enforceTimeouts()
  }

  /** Ends connections that wait for a request. */
  closeIdle(): void {
    for (const connection of this.connections) connection.closeIdle()
  }

  /** Ends all of them at once. */
  closeAll(): void {
    for (const connection of this.connections) connection.destroy()
  }
}
