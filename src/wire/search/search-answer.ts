/** The answer of GET `/search`: what was found, by kind. */

import { flag, listOf, optional, orNull, record, text } from "../answer.ts"
import { described, wholeNumber, type Written } from "../answer.ts"

/** Kinds that the catalogue has. */
export const catalogueKinds = ["elements", "metrics", "tags"] as const
export type CatalogueKind = (typeof catalogueKinds)[number]

/** Kinds of records. */
export const recordKinds = ["dashboards", "policies", "packages", "views"] as const
export type RecordKind = (typeof recordKinds)[number]

export const searchKinds = [...catalogueKinds, ...recordKinds] as const
export type SearchKind = CatalogueKind | RecordKind

const linkPages = ["elements", "explore", "inventory", "dashboards", "policies", "packages"]

const item = record({
  id: described(text, "A UUID; of a metric its FQN, of a tag `name:value`"),
  title: text,
  subtitle: described(text, "Type of an element, unit of a metric, description; may be empty"),
  elements: described(optional(wholeNumber), "Elements with this metric or tag"),
  tag: optional(record({ name: text, value: text })),
  link: record({
    page: described(text, `The page that shows it: ${linkPages.join(", ")}, or that of a view`),
    id: described(orNull(text), "What the page shows of it; of a view its parameters"),
  }),
})

const found = record({
  total: wholeNumber,
  isPartial: described(flag, "There may be more than `total`: not all were counted"),
  items: described(listOf(item), "Best ones first"),
})

export type FoundItem = Written<typeof item>
export type FoundItems = Written<typeof found>

/** Kinds that were not asked for are absent. */
export const searchAnswer = record({
  elements: optional(found),
  metrics: optional(found),
  tags: optional(found),
  dashboards: optional(found),
  policies: optional(found),
  packages: optional(found),
  views: optional(found),
})

export const valuesAnswer = record({
  total: described(wholeNumber, "Distinct values that match"),
  values: described(
    listOf(
      record({
        value: text,
        count: described(wholeNumber, "Elements with this value; of a unit, metrics"),
      }),
    ),
    "Best ones first",
  ),
})
export type FoundValues = Written<typeof valuesAnswer>

export const treeAnswer = record({
  prefix: text,
  nodes: described(
    listOf(
      record({
        segment: described(text, "The part of the name after the prefix, up to the next dot"),
        fqn: described(text, "The prefix and the segment"),
        isLeaf: described(flag, "A metric has this name"),
        children: described(wholeNumber, "Names that go on below"),
        metrics: described(wholeNumber, "Metrics with this name or one below"),
        elements: described(wholeNumber, "Elements with one of these metrics"),
        unit: described(orNull(text), "Null if they differ"),
      }),
    ),
    "Most metrics first",
  ),
  truncated: described(flag, "There are more nodes than are listed"),
})
export type MetricTree = Written<typeof treeAnswer>
