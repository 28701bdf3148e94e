/** What a lane is given, and what its connections share. */

import type { Socket } from "node:net"
import type { Clock } from "../../../base/clock.ts"
import type { IngestRoute } from "../ingest-route.ts"
import type { HttpLimits } from "../../shared/limits.ts"
import type { RawResponses } from "./raw-responses.ts"

export interface FastPathDeps {
  readonly ingest: IngestRoute
  readonly limits: HttpLimits
  readonly clock: Clock
  /** Takes a connection over; what it gave so far can be read from it again. */
  readonly handOver: (socket: Socket) => void
  /** Answers a request that did not arrive in time, and ends its connection. */
  readonly respondTimeout: (socket: Socket) => void
}

/** What the connections of a lane share. */
export interface ConnectionDeps extends FastPathDeps {
  readonly responses: RawResponses
  /** Rounds of `Lane.sweep`: a clock that is read for free and never jumps. */
  sweepCount: number
}
