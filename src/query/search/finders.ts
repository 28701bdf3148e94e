/** Finds the elements, metric names and tags that match a search best. */

import { searchMatchesMax } from "../../base/limits/search.ts"
import type { QueryBudget } from "../../base/query-budget.ts"
import type { ElementIndex, SeriesIndex } from "../../model/ids.ts"
import { dayMs } from "../../model/resolution.ts"
import type { CatalogueKind, FoundItem, FoundItems } from "../../wire/search/search-answer.ts"
import type { QueryContext } from "../core/query-context.ts"
import { untilNow } from "../core/window.ts"
import { forEachSeriesOf } from "../filter/search.ts"
import { tagText, type TenantNames } from "../names/name-index.ts"
import { BestMatches, rankOf, type RankedMatch, type SearchTerm } from "../names/rank.ts"
import type { TextIndex } from "../names/text-index.ts"

interface Search {
  readonly context: QueryContext
  readonly names: TenantNames
  readonly term: SearchTerm
  /** Results. */
  readonly limit: number
  readonly nowMs: number
}

/** Candidates for each result: within a rank, those with recent data come first. */
const candidatesPerResult = 2
/** Metrics by which an element or a name is known to have data; clients post them together. */
const probedMetrics = 2
/** Lines that are looked through for equal texts and for prefixes if not all matches are ranked. */
const startsMax = 1_000

export const finders: Readonly<Record<CatalogueKind, (search: Search) => Promise<FoundItems>>> = {
  async elements(search) {
    const { context, names } = search
    const { catalogue } = context.store
    const found = findTexts(names.elements, search, (one) => !catalogue.isDeleted(one))
    const best = await recentFirst(found.matches, search, (element) => [
      ...catalogue.elementSeries(element).subarray(0, probedMetrics),
    ])
    return { ...found.counts, items: best.map((element) => elementItem(context, element)) }
  },
  async metrics(search) {
    const { context, names } = search
    const isListed = (name: number) => someSeriesOf(context, name, 1).length > 0
    const found = findTexts(names.metrics, search, isListed)
    const best = await recentFirst(found.matches, search, (name) =>
      someSeriesOf(context, name, probedMetrics),
    )
    return { ...found.counts, items: best.map((name) => metricItem(context, name)) }
  },
  async tags(search) {
    const { names, limit } = search
    const found = findTexts(names.tags, search, (tag) => names.tag(tag).elements > 0)
    const best = found.matches.slice(0, limit).map(({ thing }) => names.tag(thing))
    const items = best.map(({ name, value, elements }): FoundItem => {
      const id = tagText({ name, value })
      const link = { page: "inventory", id }
      return { id, title: id, subtitle: "", elements, tag: { name, value }, link }
    })
    return { ...found.counts, items }
  },
}

interface FoundTexts {
  readonly counts: Pick<FoundItems, "total" | "isPartial">
  /** The best ones first; `candidatesPerResult` for each result. */
  readonly matches: readonly RankedMatch<number>[]
}

/** The best texts of an index. `isListed`: whether its number may be shown. */
function findTexts(
  index: TextIndex,
  { context: { budget }, term, limit }: Search,
  isListed: (number: number) => boolean,
): FoundTexts {
  const best = new BestMatches<number>(candidatesPerResult * limit)
  let last = -1
  const offer = (thing: number, text: string): boolean => {
    const rank = rankOf(text, term)
    if (rank === null || !isListed(thing)) return false
    best.offer({ thing, rank, text })
    return true
  }
  const count = (thing: number, text: string): boolean => {
    // The texts of one thing follow each other, and it counts once.
    if (offer(thing, text) && thing !== last) {
      best.total++
      last = thing
    }
    return best.total < searchMatchesMax
  }
  const isPartial = !index.scan(index.rarest(term.words), count, budget)
  if (isPartial) offerStarts(index, term, { offer, budget })
  return { counts: { total: best.total, isPartial }, matches: best.list() }
}

/** Offers equal texts and those with the term as a prefix, wherever they are in the index. */
function offerStarts(
  index: TextIndex,
  { text }: SearchTerm,
  of: { readonly offer: (thing: number, text: string) => void; readonly budget: QueryBudget },
): void {
  for (const part of [`\n${text}\n`, `\n${text}`]) {
    let seen = 0
    const visit = (thing: number, line: string): boolean => {
      of.offer(thing, line)
      return ++seen < startsMax
    }
    index.scan(part, visit, of.budget)
  }
}

/**
 * The best `limit` things; of those of one rank, the ones with data within a day first.
 * `probesOf`: the metrics of a thing by which that is known.
 */
async function recentFirst(
  matches: readonly RankedMatch<number>[],
  { context: { store }, limit, nowMs }: Search,
  probesOf: (thing: number) => readonly SeriesIndex[],
): Promise<number[]> {
  if (matches.length < 2) return matches.map(({ thing }) => thing)
  const probes = matches.map(({ thing }) => probesOf(thing))
  const series = Int32Array.from(new Set(probes.flat()))
  const span = untilNow(nowMs, dayMs)
  const seenMs = await store.lastSeen({ series, span, onlyWhether: true }, null)
  const isSeen = new Set([...series].filter((_, i) => !Number.isNaN(seenMs[i]!)))
  const order = matches.map(({ thing, rank }, i) => {
    const isRecent = probes[i]!.some((one) => isSeen.has(one))
    return { thing, rank: 2 * rank + (isRecent ? 0 : 1) }
  })
  order.sort((one, other) => one.rank - other.rank)
  return order.slice(0, limit).map(({ thing }) => thing)
}

/** The first `count` series of a metric name whose elements exist. */
function someSeriesOf({ store }: QueryContext, name: number, count: number): SeriesIndex[] {
  const { catalogue } = store
  const some: SeriesIndex[] = []
  for (const partition of catalogue.partitionsOfName(name)) {
    for (const series of catalogue.partitionSeries(partition)) {
      if (series < 0 || catalogue.isDeleted(catalogue.seriesElement(series))) continue
      some.push(series)
      if (some.length === count) return some
    }
  }
  return some
}

function elementItem({ store, ids }: QueryContext, element: ElementIndex): FoundItem {
  const { catalogue } = store
  const { name, type } = catalogue.elementInfo(element)
  const link = { page: "elements", id: catalogue.elementFqn(element) }
  return { id: ids.elementId(element), title: name, subtitle: type, link }
}

function metricItem(context: QueryContext, name: number): FoundItem {
  const { catalogue } = context.store
  const { fqn } = catalogue.name(name)
  let elements = 0
  let unit = ""
  forEachSeriesOf(context, name, (series) => {
    context.budget.step()
    if (catalogue.isDeleted(catalogue.seriesElement(series))) return
    if (elements++ === 0) ({ unit } = catalogue.seriesDefinition(series))
  })
  return { id: fqn, title: fqn, subtitle: unit, elements, link: { page: "explore", id: fqn } }
}
