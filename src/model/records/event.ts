/** Events: what happened to an element, told from outside or found by a policy. */

import type { NameValue } from "../element.ts"
import type { EventLevel } from "./event-level.ts"
import type { Policy } from "./policy.ts"

/** What was known of an element when something happened to it. */
export interface EventElement {
  readonly name: string
  readonly type: string
  readonly location: string | null
  readonly tags: readonly NameValue[]
}

/** One event as it is kept. */
export interface ElementEvent {
  readonly id: string
  readonly timeMs: number
  /** When the server took it. */
  readonly processedMs: number
  /** Cleaned; the element need not exist. */
  readonly elementFqn: string
  readonly elementId: string
  readonly level: EventLevel
  /** As sent, e.g. INFO; WEBHOOK for the text of a webhook; null for a policy's. */
  readonly type: string | null
  readonly title: string | null
  readonly source: string | null
  /** The object that was posted, or what a policy found. */
  readonly data: Readonly<Record<string, unknown>>
  readonly tags: readonly NameValue[]
  readonly isExternal: boolean
  /** The policy as it was then; null for an external event. */
  readonly policy: (Policy & { readonly id: string }) | null
  /** Null where the element of an external event is looked up when it is read. */
  readonly element: EventElement | null
}
