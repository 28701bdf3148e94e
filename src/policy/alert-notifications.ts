/**
 * Notifications of an incident (spec/policies §6): sent when it opens, again after
 * `notifyFrequencyMin` while it is open, and at its end if `sendOnClear` is set. They depend only
 * on the stored incident, so that a repetition after a crash decides the same.
 *
 * A muted policy sends and records no notification: an incident that is still open when
 * the mute ends is notified then. Only recipients of an incident are notified of its end.
 */

import { uuidV3 } from "../base/uuid.ts"
import type { OpenIncident } from "../model/records/incident.ts"
import type { NotificationMessage } from "../model/records/notification-message.ts"
import type { NotificationAction, Policy } from "../model/records/policy.ts"
import type { TenantIndex } from "../model/ids.ts"

/** The largest 32-bit integer means never again. */
const neverMinutes = 2 ** 31 - 1
const minuteMs = 60_000

export interface NotificationMoment {
  readonly tenant: TenantIndex
  /** The nominal time of the cycle's closing, or the moment of the event. */
  readonly nowMs: number
  readonly muted: boolean
}

/** Messages that are due for an incident that fired, and the incident with their times. */
export function notifyFired(
  open: OpenIncident,
  policy: Policy,
  { tenant, nowMs, muted }: NotificationMoment,
): { readonly open: OpenIncident; readonly messages: readonly NotificationMessage[] } {
  if (muted) return { open, messages: [] }
  const due = notificationsOf(policy).filter((action) =>
    isNotificationDue(open.notifiedMs[String(action.id)], action, nowMs),
  )
  if (due.length === 0) return { open, messages: [] }
  const notifiedMs = { ...open.notifiedMs }
  const messages = due.map(({ id }): NotificationMessage => {
    notifiedMs[String(id)] = nowMs
    const name = [id, "event", nowMs].join("\0")
    const messageId = uuidV3(open.event.id, name)
    const { event, incident } = open
    const of = { notificationId: id, incidentId: incident.id, event }
    return { id: messageId, tenant, ...of, payloadType: "event", timeMs: nowMs }
  })
  return { open: { ...open, notifiedMs }, messages }
}

/** Messages about the end of an incident, by the policy as it was when it last fired. */
export function notifyCleared(
  { event, incident, notifiedMs }: OpenIncident,
  { tenant, nowMs, muted }: NotificationMoment,
): readonly NotificationMessage[] {
  if (muted || event.policy === null) return []
  return notificationsOf(event.policy)
    .filter(({ id, sendOnClear }) => sendOnClear && notifiedMs[String(id)] !== undefined)
    .map(({ id }): NotificationMessage => {
      const messageId = uuidV3(event.id, [id, "event_cleared"].join("\0"))
      const payloadType = "event_cleared"
      const of = { notificationId: id, incidentId: incident.id, event }
      return { id: messageId, tenant, ...of, payloadType, timeMs: nowMs }
    })
}

/** Enabled notification actions, each notification once even if the policy names it repeatedly. */
export function notificationsOf({ actions }: Policy): NotificationAction[] {
  const byId = new Map<number, NotificationAction>()
  for (const action of actions) {
    if (action.type === "notification" && action.enabled && !byId.has(action.id)) {
      byId.set(action.id, action)
    }
  }
  return [...byId.values()]
}

/** Whether a message is due; `lastMs`: of the last one about the incident, if there was one. */
export function isNotificationDue(
  lastMs: number | undefined,
  { notifyFrequencyMin }: NotificationAction,
  nowMs: number,
): boolean {
  if (lastMs === undefined) return true
  if (notifyFrequencyMin >= neverMinutes) return false
  return nowMs - lastMs >= notifyFrequencyMin * minuteMs
}
