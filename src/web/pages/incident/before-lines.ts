/** Events before an incident: posted ones first, then firings of other policies. */

import { annotationType, type ListedEvent } from "../../api/event/event-answer.ts"
import { worstLevel, type AlarmLevel } from "../../api/severity.ts"
import { groupBy } from "../../platform/group-by.ts"

/** Equal events as one line. */
export interface BeforeLine {
  /** The newest one. */
  readonly event: ListedEvent
  readonly level: AlarmLevel
  readonly count: number
  readonly firstMs: number
}

export interface BeforeEvents {
  /** Annotations and events from outside, newest first. */
  readonly posted: readonly ListedEvent[]
  /** Events of policies, newest first. */
  readonly firings: readonly ListedEvent[]
  /** The policy of the incident, whose own firings are not listed. */
  readonly policyId: string
}

/** Annotations, then other posted events, then firings: a line for each title or policy. */
export function beforeLines({ posted, firings, policyId }: BeforeEvents): readonly BeforeLine[] {
  const isNote = ({ type }: ListedEvent): boolean => type === annotationType
  const foreign = posted.filter((event) => !isNote(event))
  const others = firings.filter(({ policy }) => policy?.id !== policyId)
  return [
    ...joined(posted.filter(isNote), ({ id }) => id),
    ...joined(foreign, ({ title, source }) => JSON.stringify([title, source])),
    ...joined(others, ({ policy }) => policy?.id ?? ""),
  ]
}

/** `events`: newest first, as are the lines. */
function joined(
  events: readonly ListedEvent[],
  keyOf: (event: ListedEvent) => string,
): BeforeLine[] {
  return Array.from(groupBy(events, keyOf).values(), (own) => ({
    event: own[0],
    level: worstLevel(own.map(({ category }) => category.name)),
    count: own.length,
    firstMs: own.at(-1)!.timestamp,
  }))
}
