/** Incidents: runs of events of one policy at one element, from the first to the close. */

import type { ComparedValue } from "./compared-value.ts"
import type { IncidentMessage } from "./delivery.ts"
import type { ElementEvent } from "./event.ts"
import type { EventLevel } from "./event-level.ts"
import type { TenantIndex } from "../ids.ts"

/**
 * The kinds of event that open an incident: a cycle that matched the conditions of a policy, an
 * external event, an expired check.
 */
export const incidentCauses = ["cycle", "event", "check"] as const
export type IncidentCause = (typeof incidentCauses)[number]

/**
 * Why an incident was closed: the condition holds no longer, or the check was posted; no data is
 * there to tell; no further external event came; the policy does not watch the element or the check
 * any more; a user closed it.
 */
export const closeReasons = ["recovered", "noData", "quiet", "ended", "user"] as const
export type CloseReason = (typeof closeReasons)[number]

export interface Incident {
  readonly id: string
  /** Time of its first event. */
  readonly timeMs: number
  readonly lastFiredMs: number
  /** Null while it is open. */
  readonly closedMs: number | null
  /** Absent while it is open, and in incidents of earlier versions. */
  readonly closeReason?: CloseReason
  readonly policyId: string
  readonly elementId: string
  readonly elementFqn: string
  readonly elementName: string
  /** The latest ones, oldest first. */
  readonly eventIds: readonly string[]
  readonly violatingMetricFqns: readonly string[]
  readonly acked: boolean
  /** Of its latest event; absent, like the next three, in incidents of earlier versions. */
  readonly level?: EventLevel
  /** The name of the policy when it last fired. */
  readonly policyName?: string
  /** Null if the element never sent a sample. */
  readonly elementType?: string | null
  readonly cause?: IncidentCause
  /**
   * Of its latest event, the first value of each violating condition; absent if there is none, and
   * in incidents of earlier versions.
   */
  readonly compared?: readonly ComparedValue[]
  /** Absent unless a user has acknowledged it. */
  readonly ack?: IncidentAck
  /** The last ones, oldest first; absent without any. */
  readonly messages?: readonly IncidentMessage[]
}

export interface IncidentAck {
  /** E-mail of the user. */
  readonly by: string
  readonly timeMs: number
  readonly note: string | null
}

/**
 * An open incident with the state that its next step needs: at most one for each policy, element
 * and cause. It is stored with the incident and deleted when that is closed.
 */
export interface OpenIncident {
  readonly incident: Incident
  readonly cause: IncidentCause
  /** For a check: its name; an element may have several. Empty otherwise. */
  readonly subject: string
  /** When the server last added an event; the event itself may be older. */
  readonly touchedMs: number
  /** By id of a notification: when it was last sent. */
  readonly notifiedMs: Readonly<Record<string, number>>
  /** Ids of those whose action did not ask for the end; absent in incidents of earlier versions. */
  readonly withoutEnd?: readonly number[]
  /** The latest event, for the notification about the close. */
  readonly event: ElementEvent
}

/** The kind of the documents with a tenant's open incidents. */
export function openIncidentKind(tenant: TenantIndex): string {
  return `openIncident:${tenant}`
}

/** The key of an open incident; neither an FQN nor a policy's id nor a cause contains a slash. */
export function openIncidentKey(
  open: Pick<OpenIncident, "cause" | "subject"> & {
    readonly incident: Pick<Incident, "elementFqn" | "policyId">
  },
): string {
  const { incident, cause, subject } = open
  return [incident.elementFqn, incident.policyId, cause, subject].join("/")
}
