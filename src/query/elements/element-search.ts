/** POST `/elements/search/elementQuery`: elements that pass a filter, one page at a time. */

import type { QueryBudget } from "../../base/query-budget.ts"
import { invalid } from "../../base/errors.ts"
import { listedMetricsMax } from "../../base/limits/queries.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"
import { hourMs } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { ElementField } from "../../wire/elements/element-document.ts"
import { elementDocument } from "../../wire/elements/element-document.ts"
import {
  readElementQueryBody,
  type ElementQueryBody,
} from "../../wire/filter/element-query-body.ts"
import { printPage } from "../../wire/page.ts"
import type { Problems } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import type { IndexSet } from "../core/index-set.ts"
import type { QueryContext } from "../core/query-context.ts"
import { joinedNeeds } from "../core/query-plan.ts"
import { readWindow, untilNow } from "../core/window.ts"
import { matchedElements, planElementSearch, readDates } from "../filter/activity-filter.ts"
import { readElementChecks } from "../filter/element-checks.ts"
import type { PageRange } from "../metrics/result-order.ts"
import { elementsInOrder, needOfOrder, type ElementOrder } from "./element-order.ts"
import { elementSubject, fieldsWithChecks, withoutEvents } from "./element.ts"
import { eventCounts } from "./event-counts.ts"
import { neverProcessed, processingStatuses } from "./processing-status.ts"

export const elementSearch = defineQuery({
  kind: "elementQuery",
  parse(input, problems) {
    const body = readElementQueryBody(input.body, problems)
    if (body === null) return null
    const span = readDates(body, input.nowMs, problems)
    return { ...body, span, order: readOrder(body, input.nowMs, problems) }
  },
  async plan(context, { filter, span, order, page, pageSize, fields }, { tenant, nowMs }) {
    const { query, ...need } = await planElementSearch(context, tenant, { filter, span })
    const needs = joinedNeeds(need, await needOfOrder(context, tenant, { filter, order }))
    return { ...needs, query: { ...query, order, page, pageSize, fields, nowMs } }
  },
  async answer(context, planned) {
    const { tenant, plan, unflushed } = planned
    const { page, pageSize, fields } = plan.query
    const found = await matchedElements(context, planned)
    const elements = await elementPage(context, found, { ...plan.query, tenant, unflushed })
    if (fields.includes("metrics")) checkMetricCount(context, elements, "pageSize")
    const content = await elementDocuments(context, elements, { ...plan.query, tenant })
    return printPage({ content, count: elements.length, total: found.size, page, pageSize })
  },
})

interface ListedFields {
  readonly fields: readonly ElementField[]
  readonly nowMs: number
  /** Window of the counted events; null counts those of the last hour. */
  readonly span: Span | null
  readonly tenant: TenantIndex
}

interface PageQuery extends PageRange {
  readonly order: ElementOrder | null
  readonly tenant: TenantIndex
  readonly unflushed: UnflushedSamples | null
}

function readOrder(
  { sort }: ElementQueryBody,
  nowMs: number,
  problems: Problems,
): ElementOrder | null {
  if (sort === null) return null
  if (sort.values === null) return { ...sort, window: null }
  const { startTime, endTime } = sort.values
  const start = { field: "sort.startTime", text: startTime }
  const end = { field: "sort.endTime", text: endTime }
  return { ...sort, window: readWindow({ duration: undefined, start, end }, nowMs, problems) }
}

/**
 * Elements as lists show them. Whatever the fields need of the store is read before; each document
 * is built when it is printed.
 */
export async function elementDocuments(
  context: QueryContext,
  elements: Int32Array,
  query: ListedFields,
): Promise<Iterable<Record<string, unknown>>> {
  const { fields, nowMs, tenant, span } = query
  const shows = (some: readonly ElementField[]) => some.some((field) => fields.includes(field))
  const eventSpan = span ?? untilNow(nowMs, hourMs)
  const statuses = shows(["lastProcessed", "state"])
    ? await processingStatuses(context, elements, nowMs)
    : null
  const counts = shows(["eventCount"]) ? await eventCounts(context, tenant, eventSpan) : null
  const checks = shows(fieldsWithChecks) ? await readElementChecks(context, tenant) : null
  const { catalogue } = context.store
  const documentOf = (element: ElementIndex, i: number) => {
    const eventCount = counts?.of(catalogue.elementFqn(element)) ?? withoutEvents
    const processing = { ...(statuses?.[i] ?? neverProcessed), eventCount }
    const subject = elementSubject(context, element, { processing, checks })
    return elementDocument(subject, fields, context.legacyNames)
  }
  return mapped(elements, documentOf, context.budget)
}

function* mapped(
  elements: Int32Array,
  documentOf: (element: ElementIndex, i: number) => Record<string, unknown>,
  budget: QueryBudget,
): Generator<Record<string, unknown>, void> {
  for (const [i, element] of elements.entries()) {
    budget.check()
    yield documentOf(element, i)
  }
}

/**
 * Throws `invalid` if documents of these elements would list too many metrics. `field`: the part of
 * the request to change.
 */
export function checkMetricCount(
  { store }: QueryContext,
  elements: Int32Array,
  field: "pageSize" | "fields",
): void {
  const metrics = elements.reduce(
    (sum, element) => sum + store.catalogue.elementSeries(element).length,
    0,
  )
  if (metrics <= listedMetricsMax) return
  const instead =
    field === "fields"
      ? "name the fields, without metrics"
      : 'ask for less, or for sourceFilter.excludes ["metrics"]'
  throw invalid(
    `${field}: these elements have ${metrics} metrics, more than ${listedMetricsMax}: ${instead}`,
  )
}

/** One page of elements in their order; in order of appearance without one. */
async function elementPage(
  context: QueryContext,
  found: IndexSet,
  query: PageQuery,
): Promise<Int32Array> {
  const { order, page, pageSize, tenant, unflushed } = query
  const from = Math.min(page * pageSize, found.size)
  const to = Math.min(from + pageSize, found.size)
  if (order === null || from === to) return found.slice(from, to)
  const ordered = await elementsInOrder(context, found.toArray(), { order, tenant, unflushed })
  return ordered.subarray(from, to)
}
