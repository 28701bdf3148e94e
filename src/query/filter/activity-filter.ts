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
import { withoutSamples, type QueryPlanOf, type SampleNeed } from "../core/query-plan.ts"
import { readWindow } from "../core/window.ts"
import { testsStatuses } from "./compile.ts"
import { seriesOf } from "./element-series.ts"
import { elementsOf, readElementStatuses } from "./element-statuses.ts"
import { needOfNewest } from "./newest-samples.ts"
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
  /** Series of the others, of which unflushed samples decide. */
  readonly undecided: Int32Array
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
  if (span === null) return withoutSamples(undated(criteria))
  const found = (await findSeries(context, tenant, filter)).toArray()
  const [matched, undecided] = split(found, await activityOf(context, found, span, null))
  return { ...presenceOf(undecided, span), query: { ...criteria, matched, undecided } }
}

/** The series that match a planned search. */
export async function matchedSeries(
  context: QueryContext,
  { plan, tenant, unflushed }: PlannedQuery<PartialMatch>,
): Promise<IndexSet> {
  const { filter, span, matched, undecided } = plan.query
  if (span === null) return findSeries(context, tenant, filter)
  assert(matched !== null, "Expected a plan with dates to have matches")
  const active = await activityOf(context, undecided, span, unflushed)
  const found = IndexSet.of(context.store.catalogue.seriesCount, matched)
  undecided.forEach((series, i) => active[i] === 1 && found.add(series))
  return found
}

function undated(criteria: SearchCriteria): PartialMatch {
  return { ...criteria, matched: null, undecided: new Int32Array(0) }
}

/**
 * Plans a search for elements, which `matchedElements` finishes. Any active metric is enough. With
 * dates, a filter by status goes by flushed samples, as it is needed before the writer is asked.
 */
export async function planElementSearch(
  context: QueryContext,
  tenant: TenantIndex,
  criteria: SearchCriteria,
): Promise<QueryPlanOf<PartialMatch>> {
  const { filter, span } = criteria
  if (span === null) {
    const query = undated(criteria)
    if (!testsStatuses(filter)) return withoutSamples(query)
    return { ...needOfNewest(context, elementsOf(context, tenant)), query }
  }
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
  const undecided = seriesOf(context, rest)
  return { ...presenceOf(undecided, span), query: { ...criteria, matched, undecided } }
}

/** The elements that match a planned search. */
export async function matchedElements(
  context: QueryContext,
  { plan, tenant, unflushed }: PlannedQuery<PartialMatch>,
): Promise<IndexSet> {
  const { filter, span, matched, undecided } = plan.query
  if (span === null) {
    const isByStatus = testsStatuses(filter)
    const statuses = isByStatus ? await readElementStatuses(context, tenant, unflushed) : null
    return findElements(context, tenant, filter, statuses)
  }
  assert(matched !== null, "Expected a plan with dates to have matches")
  const active = await activityOf(context, undecided, span, unflushed)
  const { catalogue } = context.store
  const found = IndexSet.of(catalogue.elementCount, matched)
  undecided.forEach((one, i) => active[i] === 1 && found.add(catalogue.seriesElement(one)))
  return found
}

/** The request to the writer: one unflushed sample of each series is enough. */
function presenceOf(series: Int32Array, span: Span): SampleNeed {
  return { series, span: series.length === 0 ? null : wholeCycles(span), onlyNewest: true }
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
