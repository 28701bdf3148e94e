/**
 * State machine of an incident: a policy that fires opens it or keeps it open. It is closed by the
 * first cycle without a violation, by the end of its cause, or by a user. After a user closed it, a
 * violation in the next cycle opens another incident.
 *
 *   (none) ── fired ─► open ── fired ─► open
 *                        └── no violation, or closed by a user ─► closed
 *
 * Pure functions from state to state.
 */

import { assert } from "../base/assert.ts"
import { uuidV3 } from "../base/uuid.ts"
import type { ElementEvent } from "../model/records/event.ts"
import type {
  CloseReason,
  Incident,
  IncidentCause,
  OpenIncident,
} from "../model/records/incident.ts"
import type { EvaluatedElement, PolicyResults } from "./violation.ts"

/** Ids of the latest events in an incident: a day of cycles, 11 kB. */
const incidentEventsMax = 288
/** Metrics named by an incident: those that violated first. */
export const incidentMetricsMax = 100
/** Conditions of which an incident keeps a value: a list shows the first one, 2 kB at most. */
const incidentValuesMax = 10

/** An event of a policy, with its cause. */
export interface FiredPolicy {
  readonly cause: IncidentCause
  readonly subject: string
  readonly event: ElementEvent
  readonly results: PolicyResults
}

/**
 * The incident after a policy fired; the same object if it contains that event already. `open` is
 * the open incident of this policy, element, cause and subject, if there is one.
 */
export function fire(open: OpenIncident | undefined, fired: FiredPolicy): OpenIncident {
  return open === undefined ? opened(fired) : continued(open, fired)
}

/** The incident that an event opens: a repetition opens the same one. */
export function incidentIdOf(eventId: string): string {
  return uuidV3(eventId, "incident")
}

function opened(fired: FiredPolicy): OpenIncident {
  const { cause, subject, event, results } = fired
  assert(event.policy !== null, "Expected an event of a policy")
  const incident: Incident = {
    id: incidentIdOf(event.id),
    timeMs: event.timeMs,
    lastFiredMs: event.timeMs,
    closedMs: null,
    policyId: event.policy.id,
    elementId: event.elementId,
    elementFqn: event.elementFqn,
    elementName: event.element?.name ?? event.elementFqn,
    eventIds: [event.id],
    violatingMetricFqns: results.metrics.slice(0, incidentMetricsMax),
    acked: false,
    ...factsOf(fired),
    elementType: event.element?.type ?? null,
    cause,
  }
  return { incident, cause, subject, touchedMs: event.processedMs, notifiedMs: {}, event }
}

function continued(open: OpenIncident, fired: FiredPolicy): OpenIncident {
  const { event, results } = fired
  const { compared: _former, ...incident } = open.incident
  if (incident.eventIds.includes(event.id)) return open
  const named = new Set([...incident.violatingMetricFqns, ...results.metrics])
  return {
    ...open,
    touchedMs: event.processedMs,
    event,
    incident: {
      ...incident,
      ...factsOf(fired),
      lastFiredMs: Math.max(incident.lastFiredMs, event.timeMs),
      eventIds: [...incident.eventIds, event.id].slice(-incidentEventsMax),
      violatingMetricFqns: [...named].slice(0, incidentMetricsMax),
    },
  }
}

/** The fields of an incident that follow from its latest event. */
function factsOf({
  event: { level, policy },
  results,
}: FiredPolicy): Pick<Incident, "level" | "policyName" | "compared"> {
  const compared = results.conditions
    .flatMap((one) => (one.violating ? (one.compared ?? []).slice(0, 1) : []))
    .slice(0, incidentValuesMax)
  return {
    level,
    ...(policy === null ? {} : { policyName: policy.name }),
    ...(compared.length === 0 ? {} : { compared }),
  }
}

/** Why an incident of a policy in force ends in a cycle without a violation. */
export function cycleCloseReason(
  { incident: { policyId, violatingMetricFqns } }: OpenIncident,
  { isSilent, policyIds, silentMetrics }: EvaluatedElement,
): CloseReason {
  if (isSilent) return "noData"
  if (!policyIds.includes(policyId)) return "ended"
  const isSeen = violatingMetricFqns.some((fqn) => !silentMetrics.includes(fqn))
  return isSeen || violatingMetricFqns.length === 0 ? "recovered" : "noData"
}

/** The incident as closed at `closedMs`. */
export function closed(
  { incident }: OpenIncident,
  end: { readonly closedMs: number; readonly closeReason: CloseReason },
): Incident & typeof end {
  assert(incident.closedMs === null, "Expected an incident that is open")
  return { ...incident, ...end }
}
