/** What a lane is given, and what its connections share. */

import type { Socket } from "node:net"
import type { Clock } from "../../../base/clock.ts"
import type { IngestRoute } from "../ingest-route.ts"
import type { HttpLimits } from "../../shared/limits.ts"
import type { AnswerTexts } from "./raw-responses.ts"

export interface LaneOptions {
  readonly ingest: IngestRoute
  readonly limits: HttpLimits
  readonly clock: Clock
  /** Takes a connection over; what it gave so far can be read from it again. */
  readonly handOver: (socket: Socket) => void
  /** Answers a request that did not arrive in time, and ends its connection. */
  readonly tellLate: (socket: Socket) => void
}

/** What the connections of a lane share. */
export interface LaneParts extends LaneOptions {
  readonly texts: AnswerTexts
  /** Rounds of `Lane.sweep`: a clock that is read for free and never jumps. */
  round: number
}
