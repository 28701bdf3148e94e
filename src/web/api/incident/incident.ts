/** Calls about one incident: its record, events and replays of its policy (spec/events §7). */

import * as v from "valibot"
import { isoTimes } from "../../url/time-range.ts"
import { ApiError, type ApiClient } from "../client.ts"
import {
  deliverySchema,
  detailsSchema,
  formerSchema,
  policyEvent,
  policyEventSchema,
  replaySchema,
  type FormerIncident,
  type IncidentDetails,
  type PolicyCopy,
  type PolicyEvent,
  type PolicyReplay,
} from "./incident-answer.ts"

/** Throws `ApiError` 404 if there is none. */
export async function readIncident(
  api: ApiClient,
  id: string,
  signal: AbortSignal,
): Promise<IncidentDetails> {
  const schema = v.object({ incident: detailsSchema, deliveries: v.array(deliverySchema) })
  const { incident, deliveries } = await api.call({ path: ["incidents", id], schema, signal })
  return { ...incident, deliveries }
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

/**
 * Replays a policy for one element, over two weeks at most. Null if the element is not known any
 * more, and if no cycle of the span is closed.
 */
export async function replayCycles(
  api: ApiClient,
  { policy, elementId, fromMs, toMs }: Omit<PolicySpan, "policyId"> & { policy: PolicyCopy },
  signal: AbortSignal,
): Promise<PolicyReplay | null> {
  const span = isoTimes({ startMs: fromMs, endMs: toMs })
  const body = { policy, elements: [elementId], detail: "cycles", ...span }
  const path = ["policies", "evaluate"]
  const call = { method: "POST", path, body, schema: replaySchema, signal } as const
  const answer = await orNull(api.call(call))
  const cycleDetail = answer?.cycleDetail
  return answer === null || cycleDetail === undefined ? null : { ...answer, cycleDetail }
}

/** The incident before one of the same policy and element; null for the first one. */
export async function formerIncident(
  api: ApiClient,
  { policyId, elementId, tsFirstFired }: IncidentDetails,
  signal: AbortSignal,
): Promise<FormerIncident | null> {
  const of = { policyId, elementId, endDate: tsFirstFired, order: "desc", limit: 1 }
  const query = { ...of, fields: Object.keys(formerSchema.entries).join(",") }
  const schema = v.object({ incidents: v.array(formerSchema) })
  const { incidents } = await api.call({ path: ["incidents"], query, schema, signal })
  return incidents[0] ?? null
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
