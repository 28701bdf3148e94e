/**
 * Records of incidents and checks as clients read them (spec/events §7, spec/events §4), and the
 * bodies that change incidents.
 */

import * as v from "valibot"
import { formatInstant, formatInstantSeconds } from "../../base/iso8601.ts"
import { bulkIncidentsMax, noteCharactersMax } from "../../base/limits/records.ts"
import { isUuid } from "../../base/uuid.ts"

import { deliverySteps, type DeliveryStep } from "../../model/records/delivery.ts"
import {
  closeReasons,
  incidentCauses,
  type CloseReason,
  type IncidentCause,
} from "../../model/records/incident.ts"
import type { ComparedValue } from "../../model/records/compared-value.ts"
import { eventLevels, type EventLevel } from "../../model/records/event-level.ts"
import { analytics, operators } from "../../model/records/policy.ts"
import {
  described,
  flag,
  instant,
  listOf,
  number,
  oneOf,
  orNull,
  partial,
  record,
} from "../answer.ts"
import { text, uuid, wholeNumber, type Written } from "../answer.ts"
import { objectValue } from "../body.ts"
import { readRecord } from "./fields.ts"

const summaryFields = {
  incidentId: uuid,
  tenantId: uuid,
  policyId: uuid,
  policyName: described(orNull(text), "When it last fired; null for one of an earlier version"),
  level: described(orNull(oneOf(eventLevels)), "Of its latest event; null likewise"),
  cause: described(orNull(oneOf(incidentCauses)), "What its policy reacted to; null likewise"),
  elementId: uuid,
  elementFqn: text,
  elementName: text,
  elementType: described(orNull(text), "Null likewise, and for an unknown element"),
  tsFirstFired: instant,
  tsLastFired: instant,
  tsClosed: orNull(instant),
  closed: flag,
  closeReason: described(orNull(oneOf(closeReasons)), "Null while it is open, and likewise"),
  acked: flag,
  ackedBy: described(orNull(text), "E-mail of the user who acknowledged it"),
  ackedAt: orNull(instant),
  note: described(orNull(text), "Of the user who acknowledged it"),
}

/** An incident as streams tell it, without the lists that grow with it. */
const incidentSummaryRecord = record(summaryFields)

const operatorNames = [...new Set(Object.values(operators).flat())]

const comparedRecord = record({
  metricFqn: text,
  unit: described(text, "The tag `unit` of the metric, else as sent; empty without one"),
  analytic: oneOf(analytics),
  operator: oneOf(operatorNames),
  value: described(orNull(number), "Of the metric in that cycle"),
  changePercent: described(orNull(number), "Of a sudden change: it is compared, not the value"),
  threshold: described(orNull(number), "Null for a band"),
  thresholdUnit: described(orNull(text), "Null likewise"),
  lower: described(orNull(number), "Of the band; null for a threshold"),
  upper: described(orNull(number), "Likewise"),
})

const incidentFields = {
  ...summaryFields,
  eventIds: listOf(uuid),
  violatingMetricFqns: listOf(text),
  compared: described(
    listOf(comparedRecord),
    "Of its latest event, the first value of each violating condition; of 10 at most",
  ),
}

export const incidentRecord = record(incidentFields)
export const incidentFieldNames: readonly string[] = Object.keys(incidentFields)
/** An incident with the fields that were asked for; all if none were. */
export const listedIncidentRecord = partial(incidentFields, ["incidentId"])

export const incidentGroupRecord = record({
  id: described(uuid, "Of the policy or the element"),
  level: described(orNull(oneOf(eventLevels)), "The highest of its incidents"),
  count: described(wholeNumber, "Incidents of the group that match"),
  acked: described(wholeNumber, "Acknowledged ones of these"),
  open: described(wholeNumber, "Open ones of these"),
  minutes: described(
    wholeNumber,
    "Minutes of the window in which at least one of these was open; a begun one is whole",
  ),
  tsFirstFired: described(instant, "Of the oldest of these"),
  tsNewest: described(instant, "When the newest of these first fired"),
  incidents: described(listOf(listedIncidentRecord), "The newest of these, newest first"),
})

