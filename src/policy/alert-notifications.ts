/**
 * Notifications of an incident (spec/policies §6): sent when it opens, again after
 * `notifyFrequencyMin` while it is open, and at its end to those that got one before.
 *
 * A muted policy sends and records no notification that an incident fired; one that is still open
 * when the mute ends is notified then. The end is sent, muted or not.
 */

import { largestOf } from "../base/iterables.ts"
import { uuidV3 } from "../base/uuid.ts"
import type { CloseReason, Incident, OpenIncident } from "../model/records/incident.ts"
import type { NotificationMessage } from "../model/records/notification-message.ts"
import type { NotificationAction, Policy } from "../model/records/policy.ts"
import type { TenantIndex } from "../model/ids.ts"
import { dayMs } from "../model/resolution.ts"

/** The largest 32-bit integer means never again. */
const neverMinutes = 2 ** 31 - 1
const minuteMs = 60_000
/** A message that is so far in the future was sent while the clock was ahead. */
const aheadMsMax = dayMs

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
  const withoutEnd = new Set(open.withoutEnd)
  const messages = due.map(({ id, sendOnClear }): NotificationMessage => {
    if (sendOnClear) withoutEnd.delete(id)
    else withoutEnd.add(id)
    notifiedMs[String(id)] = nowMs
    const name = [id, "event", nowMs].join("\0")
    const messageId = uuidV3(open.event.id, name)
    const { event, incident } = open
    const of = { notificationId: id, incidentId: incident.id, event }
    const timeMs = messageTimeMs(incident, id, nowMs)
    return { id: messageId, tenant, ...of, payloadType: "event", timeMs }
  })
  return { open: { ...open, notifiedMs, withoutEnd: [...withoutEnd] }, messages }
}

/**
 * Ids of the notifications that got a message about an incident and are not to get its end: their
 * action in `policy` does not ask for it or, if that is gone, the one did not that sent last.
 */
export function unaskedEnds(
  { notifiedMs, withoutEnd = [] }: OpenIncident,
  policy: Policy,
): readonly number[] {
  const actions = [...notificationActions(policy), ...notificationsOf(policy)]
  const asks = new Map(actions.map(({ id, sendOnClear }) => [id, sendOnClear]))
  return notifiedIds(notifiedMs).filter((id) => !(asks.get(id) ?? !withoutEnd.includes(id)))
}

/** The end of an incident. */
interface IncidentEnd extends Pick<NotificationMoment, "tenant" | "nowMs"> {
  readonly closeReason: CloseReason
  /** Ids of the notifications that get no message about it. */
  readonly left: ReadonlySet<number>
}

/** Messages about the end of an incident, to all that got one before except `left`. */
export function notifyCleared(
  { event, incident, notifiedMs }: OpenIncident,
  { tenant, nowMs, closeReason, left }: IncidentEnd,
): readonly NotificationMessage[] {
  return notifiedIds(notifiedMs)
    .filter((id) => !left.has(id))
    .map((id): NotificationMessage => {
      const messageId = uuidV3(event.id, [id, "event_cleared"].join("\0"))
      const payloadType = "event_cleared"
      const of = { notificationId: id, incidentId: incident.id, event }
      const timeMs = messageTimeMs(incident, id, nowMs)
      return { id: messageId, tenant, ...of, payloadType, closeReason, timeMs }
    })
}

/** The time of a message: later than those before it, even if the clock went back. */
function messageTimeMs({ messages = [] }: Incident, id: number, nowMs: number): number {
  const earlier = messages.filter(({ notificationId }) => notificationId === id)
  return Math.max(nowMs, 1 + largestOf(earlier.map(({ timeMs }) => timeMs)))
}

function notifiedIds(notifiedMs: OpenIncident["notifiedMs"]): number[] {
  return Object.keys(notifiedMs).map(Number)
}

/** Enabled notification actions, each notification once even if the policy names it repeatedly. */
export function notificationsOf(policy: Policy): NotificationAction[] {
  const byId = new Map<number, NotificationAction>()
  for (const action of notificationActions(policy)) {
    if (action.enabled && !byId.has(action.id)) byId.set(action.id, action)
  }
  return [...byId.values()]
}

function notificationActions({ actions }: Policy): NotificationAction[] {
  return actions.filter((action) => action.type === "notification")
}

/** Whether a message is due; `lastMs`: of the last one about the incident, if there was one. */
export function isNotificationDue(
  lastMs: number | undefined,
  { notifyFrequencyMin }: NotificationAction,
  nowMs: number,
): boolean {
  if (lastMs === undefined) return true
  if (notifyFrequencyMin >= neverMinutes) return false
  // The clock may have been ahead when the last one was sent: a distance in either direction.
  const distanceMs = Math.abs(nowMs - lastMs)
  return distanceMs >= notifyFrequencyMin * minuteMs || lastMs - nowMs > aheadMsMax
}
