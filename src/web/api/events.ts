/** Calls about events: pages of them by a cursor, their numbers by time, annotations. */

import * as v from "valibot"
import type { ApiClient, Query } from "./client.ts"
import {
  annotationType,
  eventSchema,
  type Annotation,
  type ListedEvent,
} from "./event/event-answer.ts"
import type { AlarmLevel } from "./severity.ts"
import type { TimeRange } from "../url/time-range.ts"

export interface EventFilter {
  readonly startMs: number
  readonly endMs: number
  /** Empty for all. */
  readonly levels: readonly AlarmLevel[]
  /** Part of title, message, policy or element. */
  readonly text: string
  /** Id or FQN; absent for all. */
  readonly elementId?: string
}

export const eventPageSchema = v.object({
  events: v.array(eventSchema),
  next: v.nullable(v.string()),
})
export type EventPage = v.InferOutput<typeof eventPageSchema>

/** Events of an answer. */
export const pageEvents = 100

/** The newest events that pass, or those before a cursor. */
export function eventPage(
  api: ApiClient,
  filter: EventFilter,
  before: string | null,
  signal: AbortSignal,
): Promise<EventPage> {
  const query = {
    ...filterQuery(filter),
    order: "desc",
    limit: pageEvents,
    before: before ?? undefined,
  }
  return api.call({ path: ["events"], query, schema: eventPageSchema, signal })
}

const counts = v.array(v.number())
export const histogramSchema = v.object({
  start: v.number(),
  step: v.number(),
  levels: v.object({ INFO: counts, WARNING: counts, CRITICAL: counts }),
  /** There are more than the server looked at: the newest count. */
  isPartial: v.boolean(),
})
export type EventHistogram = v.InferOutput<typeof histogramSchema>

/** Elements of a call, by id; events of more are not asked for. Their ids are 2 kB of an address. */
export const askedElementsMax = 50
/** Three days of one policy that fires in each cycle. */
const spanEventsMax = 1_000

export interface EventsAsked extends TimeRange {
  /** Ids; of more than `askedElementsMax` none has its events. */
  readonly elementIds: readonly string[]
}

const spanSchema = v.object({ events: v.array(eventSchema) })

/** The newest events of a span, at most `spanEventsMax`. */
async function spanEvents(
  api: ApiClient,
  { startMs, endMs }: TimeRange,
  more: Query,
  signal: AbortSignal,
): Promise<readonly ListedEvent[]> {
  const span = { startTime: Math.round(startMs), endTime: Math.round(endMs) }
  const query = { ...span, order: "desc", limit: spanEventsMax, ...more }
  return (await api.call({ path: ["events"], query, schema: spanSchema, signal })).events
}

/** Events that were posted about elements, and annotations about everything, newest first. */
export async function postedEvents(
  api: ApiClient,
  { elementIds: ids, ...span }: EventsAsked,
  signal: AbortSignal,
): Promise<readonly ListedEvent[]> {
  const hasOwn = ids.length > 0 && ids.length <= askedElementsMax
  const [own, annotations] = await Promise.all([
    hasOwn ? spanEvents(api, span, { elementId: ids.join(), isExternal: true }, signal) : [],
    spanEvents(api, span, { type: annotationType }, signal),
  ])
  const general = annotations.filter(({ elementFqn }) => elementFqn === "")
  return [...own, ...general].toSorted((one, other) => other.timestamp - one.timestamp)
}

/** Events of policies at one element, newest first. */
export function firingsOf(
  api: ApiClient,
  elementId: string,
  span: TimeRange,
  signal: AbortSignal,
): Promise<readonly ListedEvent[]> {
  return spanEvents(api, span, { elementId, isExternal: false }, signal)
}

/** Numbers of the events that pass, in equal parts of the window. */
export function eventHistogram(
  api: ApiClient,
  filter: EventFilter,
  buckets: number,
  signal: AbortSignal,
): Promise<EventHistogram> {
  const query = { ...filterQuery(filter), buckets }
  return api.call({ path: ["events", "histogram"], query, schema: histogramSchema, signal })
}

/** Numbers of each level in all parts together. */
export function levelTotals({ levels }: EventHistogram): Record<AlarmLevel, number> {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  return { critical: sum(levels.CRITICAL), warning: sum(levels.WARNING), info: sum(levels.INFO) }
}

function filterQuery({ startMs, endMs, levels, text, elementId }: EventFilter) {
  return {
    elementId,
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
    category: levels.length === 0 ? undefined : levels.join(",").toUpperCase(),
    q: text === "" ? undefined : text,
  }
}

export async function annotate(api: ApiClient, annotation: Annotation): Promise<void> {
  await api.call({ method: "POST", path: ["events"], body: annotation, schema: null })
}
