/** Messages about an incident, as it keeps them: the last ones, oldest first. */

import { incidentMessagesMax } from "../../base/limits/records.ts"
import type { IncidentMessage } from "../../model/records/delivery.ts"
import type { Incident, OpenIncident } from "../../model/records/incident.ts"
import type { NotificationMessage } from "../../model/records/notification-message.ts"

/** The incident with more messages. `notifiedMs`: of notifications that were sent before. */
export function withMessages(
  incident: Incident,
  messages: readonly NotificationMessage[],
  notifiedMs: OpenIncident["notifiedMs"],
): Incident {
  if (messages.length === 0) return incident
  const more = messages.map(({ id, notificationId, payloadType, timeMs }): IncidentMessage => {
    const isFirst = notifiedMs[String(notificationId)] === undefined
    const step = payloadType === "event_cleared" ? "cleared" : isFirst ? "fired" : "repeated"
    return { id, notificationId, timeMs, step }
  })
  const all = [...(incident.messages ?? []), ...more]
  return { ...incident, messages: all.slice(-incidentMessagesMax) }
}

/** Ids of the messages that an incident had and has no more. */
export function droppedMessages(before: Incident, after: Incident): readonly string[] {
  const kept = new Set(after.messages?.map(({ id }) => id))
  return (before.messages ?? []).map(({ id }) => id).filter((id) => !kept.has(id))
}
