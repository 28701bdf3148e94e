/** The terms by which elements are counted. */

import type { ElementInfo, NameValue } from "../../model/element.ts"
import type { MapGroup } from "../../wire/filter/list-group.ts"
import type { CountedValue } from "../filter/aggregations.ts"
import { customCollectorName, elementTags } from "../filter/columns.ts"
import { pairsMatcher } from "../filter/filter.ts"
import { PatternCache } from "../core/pattern-cache.ts"
import type { IndexSet } from "../core/index-set.ts"
import type { QueryContext } from "../core/query-context.ts"

/** `counted` chooses among tags or attributes; null counts all of them. */
type CountBy = (context: QueryContext, found: IndexSet, counted: MapGroup | null) => CountedValue[]

/** By term; counts of tags and attributes include the values of each name. */
export const elementTerms = {
  elementType: (context, found) => countTexts(context, found, ({ type }) => type),
  attributes: (context, found, counted) =>
    countPairs(context, found, { counted, pairsOf: ({ attributes }) => attributes }),
  tags: (context, found, counted) => countPairs(context, found, { counted, pairsOf: elementTags }),
  "collectors.name": (context, found) => countTexts(context, found, () => customCollectorName),
} as const satisfies Record<string, CountBy>

export type ElementTerm = keyof typeof elementTerms

export function isElementTerm(text: string): text is ElementTerm {
  return Object.hasOwn(elementTerms, text)
}

function countTexts(
  { store, budget }: QueryContext,
  found: IndexSet,
  textOf: (info: ElementInfo) => string,
): CountedValue[] {
  const counts = new Map<string, number>()
  found.forEach((element) => {
    budget.step()
    increase(counts, textOf(store.catalogue.elementInfo(element)))
  })
  return valuesOf(counts)
}

/** An element counts once for a name, even if it has two values of it. */
function countPairs(
  { store, budget }: QueryContext,
  found: IndexSet,
  what: {
    readonly counted: MapGroup | null
    readonly pairsOf: (info: ElementInfo) => readonly NameValue[]
  },
): CountedValue[] {
  const { counted, pairsOf } = what
  const patterns = new PatternCache(budget, { remembers: true })
  const passes = counted === null ? null : pairsMatcher(counted, patterns)
  const counts = new Map<string, number>()
  const values = new Map<string, Map<string, number>>()
  found.forEach((element) => {
    budget.step()
    const info = store.catalogue.elementInfo(element)
    const pairs = pairsOf(info).filter((pair) => passes === null || passes([pair]))
    for (const name of new Set(pairs.map((pair) => pair.name))) increase(counts, name)
    for (const { name, value } of pairs) {
      if (!values.has(name)) values.set(name, new Map())
      increase(values.get(name)!, value)
    }
  })
  return valuesOf(counts).map((one) => ({
    ...one,
    values: valuesOf(values.get(one.fieldValue)!),
  }))
}

function increase(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1)
}

function valuesOf(counts: ReadonlyMap<string, number>): CountedValue[] {
  return [...counts].map(([fieldValue, count]) => ({ fieldValue, count }))
}
