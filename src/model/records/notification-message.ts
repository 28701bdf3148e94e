/** Notices: what a notification is to tell somebody, decided and not yet sent. */

import type { ElementEvent } from "./event.ts"

export const payloadTypes = ["event", "event_cleared"] as const
export type PayloadType = (typeof payloadTypes)[number]

export interface NotificationMessage {
  /** The same for the same event, notification and payload, so that a repeat is known as one. */
  readonly id: string
  readonly tenant: number
  readonly notificationId: number
  readonly payloadType: PayloadType
  /** A policy's, with the policy and the element as they were; the last one where it is over. */
  readonly event: ElementEvent
  /** When it was decided: the cycle's end, or the moment. */
  readonly timeMs: number
}
