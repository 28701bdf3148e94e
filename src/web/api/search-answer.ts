/** The answer of a search (spec/search §1), without what asks for it. */

import * as v from "valibot"

const itemSchema = v.object({
  id: v.string(),
  title: v.string(),
  subtitle: v.string(),
  elements: v.optional(v.number()),
  tag: v.optional(v.object({ name: v.string(), value: v.string() })),
  link: v.object({ page: v.string(), id: v.nullable(v.string()) }),
})
export type SearchItem = v.InferOutput<typeof itemSchema>

const foundSchema = v.object({
  total: v.number(),
  isPartial: v.boolean(),
  items: v.array(itemSchema),
})
export type FoundOfKind = v.InferOutput<typeof foundSchema>

/** Kinds with a page that shows them. */
export const searchKinds = ["elements", "metrics", "tags", "views"] as const
export type SearchKind = (typeof searchKinds)[number]

export const searchAnswer = v.object({
  elements: v.optional(foundSchema),
  metrics: v.optional(foundSchema),
  tags: v.optional(foundSchema),
  views: v.optional(foundSchema),
})
export type SearchResults = v.InferOutput<typeof searchAnswer>

/** Values of one field, the best first (spec/search §6). */
export const valuesAnswer = v.object({
  total: v.number(),
  values: v.array(v.object({ value: v.string(), count: v.number() })),
})
export type FoundValues = v.InferOutput<typeof valuesAnswer>
