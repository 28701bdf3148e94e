/** Calls about events: pages of them by a cursor, their numbers by time, annotations. */

import * as v from "valibot"
import type { ApiClient, Query } from "./client.ts"
import { severity, type AlarmLevel } from "./severity.ts"

export interface EventFilter {
  readonly startMs: number
  readonly endMs: number
  /** Empty for all. */
  readonly levels: readonly AlarmLevel[]
  /** Part of title, message, policy or element. */
  readonly text: string
}

const eventSchema = v.object({
  id: v.string(),
  timestamp: v.pipe(v.string(), v.transform(Date.parse)),
  category: v.object({ name: severity }),
  title: v.nullable(v.string()),
  source: v.nullable(v.string()),
  /** Empty for an event about everything. */
  elementFqn: v.string(),
  elementName: v.string(),
  policy: v.nullable(v.object({ id: v.string(), name: v.string() })),
  data: v.record(v.string(), v.unknown()),
})
export type ListedEvent = v.InferOutput<typeof eventSchema>

const pageSchema = v.object({ events: v.array(eventSchema), next: v.nullable(v.string()) })
export type EventPage = v.InferOutput<typeof pageSchema>

/** Events of an answer. */
const pageEvents = 100

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
  return api.call({ path: ["events"], query, schema: pageSchema, signal })
}

const counts = v.array(v.number())
export const histogramSchema = v.object({
  start: v.number(),
  step: v.number(),
  levels: v.object({ INFO: counts, WARNING: counts, CRITICAL: counts }),
})
export type EventHistogram = v.InferOutput<typeof histogramSchema>

export interface EventsAround {
  readonly elementId: string
  readonly startMs: number
  readonly endMs: number
  /** Of the element, and as many annotations. */
  readonly limit?: number
}

/** Events of a span about an element or about everything, the newest first. */
export async function eventsAround(
  api: ApiClient,
  about: EventsAround,
  signal: AbortSignal,
): Promise<readonly ListedEvent[]> {
  const span = { startTime: Math.round(about.startMs), endTime: Math.round(about.endMs) }
  const query = { ...span, order: "desc", limit: about.limit ?? pageEvents }
  const read = async (more: Query) => {
    const schema = v.object({ events: v.array(eventSchema) })
    const asked = { ...query, ...more }
    return (await api.call({ path: ["events"], query: asked, schema, signal })).events
  }
  const [own, annotations] = await Promise.all([
    read({ elementId: about.elementId }),
    read({ type: "ANNOTATION" }),
  ])
  const general = annotations.filter(({ elementFqn }) => elementFqn === "")
  return [...own, ...general].toSorted((one, other) => other.timestamp - one.timestamp)
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

function filterQuery({ startMs, endMs, levels, text }: EventFilter) {
  return {
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
    category: levels.length === 0 ? undefined : levels.join(",").toUpperCase(),
    q: text === "" ? undefined : text,
  }
}

export interface Annotation {
  readonly title: string
  readonly message?: string
  /** An id or FQN; absent for everything. */
  readonly elementId?: string
}

/** Writes an annotation as of now. */
export async function annotate(api: ApiClient, annotation: Annotation): Promise<void> {
  await api.call({ method: "POST", path: ["events"], body: annotation, schema: null })
}
