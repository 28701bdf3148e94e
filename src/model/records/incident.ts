/** Incidents: runs of events of one policy at one element, from the first to the close. */

import type { ElementEvent } from "./event.ts"

/** What a policy found: a cycle that met its conditions, an event told from outside, a lapse. */
export const incidentCauses = ["cycle", "event", "check"] as const
export type IncidentCause = (typeof incidentCauses)[number]

export interface Incident {
  readonly id: string
  /** When its first event was found. */
  readonly timeMs: number
  readonly lastFiredMs: number
  /** Null while it is open. */
  readonly closedMs: number | null
  readonly policyId: string
  readonly elementId: string
  readonly elementFqn: string
  readonly elementName: string
  /** The latest, oldest first. */
  readonly eventIds: readonly string[]
  readonly violatingMetricFqns: readonly string[]
  readonly acked: boolean
}

/**
 * An open incident with what its next step needs: there is at most one of a policy, an element and
 * a cause. It is kept beside the incident and goes when that is closed, by whomever.
 */
export interface OpenIncident {
  readonly incident: Incident
  readonly cause: IncidentCause
  /** For a check: its name; an element may have several. Empty otherwise. */
  readonly subject: string
  /** When the server last found something; an event may be told late. */
  readonly touchedMs: number
  /** By id of a notification: when it was last told. */
  readonly notifiedMs: Readonly<Record<string, number>>
  /** The latest event, for whoever is told that it is over. */
  readonly event: ElementEvent
}

/** The kind of the documents in which a tenant's open incidents are kept. */
export function openIncidentKind(tenant: number): string {
  return `openIncident:${tenant}`
}

/** The key of an open incident; an FQN holds no slash, a policy's id and a cause neither. */
export function openIncidentKey(
  open: Pick<OpenIncident, "cause" | "subject"> & {
    readonly incident: Pick<Incident, "elementFqn" | "policyId">
  },
): string {
  const { incident, cause, subject } = open
  return [incident.elementFqn, incident.policyId, cause, subject].join("/")
}
