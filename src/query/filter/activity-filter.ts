/**
 * Searches metrics and elements by a filter and, if the query has dates, by activity: only those
 * with data in the window pass. The store proves most of them active when the query is planned; the
 * writer is asked for unflushed samples of the others only.
 *
 *   plan     found ──► active by the store: `matched`     the rest: `series`, asked from the writer
 *   answer   `matched` ∪ those of the rest that are active now
 */

import { assert } from "../../base/assert.ts"
import type { TenantIndex } from "../../model/ids.ts"
import { cycleMs } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import type { Problems } from "../../wire/problems.ts"
import type { PlannedQuery } from "../core/define-query.ts"
import { IndexSet } from "../core/index-set.ts"
import type { QueryContext } from "../core/query-context.ts"
import { withoutSamples, type QueryPlanOf } from "../core/query-plan.ts"
import { readWindow } from "../core/window.ts"
import { findElements, findSeries } from "./search.ts"

export interface SearchCriteria {
  readonly filter: Filter
  /** Metrics and elements must have data in it; null skips this test. */
  readonly span: Span | null
}

/** Criteria, and the matches that the plan found already. */
export interface PartialMatch extends SearchCriteria {
  /** Series or elements that were active at planning time; null if `span` is. */
  readonly matched: Int32Array | null
}

/** The window of a body; null if it has no dates. */
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

/** Plans a search for metrics, which `matchedSeries` finishes. */
export async function planSeriesSearch(
  context: QueryContext,
  tenant: TenantIndex,
  criteria: SearchCriteria,
): Promise<QueryPlanOf<PartialMatch>> {
  const { filter, span } = criteria
  if (span === null) return withoutSamples({ ...criteria, matched: null })
  const found = (await findSeries(context, tenant, filter)).toArray()
  const [matched, rest] = split(found, await activityOf(context, found, span, null))
  return { ...presenceOf(rest, span), query: { ...criteria, matched } }
}

/** The series that match a planned search. */
export async function matchedSeries(
  context: QueryContext,
  { plan, tenant, unflushed }: PlannedQuery<PartialMatch>,
): Promise<IndexSet> {
  const { filter, span, matched } = plan.query
  if (span === null) return findSeries(context, tenant, filter)
  assert(matched !== null, "Expected a plan with dates to have matches")
  const active = await activityOf(context, plan.series, span, unflushed)
  const found = IndexSet.of(context.store.catalogue.seriesCount, matched)
  plan.series.forEach((series, i) => active[i] === 1 && found.add(series))
  return found
}

/** Plans a search for elements, which `matchedElements` finishes. Any active metric is enough. */
export async function planElementSearch(
  context: QueryContext,
  tenant: TenantIndex,
  criteria: SearchCriteria,
): Promise<QueryPlanOf<PartialMatch>> {
  const { filter, span } = criteria
  if (span === null) return withoutSamples({ ...criteria, matched: null })
  const found = (await findElements(context, tenant, filter)).toArray()
  // Clients mostly post all metrics of an element together, so one metric of each decides nearly
  // all elements.
  const oneMetric = { span, metricsMax: 1 }
  const [byOne, others] = split(found, await activeElements(context, found, oneMetric))
  const anyMetric = { span, metricsMax: Infinity }
  const [byAny, rest] = split(others, await activeElements(context, others, anyMetric))
  const matched = new Int32Array(byOne.length + byAny.length)
  matched.set(byOne)
  matched.set(byAny, byOne.length)
  return { ...presenceOf(seriesOf(context, rest), span), query: { ...criteria, matched } }
}

/** The elements that match a planned search. */
export async function matchedElements(
  context: QueryContext,
  { plan, tenant, unflushed }: PlannedQuery<PartialMatch>,
): Promise<IndexSet> {
  const { filter, span, matched } = plan.query
  if (span === null) return findElements(context, tenant, filter)
  assert(matched !== null, "Expected a plan with dates to have matches")
  const active = await activityOf(context, plan.series, span, unflushed)
  const { catalogue } = context.store
  const found = IndexSet.of(catalogue.elementCount, matched)
  plan.series.forEach((one, i) => active[i] === 1 && found.add(catalogue.seriesElement(one)))
  return found
}

/** The request to the writer: one unflushed sample of each series is enough. */
function presenceOf(
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

/** 1 for each of the series that had data, else 0. */
async function activityOf(
  { store }: QueryContext,
  series: Int32Array,
  span: Span,
  unflushed: UnflushedSamples | null,
): Promise<Uint8Array> {
  if (series.length === 0 || span.startMs === span.endMs) return new Uint8Array(series.length)
  const lastMs = await store.lastSeen({ series, span, onlyWhether: true }, unflushed)
  const active = new Uint8Array(series.length)
  for (let i = 0; i < active.length; i++) active[i] = Number.isNaN(lastMs[i]) ? 0 : 1
  return active
}

/** 1 for each element of which one of the first `metricsMax` metrics had data, else 0. */
async function activeElements(
  context: QueryContext,
  elements: Int32Array,
  { span, metricsMax }: { span: Span; metricsMax: number },
): Promise<Uint8Array> {
  const series = seriesOf(context, elements, metricsMax)
  const active = await activityOf(context, series, span, null)
  const { catalogue } = context.store
  const found = new IndexSet(catalogue.elementCount)
  series.forEach((one, i) => active[i] === 1 && found.add(catalogue.seriesElement(one)))
  return Uint8Array.from(elements, (element) => (found.has(element) ? 1 : 0))
}

/** The first `metricsMax` metrics of each element. */
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

/** Members marked 1, and the others. Plain loops: for a million members `filter` takes 80 ms. */
function split(members: Int32Array, marks: Uint8Array): [Int32Array, Int32Array] {
  const sides = [new Int32Array(members.length), new Int32Array(members.length)] as const
  const counts = [0, 0]
  for (let i = 0; i < members.length; i++) {
    const side = marks[i] === 1 ? 0 : 1
    sides[side][counts[side]!++] = members[i]!
  }
  // Copies, not views: sending a view to a thread sends its whole buffer.
  return [sides[0].slice(0, counts[0]), sides[1].slice(0, counts[1])]
}
