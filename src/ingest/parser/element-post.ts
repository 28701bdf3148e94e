/** A post of one element within a body. */

import type { ElementPatch, MetricPatch } from "../../model/element.ts"

/** One element of the body. Two posts of one element are applied one after the other. */
export interface ElementPost {
  readonly fqn: string
  /** Index in the catalogue, or -1 where the element is new. */
  readonly element: number
  readonly patch: ElementPatch
  readonly metrics: ReadonlyMap<string, MetricPatch>
  /**
   * Ordinals of the element's unborn series by metric fqn; shared by all posts of the element, and
   * made with the first of them: most posts of a thousand elements have none.
   */
  provisional: Map<string, number> | undefined
  /** First ordinal that this post may have added to. */
  readonly firstProvisional: number
}
