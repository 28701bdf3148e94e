/** The answer about the relations of an element (spec/queries §7), and what pages make of it. */

import * as v from "valibot"

export const relationsSchema = v.object({
  relationships: v.object({
    nodes: v.array(
      v.object({
        id: v.string(),
        label: v.string(),
        type: v.string(),
        metadata: v.object({ fqn: v.string() }),
      }),
    ),
    edges: v.array(v.object({ source: v.string(), target: v.string() })),
  }),
})

export interface RelatedElement {
  readonly id: string
  readonly fqn: string
  readonly name: string
  readonly type: string
}

export interface Relations {
  /** The element itself, and those within the asked steps of it. */
  readonly elements: readonly RelatedElement[]
  /** Ids: `member` is a member of `container`. */
  readonly memberships: readonly { readonly member: string; readonly container: string }[]
}
