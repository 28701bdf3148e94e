/** Marks of what happened in the range of a chart, to what it shows and to everything. */

import { firingsOf, postedEvents, type EventsAsked } from "../../api/events.ts"
import type { ApiClient } from "../../api/client.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { eventMarks, type EventMark } from "./event-marks.ts"
import { text } from "./text.ts"

export interface MarksAsked extends Pick<EventsAsked, "elementIds"> {
  readonly range: TimeRange
  /** A policy whose firings the chart shows already. */
  readonly withoutPolicy?: string
}

/**
 * Posted events of the elements and those about everything; firings if there is one element: those
 * of several would be bars without an end.
 */
export async function readMarks(
  api: ApiClient,
  { elementIds, range, withoutPolicy }: MarksAsked,
  signal: AbortSignal,
): Promise<readonly EventMark[]> {
  const [only, ...others] = elementIds
  const [posted, fired] = await Promise.all([
    postedEvents(api, { ...range, elementIds }, signal),
    only === undefined || others.length > 0 ? [] : firingsOf(api, only, range, signal),
  ])
  const shown = fired.filter(({ policy }) => policy?.id !== withoutPolicy)
  const events = [...posted, ...shown].map(({ timestamp, category, title, policy }) => ({
    timestamp,
    level: category.name,
    title: title ?? policy?.name ?? text.event,
    policyId: policy?.id ?? null,
  }))
  return eventMarks(events, range)
}
