/**
 * Notices of an incident (spec/policies §6): told when it opens, again after `notifyFrequencyMin`
 * while it lasts, and when it is over where `sendOnClear` says so. Decided from what is kept with
 * the incident only, so that a repeat after a crash decides the same.
 *
 * A muted policy tells nothing, and remembers nothing of that: what is still wrong when the silence
 * ends is told then. Only who was told of an incident is told that it is over.
 */

import { uuidV3 } from "../base/uuid.ts"
import type { OpenIncident } from "../model/records/incident.ts"
import type { NotificationMessage } from "../model/records/notification-message.ts"
import type { NotificationAction, Policy } from "../model/records/policy.ts"

/** The largest 32-bit integer: never again. */
const neverMinutes = 2 ** 31 - 1
const minuteMs = 60_000

export interface NotificationMoment {
  readonly tenant: number
  /** The nominal time of the cycle's closing, or the moment of the event. */
  readonly nowMs: number
  readonly muted: boolean
}

/** An incident that fired, with whom to tell: everyone whose turn it is. */
export function notifyFired(
  open: OpenIncident,
  policy: Policy,
  { tenant, nowMs, muted }: NotificationMoment,
): { readonly open: OpenIncident; readonly notices: readonly NotificationMessage[] } {
  if (muted) return { open, notices: [] }
  const due = notificationsOf(policy).filter((action) => isDue(open, action, nowMs))
  if (due.length === 0) return { open, notices: [] }
  const notifiedMs = { ...open.notifiedMs }
  const notices = due.map(({ id }): NotificationMessage => {
    notifiedMs[String(id)] = nowMs
    const name = [id, "event", nowMs].join("\0")
    const noticeId = uuidV3(open.event.id, name)
    const { event } = open
    return { id: noticeId, tenant, notificationId: id, payloadType: "event", event, timeMs: nowMs }
  })
  return { open: { ...open, notifiedMs }, notices }
}

/** Whom to tell that an incident is over, by the policy as it was when it last fired. */
export function notifyCleared(
  { event, notifiedMs }: OpenIncident,
  { tenant, nowMs, muted }: NotificationMoment,
): readonly NotificationMessage[] {
  if (muted || event.policy === null) return []
  return notificationsOf(event.policy)
    .filter(({ id, sendOnClear }) => sendOnClear && notifiedMs[String(id)] !== undefined)
    .map(({ id }): NotificationMessage => {
      const noticeId = uuidV3(event.id, [id, "event_cleared"].join("\0"))
      const payloadType = "event_cleared"
      return { id: noticeId, tenant, notificationId: id, payloadType, event, timeMs: nowMs }
    })
}

/** Each notification once, however often a policy names it. */
function notificationsOf({ actions }: Policy): NotificationAction[] {
  const byId = new Map<number, NotificationAction>()
  for (const action of actions) {
    if (action.type === "notification" && action.enabled && !byId.has(action.id)) {
      byId.set(action.id, action)
    }
  }
  return [...byId.values()]
}

function isDue(open: OpenIncident, action: NotificationAction, nowMs: number): boolean {
  const lastMs = open.notifiedMs[String(action.id)]
  if (lastMs === undefined) return true
  const { notifyFrequencyMin } = action
  if (notifyFrequencyMin >= neverMinutes) return false
  return nowMs - lastMs >= notifyFrequencyMin * minuteMs
}
