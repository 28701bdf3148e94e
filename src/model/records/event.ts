/** Events of an element, posted by clients or created by policies. */

import type { NameValue } from "../element.ts"
import type { EventLevel } from "./event-level.ts"
import type { Policy } from "./policy.ts"

/** The known facts about an element at the time of an event. */
export interface EventElement {
  readonly name: string
  readonly type: string
  readonly location: string | null
  readonly tags: readonly NameValue[]
}

/** One event as it is stored. */
export interface ElementEvent {
  readonly id: string
  readonly timeMs: number
  /** When the server accepted it. */
  readonly processedMs: number
  /** Cleaned; the element need not exist. */
  readonly elementFqn: string
  readonly elementId: string
  readonly level: EventLevel
  /** As sent, e.g. INFO; WEBHOOK for the text of a webhook; null for a policy's. */
  readonly type: string | null
  readonly title: string | null
  readonly source: string | null
  /** The posted object, or the result of a policy. */
  readonly data: Readonly<Record<string, unknown>>
  readonly tags: readonly NameValue[]
  readonly isExternal: boolean
  /** The policy at that time; null for an external event. */
  readonly policy: (Policy & { readonly id: string }) | null
  /** Null if the element of an external event is looked up when the event is read. */
  readonly element: EventElement | null
}
