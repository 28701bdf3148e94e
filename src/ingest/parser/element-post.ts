/** One post of an element within a body. */

import type { ElementIndex } from "../../model/ids.ts"
import type { ElementPatch } from "../../model/element.ts"
import type { PostedMetrics } from "./posted-metrics.ts"

/** One element of the body. Several posts of one element are applied in order. */
export interface ElementPost {
  readonly fqn: string
  /** Index in the catalogue, also of a deleted element; -1 if the element is new. */
  readonly element: ElementIndex
  readonly patch: ElementPatch
  readonly metrics: PostedMetrics
  /**
   * Ordinals of the element's provisional series by metric fqn, shared by all posts of the element.
   * Created with the first one: most posts of a thousand elements have none.
   */
  provisional: Map<string, number> | undefined
  /** The first ordinal that this post may have added. */
  readonly firstProvisional: number
}
