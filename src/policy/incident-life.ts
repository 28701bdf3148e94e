/**
 * The life of an incident: opened by a finding, continued by each further one, closed by the first
 * closed cycle that finds nothing, by the end of its cause, or by hand. Whoever closes it by hand
 * ends this one; what is still wrong in the next cycle opens another.
 *
 *   (none) ── finding ─► open ── finding ─► open
 *                          └── quiet, or closed by hand ─► closed
 *
 * Pure: gives the next state, stores nothing.
 */

import { assert } from "../base/assert.ts"
import { uuidV3 } from "../base/uuid.ts"
import type { ElementEvent } from "../model/records/event.ts"
import type { IncidentCause, Incident, OpenIncident } from "../model/records/incident.ts"

/** Ids of the latest events that an incident keeps: a day of cycles, 11 kB. */
export const incidentEventsMax = 288
/** Metrics that an incident names: those that violated first. */
export const incidentMetricsMax = 100

/** A finding, as an event of a policy. */
export interface FiredPolicy {
  readonly cause: IncidentCause
  readonly subject: string
  readonly event: ElementEvent
  readonly metrics: readonly string[]
}

/**
 * The incident after a finding; the very same where it knows that event already. `open` is the open
 * one of this policy, element, cause and subject, if there is one.
 */
export function fire(open: OpenIncident | undefined, fired: FiredPolicy): OpenIncident {
  return open === undefined ? opened(fired) : continued(open, fired)
}

function opened({ cause, subject, event, metrics }: FiredPolicy): OpenIncident {
  assert(event.policy !== null, "Expected an event of a policy")
  const incident: Incident = {
    // An event opens one incident at most, so a repeat opens the same.
    id: uuidV3(event.id, "incident"),
    timeMs: event.timeMs,
    lastFiredMs: event.timeMs,
    closedMs: null,
    policyId: event.policy.id,
    elementId: event.elementId,
    elementFqn: event.elementFqn,
    elementName: event.element?.name ?? event.elementFqn,
    eventIds: [event.id],
    violatingMetricFqns: metrics.slice(0, incidentMetricsMax),
    acked: false,
  }
  return { incident, cause, subject, touchedMs: event.processedMs, notifiedMs: {}, event }
}

function continued(open: OpenIncident, { event, metrics }: FiredPolicy): OpenIncident {
  const { incident } = open
  if (incident.eventIds.includes(event.id)) return open
  const named = new Set([...incident.violatingMetricFqns, ...metrics])
  return {
    ...open,
    touchedMs: Math.max(open.touchedMs, event.processedMs),
    event,
    incident: {
      ...incident,
      lastFiredMs: Math.max(incident.lastFiredMs, event.timeMs),
      eventIds: [...incident.eventIds, event.id].slice(-incidentEventsMax),
      violatingMetricFqns: [...named].slice(0, incidentMetricsMax),
    },
  }
}

/** The incident as closed at `closedMs`. */
export function closed({ incident }: OpenIncident, closedMs: number): Incident {
  assert(incident.closedMs === null, "Expected an incident that is open")
  return { ...incident, closedMs }
}
