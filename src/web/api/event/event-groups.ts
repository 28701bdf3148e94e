/** Events that are one line of a list: firings of one policy, and equal events from outside. */

import { groupBy } from "../../platform/group-by.ts"
import { worstLevel, type AlarmLevel } from "../severity.ts"
import { annotationType, type ListedEvent } from "./event-answer.ts"

type Groupable = Pick<
  ListedEvent,
  "id" | "timestamp" | "category" | "policy" | "type" | "title" | "source"
>

export interface EventGroup<Event> {
  /** Of the first event, which stays while others join. */
  readonly key: string
  /** One or more, newest first. */
  readonly events: readonly [Event, ...Event[]]
  /** The worst one of the events. */
  readonly level: AlarmLevel
  /** Whether older events that are not loaded may belong to it. */
  readonly isCut: boolean
}

/**
 * Of an element a policy fires in many cycles; of all elements, at many elements in one cycle. Of a
 * summary events from outside with one title are one line too; annotations never are.
 */
export type EventsBy = "cycle" | "policy" | "title"

/**
 * Groups in the order of their first events. `events`: newest first; `hasOlder`: there are older
 * ones than these.
 */
export function groupEvents<Event extends Groupable>(
  events: readonly Event[],
  hasOlder: boolean,
  by: EventsBy,
): readonly EventGroup<Event>[] {
  const lastMs = events.at(-1)?.timestamp
  return Array.from(
    groupBy(events, (event) => groupKey(event, by)),
    ([key, own]) => {
      const mayGoOn = by !== "cycle" || own[0].timestamp === lastMs
      const level = worstLevel(own.map(({ category }) => category.name))
      return { key, events: own, level, isCut: hasOlder && mayGoOn && key !== own[0].id }
    },
  )
}

/** Of an event that is a line of its own its id. */
function groupKey({ id, timestamp, policy, type, title, source }: Groupable, by: EventsBy): string {
  if (policy !== null) return by === "cycle" ? `${policy.id} ${timestamp}` : policy.id
  return by === "title" && type !== annotationType ? JSON.stringify([title, source]) : id
}
