/** Notification messages: decided and not sent yet. */

import type { ElementEvent } from "./event.ts"
import type { TenantIndex } from "../ids.ts"
import type { CloseReason } from "./incident.ts"

export const payloadTypes = ["event", "event_cleared"] as const
export type PayloadType = (typeof payloadTypes)[number]

export interface NotificationMessage {
  /** The same for the same event, notification and payload, so that a repetition is recognised. */
  readonly id: string
  readonly tenant: TenantIndex
  readonly notificationId: number
  /** Absent in messages of earlier versions, and of tests. */
  readonly incidentId?: string
  readonly payloadType: PayloadType
  /** Absent while the incident is open, and in messages of earlier versions. */
  readonly closeReason?: CloseReason
  /**
   * The event of a policy, with policy and element at that time; for a cleared incident, its last
   * one.
   */
  readonly event: ElementEvent
  /** When it was decided: the end of the cycle, or the current time. */
  readonly timeMs: number
}
