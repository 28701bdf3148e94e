/** Changes of the catalogue by users, as they are sent to the thread that writes. */

import type { TenantIndex } from "../ids.ts"
import type { NameValue } from "../element.ts"

export type CatalogueEdit = ElementRemoval | TagEdit | ElementTagsEdit

/** Hides an element and its metrics until it is posted again; keeps its values. */
export interface ElementRemoval extends EditedElement {
  readonly kind: "removeElement"
}

/** Sets or removes service tags of an element, or of one of its metrics. */
export interface TagEdit extends EditedElement {
  readonly kind: "tags"
  /** FQN of the metric; null for the element itself. */
  readonly metric: string | null
  /** Merged by name with the existing ones. */
  readonly set: readonly NameValue[]
  /** Name of an existing tag to remove; null for none. */
  readonly remove: string | null
}

/** Sets and removes service tags of an element; one that it does not have is no error. */
export interface ElementTagsEdit extends EditedElement {
  readonly kind: "elementTags"
  /** Merged by name with the existing ones that are not removed. */
  readonly set: readonly NameValue[]
  readonly remove: readonly string[]
}

interface EditedElement {
  readonly tenant: TenantIndex
  /** FQN of the element. */
  readonly element: string
  readonly nowMs: number
}
