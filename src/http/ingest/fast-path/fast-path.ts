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
import { AnswerTexts } from "./raw-responses.ts"
import { LaneConnection } from "./connection.ts"
import type { LaneOptions, LaneParts } from "./deps.ts"

export class Lane {
  private readonly parts: LaneParts
  private readonly connections = new Set<LaneConnection>()

  constructor(options: LaneOptions) {
    this.parts = {
      ...options,
      texts: new AnswerTexts(options.clock, options.limits.keepAliveTimeoutMs),
      round: 0,
    }
  }

  /** A new connection, of which nothing was read. */
  take(socket: Socket): void {
    const connection = new LaneConnection(socket, this.parts, (one) => this.connections.delete(one))
    this.connections.add(connection)
  }

  /** Ends what waits for too long; to be called every `timeoutCheckMs`. */
  sweep(): void {
    this.parts.round++
    for (const connection of this.connections) connection.look()
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
