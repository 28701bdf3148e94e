/** External events as they are posted, in any format. */

import type { NameValue } from "../element.ts"
import type { EventLevel } from "./event-level.ts"

/** One event of a post that names its element. */
export interface PostedEvent {
  readonly timeMs: number
  /** False if the server gave the time. */
  readonly isTimed: boolean
  readonly elementFqn: string
  readonly level: EventLevel
  readonly type: string
  readonly title: string
  /** Null if none was sent. */
  readonly source: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly tags: readonly NameValue[]
}

export interface PostedEvents {
  /** Events in the body. */
  readonly received: number
  /** Those with a `data.elementId`; the others are accepted and not stored (spec/events §1). */
  readonly events: readonly PostedEvent[]
}
