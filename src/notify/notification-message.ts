/** Notices that are told at once, beside those that policies decide (policy/alert-notifications.ts). */

import { uuidV3 } from "../base/uuid.ts"
import type { NotificationMessage, PayloadType } from "../model/records/notification-message.ts"

export type { NotificationMessage, PayloadType }

/** A namespace of our own (RFC 4122 §4.3). */
const messageNamespace = "7b0f6a52-6a1d-4b57-9d0c-3f2a8e5c1d44"

/** A notice under the id that follows from what it tells, so that a repeat is the same notice. */
export function createMessage(fields: Omit<NotificationMessage, "id">): NotificationMessage {
  const { event, notificationId, payloadType } = fields
  return { id: uuidV3(messageNamespace, `${event.id}/${notificationId}/${payloadType}`), ...fields }
}
