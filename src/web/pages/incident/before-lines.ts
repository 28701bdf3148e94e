/** Events before an incident: posted ones first, then firings of other policies. */

import { annotationType, type ListedEvent } from "../../api/event/event-answer.ts"
import { groupEvents, type EventGroup } from "../../api/event/event-groups.ts"

export interface BeforeEvents {
  /** Annotations and events from outside, newest first. */
  readonly posted: readonly ListedEvent[]
  /** Events of policies, newest first. */
  readonly firings: readonly ListedEvent[]
  /** The policy of the incident, whose own firings are not listed. */
  readonly policyId: string
}

/** Annotations, then other posted events, then firings. */
export function beforeLines(before: BeforeEvents): readonly EventGroup<ListedEvent>[] {
  const { posted, firings, policyId } = before
  const isNote = ({ type }: ListedEvent): boolean => type === annotationType
  const foreign = posted.filter((event) => !isNote(event))
  const others = firings.filter(({ policy }) => policy?.id !== policyId)
  return [posted.filter(isNote), foreign, others].flatMap((events) => {
    return groupEvents(events, false, "title")
  })
}
