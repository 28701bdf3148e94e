/**
 * Metrics and elements that were found, and of these, where a query has dates, those that had data
 * in its window. Most are seen in the store when the question is planned; only for the others is
 * the writer asked for what it has not folded.
 *
 *   plan     found ──► seen in the store: `present`      the rest: `series`, asked from the writer
 *   answer   present ∪ those of the rest that are seen now
 */

import { assert } from "../../base/assert.ts"
import { cycleMs } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { UnflushedSamples } from "../../store/store.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import type { Problems } from "../../wire/problems.ts"
import { findElements, findSeries } from "./search.ts"
import { IndexSet } from "../core/index-set.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { readWindow } from "../core/window.ts"

/** What a question looks for. */
export interface SearchCriteria {
  readonly filter: Filter
  /** Keeps what had data in it; null keeps all. */
  readonly span: Span | null
}

/** The part of a plan that tells what was found already. */
export interface PartialMatch extends SearchCriteria {
  /** Series or elements that were seen when the question was planned; null where `span` is. */
  readonly matched: Int32Array | null
}

/** The window of a body; null where it has no dates. */
export function readDates(
  { startDate, endDate }: { startDate: string | undefined; endDate: string | undefined },
  nowMs: number,
  problems: Problems,
): Span | null {
  if (startDate === undefined && endDate === undefined) return null
  const start = { field: "startDate", text: startDate }
  const end = { field: "endDate", text: endDate }
  return readWindow({ duration: undefined, start, end }, nowMs, problems)
}

/** Looks for metrics; `question` is handed to `matchedSeries`. */
export function planSeriesSearch(
  reader: QueryContext,
  tenant: number,
  wanted: SearchCriteria,
): QueryPlanOf<PartialMatch> {
  const { filter, span } = wanted
  if (span === null) return nothingOpen({ ...wanted, matched: null })
  const found = findSeries(reader, tenant, filter).toArray()
  const [matched, rest] = split(found, activityOf(reader, found, span, null))
  return { ...openOf(rest, span), question: { ...wanted, matched } }
}

/** The metrics of a plan. */
export function matchedSeries(
  reader: QueryContext,
  tenant: number,
  { plan, open }: { plan: QueryPlanOf<PartialMatch>; open: UnflushedSamples | null },
): IndexSet {
  const { filter, span, matched } = plan.question
  if (span === null) return findSeries(reader, tenant, filter)
  assert(matched !== null, "Expected a plan with dates to tell what is present")
  const found = IndexSet.of(reader.store.catalogue.seriesCount, matched)
  const seen = activityOf(reader, plan.series, span, open)
  plan.series.forEach((series, i) => seen[i] === 1 && found.add(series))
  return found
}

/** Looks for elements; one is seen when any of its metrics is. */
export function planElementSearch(
  reader: QueryContext,
  tenant: number,
  wanted: SearchCriteria,
): QueryPlanOf<PartialMatch> {
  const { filter, span } = wanted
  if (span === null) return nothingOpen({ ...wanted, matched: null })
  const found = findElements(reader, tenant, filter).toArray()
  // Whoever speaks mostly speaks of all: one metric each leaves few elements to look at whole.
  const [seenByOne, others] = split(found, activeElements(reader, found, { span, metricsMax: 1 }))
  const [seenByAny, rest] = split(
    others,
    activeElements(reader, others, { span, metricsMax: Infinity }),
  )
  const matched = new Int32Array(seenByOne.length + seenByAny.length)
  matched.set(seenByOne)
  matched.set(seenByAny, seenByOne.length)
  return { ...openOf(seriesOf(reader, rest, Infinity), span), question: { ...wanted, matched } }
}

/** The elements of a plan. */
export function matchedElements(
  reader: QueryContext,
  tenant: number,
  { plan, open }: { plan: QueryPlanOf<PartialMatch>; open: UnflushedSamples | null },
): IndexSet {
  const { filter, span, matched } = plan.question
  if (span === null) return findElements(reader, tenant, filter)
  assert(matched !== null, "Expected a plan with dates to tell what is present")
  const { catalogue } = reader.store
  const found = IndexSet.of(catalogue.elementCount, matched)
  const seen = activityOf(reader, plan.series, span, open)
  plan.series.forEach((one, i) => seen[i] === 1 && found.add(catalogue.seriesElement(one)))
  return found
}

function nothingOpen(question: PartialMatch): QueryPlanOf<PartialMatch> {
  return { series: new Int32Array(0), span: null, question }
}

/** What the writer is asked for: one sample of each of the series is enough. */
function openOf(
  series: Int32Array,
  span: Span,
): Pick<QueryPlanOf<PartialMatch>, "series" | "span" | "onlyFirst"> {
  return { series, span: series.length === 0 ? null : wholeCycles(span), onlyFirst: true }
}

/** A bucket counts by its start, so the cycles in which a window begins and ends are whole. */
function wholeCycles({ startMs, endMs }: Span): Span {
  return {
    startMs: Math.floor(startMs / cycleMs) * cycleMs,
    endMs: Math.ceil(endMs / cycleMs) * cycleMs,
  }
}

/** 1 for each of the series that had data. */
function activityOf(
  { store }: QueryContext,
  series: Int32Array,
  span: Span,
  open: UnflushedSamples | null,
): Uint8Array {
  if (series.length === 0 || span.startMs === span.endMs) return new Uint8Array(series.length)
  const seenMs = store.lastSeen({ series, span, onlyWhether: true }, open)
  const seen = new Uint8Array(series.length)
  for (let i = 0; i < seen.length; i++) seen[i] = Number.isNaN(seenMs[i]) ? 0 : 1
  return seen
}

/** 1 for each of the elements of which one of the first `metricsMax` metrics had data. */
function activeElements(
  reader: QueryContext,
  elements: Int32Array,
  { span, metricsMax }: { span: Span; metricsMax: number },
): Uint8Array {
  const series = seriesOf(reader, elements, metricsMax)
  const seen = activityOf(reader, series, span, null)
  const { catalogue } = reader.store
  const found = new IndexSet(catalogue.elementCount)
  series.forEach((one, i) => seen[i] === 1 && found.add(catalogue.seriesElement(one)))
  return Uint8Array.from(elements, (element) => (found.has(element) ? 1 : 0))
}

/** The first metrics of each element, `metricsMax` of them. */
export function seriesOf(
  { store }: Pick<QueryContext, "store">,
  elements: Int32Array,
  metricsMax = Infinity,
): Int32Array {
  const lists = Array.from(elements, (element) =>
    store.catalogue.elementSeries(element).subarray(0, metricsMax),
  )
  const series = new Int32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let at = 0
  for (const list of lists) {
    series.set(list, at)
    at += list.length
  }
  return series
}

/** Members with a 1, and the others. Plain loops: for a million members `filter` takes 80 ms. */
function split(members: Int32Array, marks: Uint8Array): [Int32Array, Int32Array] {
  const sides = [new Int32Array(members.length), new Int32Array(members.length)] as const
  const counts = [0, 0]
  for (let i = 0; i < members.length; i++) {
    const side = marks[i] === 1 ? 0 : 1
    sides[side][counts[side]!++] = members[i]!
  }
  // Slices: of a part of an array a thread would be sent the whole.
  return [sides[0].slice(0, counts[0]), sides[1].slice(0, counts[1])]
}
