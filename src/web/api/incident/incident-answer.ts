/** Answers about an incident: its record, events of its policy, a replay cycle by cycle. */

import * as v from "valibot"
import { comparedSchema } from "./compared.ts"
import { closeReason, incidentLevel } from "../severity.ts"

const instant = v.pipe(v.string(), v.transform(Date.parse))

export const detailsSchema = v.object({
  incidentId: v.string(),
  policyId: v.string(),
  policyName: v.nullable(v.string()),
  level: incidentLevel,
  cause: v.nullable(v.picklist(["cycle", "event", "check"])),
  elementId: v.string(),
  elementFqn: v.string(),
  elementName: v.string(),
  elementType: v.nullable(v.string()),
  tsFirstFired: instant,
  tsLastFired: instant,
  tsClosed: v.nullable(instant),
  closeReason,
  acked: v.boolean(),
  ackedBy: v.nullable(v.string()),
  ackedAt: v.nullable(instant),
  note: v.nullable(v.string()),
  eventIds: v.array(v.string()),
  violatingMetricFqns: v.array(v.string()),
})

export const deliverySchema = v.object({
  notificationId: v.number(),
  /** Null if the notification was removed. */
  notificationName: v.nullable(v.string()),
  notificationType: v.nullable(v.string()),
  time: instant,
  step: v.picklist(["fired", "repeated", "cleared"]),
  state: v.picklist(["delivered", "waiting", "failed"]),
  endTime: v.nullable(instant),
  retryTime: v.nullable(instant),
  reason: v.nullable(v.string()),
})
export type IncidentDelivery = v.InferOutput<typeof deliverySchema>

export interface IncidentDetails extends v.InferOutput<typeof detailsSchema> {
  /** The last messages about it, oldest first. */
  readonly deliveries: readonly IncidentDelivery[]
}

export const conditionSchema = v.looseObject({
  metric: v.nullable(v.string()),
  wildcard: v.nullable(v.string()),
  analytic: v.string(),
  operator: v.string(),
  level: v.nullable(v.number()),
  metricThresholdLevel: v.nullable(v.string()),
})
export type PolicyCondition = v.InferOutput<typeof conditionSchema>

/** A policy as it was then. Other fields are kept, since a replay is asked with all of them. */
const policySchema = v.looseObject({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  /** Seconds. */
  duration: v.number(),
  anyCondition: v.boolean(),
  conditions: v.array(conditionSchema),
})
export type PolicyCopy = v.InferOutput<typeof policySchema>

const resultsSchema = v.object({
  conditions: v.array(
    v.object({
      id: v.string(),
      violating: v.boolean(),
      expression: v.string(),
      /** Absent in events of checks, of events, and of earlier versions. */
      compared: v.optional(v.array(comparedSchema)),
    }),
  ),
})
export type PolicyResults = v.InferOutput<typeof resultsSchema>

export const policyEventSchema = v.object({
  id: v.string(),
  timestamp: instant,
  /** Null for an event that no policy made. */
  policy: v.nullable(policySchema),
  data: v.object({ results: v.optional(v.unknown()) }),
})

/** An event of a policy: when it fired, the policy as it was, and what each condition found. */
export interface PolicyEvent {
  readonly timestamp: number
  readonly policy: PolicyCopy | null
  readonly results: PolicyResults | null
}

export function policyEvent(event: v.InferOutput<typeof policyEventSchema>): PolicyEvent {
  const { timestamp, policy, data } = event
  return { timestamp, policy, results: resultsOf(data.results) }
}

/** Results are JSON in a text; null for one that is none. */
export function resultsOf(text: unknown): PolicyResults | null {
  if (typeof text !== "string") return null
  try {
    const read = v.safeParse(resultsSchema, JSON.parse(text))
    return read.success ? read.output : null
  } catch {
    return null
  }
}

const numbers = v.array(v.nullable(v.number()))
const cycleDetailSchema = v.object({
  timestamps: v.array(v.number()),
  conditions: v.array(
    v.object({
      id: v.string(),
      metricFqn: v.string(),
      values: numbers,
      thresholds: v.optional(numbers),
      lower: v.optional(numbers),
      upper: v.optional(numbers),
      holds: v.array(v.boolean()),
    }),
  ),
  fires: v.array(v.boolean()),
})
/** The values that a replay of a policy compared, by cycle. */
export type CycleDetail = v.InferOutput<typeof cycleDetailSchema>

/** Spans in which a policy fires, from the first cycle to the end of the last one. */
const firingSchema = v.array(v.object({ start: v.number(), end: v.number() }))

export const replaySchema = v.object({
  /** Absent if no cycle of the span is closed. */
  cycleDetail: v.optional(cycleDetailSchema),
  incidentList: firingSchema,
})

export interface PolicyReplay extends v.InferOutput<typeof replaySchema> {
  readonly cycleDetail: CycleDetail
}

export const formerSchema = v.object({
  incidentId: v.string(),
  tsFirstFired: instant,
  tsLastFired: instant,
  tsClosed: v.nullable(instant),
  closeReason,
})
/** An earlier incident of the same policy and element. */
export type FormerIncident = v.InferOutput<typeof formerSchema>
