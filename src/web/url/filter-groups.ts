/** Filter terms as the filter groups of a request (spec/queries §2). */

import type { FilterField, FilterTerm, FilterValue } from "./filter-language.ts"

interface FilterItem {
  readonly item?: string
  readonly key?: string
  readonly value?: string
  readonly literal?: boolean
  readonly contains?: boolean
  readonly queryType?: string
}

export interface FilterGroup {
  readonly and: boolean
  readonly items: readonly FilterItem[]
  readonly nestedItems?: readonly FilterGroup[]
}

/** Groups by column, for the bodies of queries. */
export type FilterGroups = Readonly<Record<string, FilterGroup>>

const columns: Readonly<Record<FilterField["kind"], string>> = {
  word: "elementTexts",
  type: "elementTypes",
  name: "elementNames",
  fqn: "elementFqns",
  location: "elementLocations",
  collector: "collectorNames",
  metric: "metricFqns",
  unit: "metricUnits",
  status: "elementStatuses",
  tag: "elementTags",
  attr: "attributes",
}

/** Fields whose plain values match a part of the text. */
const partFields: ReadonlySet<FilterField["kind"]> = new Set([
  "word",
  "name",
  "fqn",
  "location",
  "collector",
  "metric",
])

/** A group of texts one of which a subject has, letter by letter. */
export function exactly(texts: readonly string[]): FilterGroup {
  return {
    and: false,
    items: texts.map((item) => ({ item, literal: true, queryType: "EXACT" })),
  }
}

/** The groups of all terms, which all must let a subject pass. */
export function filterGroups(terms: readonly FilterTerm[]): FilterGroups {
  const byColumn = new Map<string, { items: FilterItem[]; nested: FilterGroup[] }>()
  for (const term of terms) {
    const column = columns[term.field.kind]
    const group = byColumn.get(column) ?? { items: [], nested: [] }
    byColumn.set(column, group)
    const items = itemsOf(term)
    if (!term.isNot) group.nested.push({ and: false, items })
    else for (const item of items) group.items.push({ ...item, contains: false })
  }
  return Object.fromEntries(
    [...byColumn].map(([column, { items, nested }]) => [
      column,
      { and: true, items, ...(nested.length > 0 && { nestedItems: nested }) },
    ]),
  )
}

function itemsOf({ field, values }: FilterTerm): FilterItem[] {
  const key = "key" in field ? { key: field.key } : {}
  if (values.length === 0) return [key]
  return values.map((value) => {
    const text = "key" in field ? { value: value.text } : { item: value.text }
    return { ...key, ...text, ...matchOf(field, value) }
  })
}

function matchOf({ kind }: FilterField, { text, match }: FilterValue): FilterItem {
  if (match === "pattern") return { queryType: "REGEX" }
  if (match === "equal") return { queryType: "EXACT", literal: true }
  const isPart = partFields.has(kind) && !text.includes("*")
  // Without a star a wildcard is equal but for case.
  return { queryType: isPart ? "CONTAINS" : "WILDCARD", literal: false }
}
