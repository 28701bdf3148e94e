/** Annotations: what users note about an element or about everything, as events (spec/events §8). */

import { formatInstant } from "../../base/iso8601.ts"
import type { NameValue } from "../../model/element.ts"
import { elementUuid } from "../../model/fqn.ts"
import type { ElementEvent } from "../../model/records/event.ts"

export interface NewAnnotation {
  readonly timeMs: number
  /** Null: it has no duration. */
  readonly endMs: number | null
  readonly title: string
  readonly message: string | null
  /** Cleaned; null: about everything. */
  readonly elementFqn: string | null
  readonly tags: readonly NameValue[]
  /** E-mail of the user. */
  readonly author: string
}

const annotationType = "ANNOTATION"
const source = "user"

export function annotationEvent(
  note: NewAnnotation,
  made: { readonly id: string; readonly nowMs: number; readonly tenantUuid: string },
): ElementEvent {
  const { timeMs, endMs, title, message, author, tags } = note
  const elementFqn = note.elementFqn ?? ""
  return {
    id: made.id,
    timeMs,
    processedMs: made.nowMs,
    elementFqn,
    elementId: elementUuid(made.tenantUuid, elementFqn),
    level: "INFO",
    type: annotationType,
    title,
    source,
    data: {
      author,
      ...(message === null ? {} : { message }),
      ...(elementFqn === "" ? {} : { elementId: elementFqn }),
      ...(endMs === null ? {} : { endTime: formatInstant(endMs) }),
    },
    tags,
    isExternal: true,
    policy: null,
    element: null,
  }
}
