/** What people change in the catalogue, as it travels to the thread that writes. */

import type { NameValue } from "../element.ts"

export type CatalogueEdit = ElementRemoval | TagEdit

/** Hides an element and its metrics until it is posted again; its values stay. */
export interface ElementRemoval extends EditedElement {
  readonly kind: "removeElement"
}

/** Sets or removes service tags of an element, or of one of its metrics. */
export interface TagEdit extends EditedElement {
  readonly kind: "tags"
  /** FQN of the metric; null for the element itself. */
  readonly metric: string | null
  /** Merged by name with those that are set. */
  readonly set: readonly NameValue[]
  /** Name of a tag that must be set; null where none goes. */
  readonly remove: string | null
}

interface EditedElement {
  readonly tenant: number
  /** FQN of the element. */
  readonly element: string
  readonly nowMs: number
}
