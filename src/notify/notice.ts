/** Notices: what is to be told to one notification, and when an event is worth telling. */

import { uuidV3 } from "../base/uuid.ts"
import type { ElementEvent } from "../model/event.ts"
import type { NotificationAction } from "../model/policy.ts"

export type PayloadType = "event" | "event_cleared"

/** One thing to be told. The same id means the same thing, so a receiver may drop repeats. */
export interface Notice {
  readonly id: string
  readonly tenant: number
  /** The number of the notification record. */
  readonly notificationId: number
  readonly payloadType: PayloadType
  /** When it happened: of an event its time, of a clearing the end of the cycle that cleared. */
  readonly timeMs: number
  /** With its policy and what was known of its element; the last event where it cleared. */
  readonly event: ElementEvent
}

/** A notice under the id that follows from what it tells, so that a repeat is the same notice. */
export function noticeOf(fields: Omit<Notice, "id">): Notice {
  const { event, notificationId, payloadType } = fields
  return { id: uuidV3(noticeSpace, `${event.id}/${notificationId}/${payloadType}`), ...fields }
}

/** Events come once a cycle, so nothing can be told more often. */
const cycleMs = 300_000
/** A namespace of our own (RFC 4122 §4.3). */
const noticeSpace = "7b0f6a52-6a1d-4b57-9d0c-3f2a8e5c1d44"

/** Where an incident stands when an event of it was found. */
export interface IncidentMoment {
  /** Of its first event. */
  readonly firstMs: number
  /** Of the event before this one; null for the first. */
  readonly previousMs: number | null
  /** Of this event. */
  readonly eventMs: number
}

/**
 * Whether an action is to tell of an event: of the first of an incident, then whenever another
 * `notifyFrequencyMin` since the first has passed. Follows from the events alone, so that no
 * restart forgets or repeats one. The largest frequency, 2147483647, means never again.
 */
export function tellsEvent(action: NotificationAction, moment: IncidentMoment): boolean {
  const { firstMs, previousMs, eventMs } = moment
  if (!action.enabled) return false
  if (previousMs === null) return true
  const everyMs = Math.max(action.notifyFrequencyMin * 60_000, cycleMs)
  const rounds = (timeMs: number) => Math.floor((timeMs - firstMs) / everyMs)
  return rounds(eventMs) > rounds(previousMs)
}

/** Whether an action is to tell that an incident is over. */
export function tellsClear(action: NotificationAction): boolean {
  return action.enabled && action.sendOnClear
}
