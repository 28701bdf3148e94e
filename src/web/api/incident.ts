/** One incident: its record, what its policy found, replays of the policy (spec/events §7). */

import * as v from "valibot"
import { ApiError, type ApiClient } from "./client.ts"
import { severity, type AlarmLevel } from "./severity.ts"

const instant = v.pipe(v.string(), v.transform(Date.parse))

const detailsSchema = v.object({
  incidentId: v.string(),
  policyId: v.string(),
  policyName: v.nullable(v.string()),
  /** Incidents of earlier versions have none. */
  level: v.pipe(
    v.nullable(severity),
    v.transform((level): AlarmLevel => level ?? "info"),
  ),
  cause: v.nullable(v.picklist(["cycle", "event", "check"])),
  elementId: v.string(),
  elementFqn: v.string(),
  elementName: v.string(),
  elementType: v.nullable(v.string()),
  tsFirstFired: instant,
  tsLastFired: instant,
  tsClosed: v.nullable(instant),
  acked: v.boolean(),
  ackedBy: v.nullable(v.string()),
  ackedAt: v.nullable(instant),
  note: v.nullable(v.string()),
  eventIds: v.array(v.string()),
  violatingMetricFqns: v.array(v.string()),
})
export type IncidentDetails = v.InferOutput<typeof detailsSchema>

/** Throws `ApiError` 404 if there is none. */
export async function readIncident(
  api: ApiClient,
  id: string,
  signal: AbortSignal,
): Promise<IncidentDetails> {
  const schema = v.object({ incident: detailsSchema })
  return (await api.call({ path: ["incidents", id], schema, signal })).incident
}

const conditionSchema = v.looseObject({
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
  conditions: v.array(v.object({ id: v.string(), violating: v.boolean(), expression: v.string() })),
})
export type PolicyResults = v.InferOutput<typeof resultsSchema>

const policyEventSchema = v.object({
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

function policyEvent(event: v.InferOutput<typeof policyEventSchema>): PolicyEvent {
  const { timestamp, policy, data } = event
  return { timestamp, policy, results: resultsOf(data.results) }
}

/** Results are JSON in a text; null for one that is none. */
function resultsOf(text: unknown): PolicyResults | null {
  if (typeof text !== "string") return null
  try {
    const read = v.safeParse(resultsSchema, JSON.parse(text))
    return read.success ? read.output : null
  } catch {
    return null
  }
}

/** Null if the event is no longer kept. */
export async function readPolicyEvent(
  api: ApiClient,
  id: string,
  signal: AbortSignal,
): Promise<PolicyEvent | null> {
  const schema = v.object({ event: policyEventSchema })
  const found = await orNull(api.call({ path: ["events", id], schema, signal }))
  return found === null ? null : policyEvent(found.event)
}

export interface PolicySpan {
  readonly policyId: string
  readonly elementId: string
  readonly fromMs: number
  readonly toMs: number
}

/** Events of a policy at an element: one for each cycle in which it fired. At most 100. */
export async function firedEvents(
  api: ApiClient,
  { policyId, elementId, fromMs, toMs }: PolicySpan,
  signal: AbortSignal,
): Promise<readonly PolicyEvent[]> {
  const schema = v.object({ events: v.array(policyEventSchema) })
  const span = { startTime: Math.round(fromMs), endTime: Math.round(toMs), limit: 100 }
  const query = { policy: policyId, elementId, ...span }
  const { events } = await api.call({ path: ["events"], query, schema, signal })
  return events.map(policyEvent)
}

const numbers = v.array(v.nullable(v.number()))
const detailSchema = v.object({
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
export type CycleDetail = v.InferOutput<typeof detailSchema>

/** Replays a policy for one element. Null if the element is not known any more. */
export async function replayCycles(
  api: ApiClient,
  { policy, elementId, fromMs, toMs }: Omit<PolicySpan, "policyId"> & { policy: PolicyCopy },
  signal: AbortSignal,
): Promise<CycleDetail | null> {
  const iso = (ms: number) => new Date(Math.round(ms)).toISOString()
  const span = { startTime: iso(fromMs), endTime: iso(toMs) }
  const body = { policy, elements: [elementId], detail: "cycles", ...span }
  const schema = v.object({ cycleDetail: detailSchema })
  const path = ["policies", "evaluate"]
  const answer = await orNull(api.call({ method: "POST", path, body, schema, signal }))
  return answer === null ? null : answer.cycleDetail
}

/** How many incidents a policy has had since a time, this one among them. */
export async function countOfPolicy(
  api: ApiClient,
  { policyId, fromMs }: Pick<PolicySpan, "policyId" | "fromMs">,
  signal: AbortSignal,
): Promise<number> {
  const query = { policyId, startDate: Math.round(fromMs), limit: 0, total: true }
  const schema = v.object({ total: v.number() })
  return (await api.call({ path: ["incidents"], query, schema, signal })).total
}

export interface PolicyState {
  readonly isDeleted: boolean
  /** Null if it is not muted. */
  readonly mutedUntilMs: number | null
}

export async function policyState(
  api: ApiClient,
  policyId: string,
  signal: AbortSignal,
): Promise<PolicyState> {
  const [policy, mutes] = await Promise.all([
    orNull(api.call({ path: ["policies", policyId], schema: v.object({}), signal })),
    api.call({ path: ["policies", "mute"], schema: v.record(v.string(), v.number()), signal }),
  ])
  return { isDeleted: policy === null, mutedUntilMs: mutes[policyId] ?? null }
}

/** Mutes a policy for a while; null ends its mute. */
export function mutePolicy(api: ApiClient, policyId: string, forMs: number | null): Promise<void> {
  const path = ["policies", policyId, "mute"]
  if (forMs === null) return api.call({ method: "DELETE", path, schema: null })
  return api.call({ method: "POST", path: [...path, forMs], schema: null })
}

/** Null for what is not there. */
export function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  })
}