export const deliveryRecord = record({
  notificationId: wholeNumber,
  notificationName: described(orNull(text), "Null if the notification was removed"),
  notificationType: described(orNull(text), "Likewise"),
  time: described(instant, "When the message was decided"),
  step: described(oneOf(deliverySteps), "First message, a repetition, the end of the incident"),
  state: oneOf(["delivered", "waiting", "failed"]),
  endTime: described(orNull(instant), "When it was delivered or given up; null while it waits"),
  retryTime: described(orNull(instant), "Of the next attempt, if the last one failed"),
  reason: described(
    orNull(text),
    "Why it failed, in part too, or waits longer; null for Read Only",
  ),
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
  readonly closeReason?: CloseReason
  readonly policyId: string
  readonly elementId: string
  readonly elementFqn: string
  readonly elementName: string
  readonly eventIds: readonly string[]
  readonly violatingMetricFqns: readonly string[]
  readonly acked: boolean
  readonly level?: EventLevel
  readonly policyName?: string
  readonly elementType?: string | null
  readonly cause?: IncidentCause
  readonly compared?: readonly ComparedValue[]
  readonly ack?: { readonly by: string; readonly timeMs: number; readonly note: string | null }
}

export function incidentDocument(
  incident: IncidentSubject,
  tenantId: string,
): Written<typeof incidentRecord> {
  const { eventIds, violatingMetricFqns, compared = [] } = incident
  return { ...incidentSummary(incident, tenantId), eventIds, violatingMetricFqns, compared }
}

/** A document with some of its fields; all for null. `incidentId` is always there. */
export function listedIncident(
  incident: IncidentSubject,
  tenantId: string,
  fields: readonly string[] | null,
): Written<typeof listedIncidentRecord> {
  const document = incidentDocument(incident, tenantId)
  if (fields === null) return document
  const { incidentId } = document
  const named = Object.entries(document).filter(([name]) => fields.includes(name))
  return { incidentId, ...Object.fromEntries(named) }
}

/** The content of a group's document. */
interface GroupSubject {
  readonly id: string
  readonly level: EventLevel | null
  readonly count: number
  readonly acked: number
  readonly open: number
  readonly openMs: number
  readonly firstMs: number
  readonly newestMs: number
  readonly incidents: readonly IncidentSubject[]
}

export function incidentGroupDocument(
  { id, level, count, acked, open, openMs, firstMs, newestMs, incidents }: GroupSubject,
  tenantId: string,
  fields: readonly string[] | null,
): Written<typeof incidentGroupRecord> {
  return {
    id,
    level,
    count,
    acked,
    open,
    minutes: Math.ceil(openMs / 60_000),
    tsFirstFired: formatInstantSeconds(firstMs),
    tsNewest: formatInstantSeconds(newestMs),
    incidents: incidents.map((incident) => listedIncident(incident, tenantId, fields)),
  }
}

export function incidentSummary(
  incident: IncidentSubject,
  tenantId: string,
): Written<typeof incidentSummaryRecord> {
  const { closedMs, ack } = incident
  const {
    policyName = null,
    level = null,
    cause = null,
    elementType = null,
    closeReason = null,
  } = incident
  return {
    incidentId: incident.id,
    tenantId,
    policyId: incident.policyId,
    policyName,
    level,
    cause,
    elementId: incident.elementId,
    elementFqn: incident.elementFqn,
    elementName: incident.elementName,
    elementType,
    tsFirstFired: formatInstantSeconds(incident.timeMs),
    tsLastFired: formatInstantSeconds(incident.lastFiredMs),
    tsClosed: closedMs === null ? null : formatInstantSeconds(closedMs),
    closed: closedMs !== null,
    closeReason,
    acked: incident.acked,
    ackedBy: ack?.by ?? null,
    ackedAt: ack === undefined ? null : formatInstantSeconds(ack.timeMs),
    note: ack?.note ?? null,
  }
}

/** The content of a delivery document. */
export interface DeliverySubject {
  readonly notificationId: number
  readonly timeMs: number
  readonly step: DeliveryStep
  readonly state: "delivered" | "waiting" | "failed"
  readonly endMs: number | null
  readonly retryMs: number | null
  readonly reason: string | null
}

/** `notification` is null if it was removed. A reason may name the receiver's address. */
export function deliveryDocument(
  delivery: DeliverySubject,
  notification: { readonly name: string | null; readonly type: string } | null,
  showsReason: boolean,
): Written<typeof deliveryRecord> {
  const { notificationId, timeMs, step, state, endMs, retryMs, reason } = delivery
  return {
    notificationId,
    notificationName: notification?.name ?? null,
    notificationType: notification?.type ?? null,
    time: formatInstant(timeMs),
    step,
    state,
    endTime: endMs === null ? null : formatInstant(endMs),
    retryTime: retryMs === null ? null : formatInstant(retryMs),
    reason: showsReason ? reason : null,
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

const noteValue = v.nullish(
  v.pipe(
    v.string(),
    v.maxLength(noteCharactersMax, `a text of at most ${noteCharactersMax} characters`),
    v.transform((note) => (note.trim() === "" ? null : note)),
  ),
  null,
)

export const ackBody = objectValue({ note: noteValue })

const idValue = v.pipe(
  v.string(),
  v.check(isUuid, "the id of an incident, a UUID"),
  v.transform((id) => id.toLowerCase()),
)

export const incidentBulkBody = objectValue({
  ids: v.pipe(
    v.array(idValue),
    v.minLength(1, "at least one id"),
    v.maxLength(bulkIncidentsMax, `at most ${bulkIncidentsMax} ids`),
  ),
  action: v.picklist(["ack", "unack", "close"], "ack, unack or close"),
  note: noteValue,
})

export const incidentBulkAnswer = record({
  changed: wholeNumber,
  failed: listOf(record({ id: text, error: text })),
})

/** Throws `invalid`; no body is one without a note. */
export function readAckBody(raw: unknown): v.InferOutput<typeof ackBody> {
  return readRecord(ackBody, raw ?? {})
}

/** Throws `invalid`. */
export function readIncidentBulk(raw: unknown): v.InferOutput<typeof incidentBulkBody> {
  return readRecord(incidentBulkBody, raw)
}
