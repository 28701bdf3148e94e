/** Records of incidents and checks as clients read them (spec/events §7, spec/events §4). */

import { formatInstant, formatInstantSeconds } from "../../base/iso8601.ts"

import { flag, instant, listOf, number, orNull, record, text } from "../answer.ts"
import { uuid, type Written } from "../answer.ts"

export const incidentRecord = record({
  incidentId: uuid,
  tenantId: uuid,
  policyId: uuid,
  elementId: uuid,
  elementName: text,
  tsFirstFired: instant,
  tsLastFired: instant,
  tsClosed: orNull(instant),
  eventIds: listOf(uuid),
  violatingMetricFqns: listOf(text),
  closed: flag,
  acked: flag,
})

export const checkRecord = record({
  id: uuid,
  tenantId: uuid,
  name: text,
  elementId: uuid,
  elementFqn: text,
  ttl: number,
  lastPosted: instant,
  expires: instant,
  expired: flag,
})

/** The content of an incident document. */
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
): Written<typeof incidentRecord> {
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

/** The content of a check document. */
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
): Written<typeof checkRecord> {
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
