/** The message that a test of a notification sends. */

import { uuidV3 } from "../base/uuid.ts"
import type { ElementEvent } from "../model/records/event.ts"
import type { NotificationMessage } from "../model/records/notification-message.ts"
import { defaultPolicy, type Policy } from "../model/records/policy.ts"
import type { TenantIndex } from "../model/ids.ts"

/** A namespace of our own (RFC 4122 §4.3). */
const messageNamespace = "7b0f6a52-6a1d-4b57-9d0c-3f2a8e5c1d44"

/** A message with an id computed from its event, notification and payload type. */
export function createMessage(fields: Omit<NotificationMessage, "id">): NotificationMessage {
  const { event, notificationId, payloadType } = fields
  return { id: uuidV3(messageNamespace, `${event.id}/${notificationId}/${payloadType}`), ...fields }
}

export const examplePolicy: Policy = {
  ...defaultPolicy,
  name: "Test of a notification",
  description: "Sent because a test was requested",
}

/** The message of a test: an event of the example policy with the id `eventId`. */
export function exampleMessage(
  tenant: TenantIndex,
  eventId: string,
  timeMs: number,
): NotificationMessage {
  const event = exampleEvent(eventId, timeMs)
  return createMessage({ tenant, notificationId: 0, payloadType: "event", timeMs, event })
}

function exampleEvent(id: string, timeMs: number): ElementEvent {
  const expression = "This is a test: nothing is wrong with any element."
  const results = { violating: true, conditions: [{ id: "0", violating: true, expression }] }
  return {
    id,
    timeMs,
    processedMs: timeMs,
    elementFqn: "test-element",
    elementId: id,
    level: "INFO",
    type: null,
    title: null,
    source: null,
    data: { policyName: examplePolicy.name, metrics: [], results: JSON.stringify(results) },
    tags: [],
    isExternal: false,
    policy: { id, ...examplePolicy },
    element: { name: "Test element", type: "TEST", location: null, tags: [] },
  }
}
