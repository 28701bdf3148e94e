/**
 * Puts what was found in order of a field of its documents, and cuts a page from it. Keys are made
 * once a name, definition or element, not once a metric, and become ranks; a million metrics are
 * then put in order by counting.
 */

import type { QueryBudget } from "../../base/query-budget.ts"
import type { MetricField } from "../../wire/metric-document.ts"
import { metricFields } from "../../wire/metric-document.ts"
import type { Sort } from "../../wire/filter/sort-body.ts"
import type { IndexSet } from "../core/index-set.ts"
import { metricSubject } from "./metric-subject.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { SeriesIndex } from "../../model/ids.ts"

export interface PageRange {
  readonly page: number
  readonly pageSize: number
}

/** One page of series in order of `sort`; in order of appearance if it is null. */
export function metricPage(
  context: QueryContext,
  found: IndexSet,
  { sort, page, pageSize }: PageRange & { readonly sort: Sort<MetricField> | null },
): Int32Array {
  const from = Math.min(page * pageSize, found.size)
  const to = Math.min(from + pageSize, found.size)
  if (sort === null) return found.slice(from, to)
  if (from === to) return new Int32Array(0)
  if (sort.field === "id") return sortById(context, found, sort).subarray(from, to)
  const { indexOf, count } = subjectsOf(context, sort.field)
  const members = found.toArray()
  const indexes = new Int32Array(members.length)
  // Some series of each, by which its value is read.
  const samples = new Int32Array(count).fill(-1)
  for (let i = 0; i < members.length; i++) {
    const index = indexOf(members[i]!)
    indexes[i] = index
    samples[index] = members[i]!
  }
  const keys = Array.from(samples, (one) => {
    context.budget.step()
    return one < 0 ? null : keyOf(context, one, sort)
  })
  const ranks = ranksOf(keys, sort, context.budget)
  return pageByRank(members, { indexes, ranks, from, to })
}

interface Subjects {
  /** The index of what a series shows in the field. */
  readonly indexOf: (series: SeriesIndex) => number
  readonly count: number
}

/** The subjects that a field belongs to: metric names, elements or definitions. */
function subjectsOf({ store }: QueryContext, field: MetricField): Subjects {
  const { catalogue } = store
  if (field === "fqn" || field === "name") {
    return { indexOf: (series) => catalogue.seriesName(series), count: catalogue.nameCount }
  }
  if (field === "elementId") {
    const indexOf = (series: SeriesIndex) => catalogue.seriesElement(series)
    return { indexOf, count: catalogue.elementCount }
  }
  const indexOf = (series: SeriesIndex) => catalogue.seriesDefinitionIndex(series)
  return { indexOf, count: catalogue.definitionCount }
}

/** Empty where the document has no such value. */
function keyOf(
  context: QueryContext,
  series: SeriesIndex,
  { field, tag }: Sort<MetricField>,
): string {
  const value = metricFields[field](metricSubject(context, series))
  if (tag === null) return value === null ? "" : String(value)
  return tagOf(value as Record<string, string>, tag)
}

/** Empty if there is no such tag. */
export function tagOf(tags: Readonly<Record<string, string>>, tag: string): string {
  return Object.hasOwn(tags, tag) ? tags[tag]! : ""
}

/**
 * The rank of each key, from 0; equal keys have one. Empty keys are missing values and go where the
 * sort says, in either direction. null: a key whose rank is not used.
 */
function ranksOf(
  keys: readonly (string | null)[],
  { descending, missingFirst }: Pick<Sort<string>, "descending" | "missingFirst">,
  budget: QueryBudget,
): Int32Array {
  const distinct = [...new Set(keys)].filter((key) => key !== null && key !== "") as string[]
  distinct.sort((left, right) => {
    budget.step()
    return left < right ? -1 : 1
  })
  if (descending) distinct.reverse()
  const rankOf = new Map<string | null, number>(
    distinct.map((key, i) => [key, missingFirst ? i + 1 : i]),
  )
  rankOf.set("", missingFirst ? 0 : distinct.length)
  return Int32Array.from(keys, (key) => rankOf.get(key) ?? 0)
}

interface RankedPage {
  /** The index of each member, and the rank of each index. */
  readonly indexes: Int32Array
  readonly ranks: Int32Array
  readonly from: number
  readonly to: number
}

/**
 * A counting sort: the counts of the ranks give the start of each rank, so only the ranks of the
 * page are sorted.
 */
function pageByRank(members: Int32Array, { indexes, ranks, from, to }: RankedPage): Int32Array {
  const starts = new Int32Array(ranks.reduce((most, rank) => Math.max(most, rank), 0) + 2)
  for (let i = 0; i < indexes.length; i++) starts[ranks[indexes[i]!]! + 1]!++
  for (let rank = 1; rank < starts.length; rank++) starts[rank]! += starts[rank - 1]!
  const shown = new Int32Array(to - from)
  for (let i = 0; i < indexes.length; i++) {
    const position = starts[ranks[indexes[i]!]!]!++
    if (position >= from && position < to) shown[position - from] = members[i]!
  }
  return shown
}

function sortById(
  { ids }: QueryContext,
  found: IndexSet,
  { descending }: Pick<Sort<MetricField>, "descending">,
): Int32Array {
  const ordered = ids.sortedById(found.toArray())
  return descending ? ordered.reverse() : ordered
}
