/** Records of incidents and checks as clients read them (field-facts §5.1, §1.10). */

import { formatInstant, formatInstantSeconds } from "../../base/iso8601.ts"

/** What the record of an incident shows. */
export interface IncidentSubject {
  readonly id: string
  readonly timeMs: number
  readonly lastFiredMs: number
  readonly closedMs: number | null
  readonly policyId: string
  readonly elementId: string
  readonly elementName: string
  readonly eventIds: readonly string[]
  readonly violatingMetricFqns: readonly string[]
  readonly acked: boolean
}

export function incidentDocument(
  incident: IncidentSubject,
  tenantId: string,
): Record<string, unknown> {
  const { closedMs } = incident
  return {
    incidentId: incident.id,
    tenantId,
    policyId: incident.policyId,
    elementId: incident.elementId,
    elementName: incident.elementName,
    tsFirstFired: formatInstantSeconds(incident.timeMs),
    tsLastFired: formatInstantSeconds(incident.lastFiredMs),
    tsClosed: closedMs === null ? null : formatInstantSeconds(closedMs),
    eventIds: incident.eventIds,
    violatingMetricFqns: incident.violatingMetricFqns,
    closed: closedMs !== null,
    acked: incident.acked,
  }
}

/** What the record of a check shows. */
export interface CheckSubject {
  readonly id: string
  readonly name: string
  readonly elementFqn: string
  readonly elementId: string
  readonly ttlSeconds: number
  readonly postedMs: number
  readonly expiresMs: number
}

export function checkDocument(
  check: CheckSubject,
  { tenantId, nowMs }: { tenantId: string; nowMs: number },
): Record<string, unknown> {
  return {
    id: check.id,
    tenantId,
    name: check.name,
    elementId: check.elementId,
    elementFqn: check.elementFqn,
    ttl: check.ttlSeconds,
    lastPosted: formatInstant(check.postedMs),
    expires: formatInstant(check.expiresMs),
    expired: check.expiresMs <= nowMs,
  }
}
