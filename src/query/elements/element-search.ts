/** POST `/elements/search/elementQuery`: elements that pass a filter, one page at a time. */

import type { QueryBudget } from "../../base/query-budget.ts"
import { invalid } from "../../base/errors.ts"
import { listedMetricsMax } from "../../base/limits/queries.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"
import { hourMs } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { ElementField } from "../../wire/elements/element-document.ts"
import { elementDocument, elementFields } from "../../wire/elements/element-document.ts"
import {
  readElementQueryBody,
  type ElementSortField,
} from "../../wire/filter/element-query-body.ts"
import type { Sort } from "../../wire/filter/sort-body.ts"
import { levelRank } from "../../wire/filter/status-levels.ts"
import { printPage } from "../../wire/page.ts"
import { defineQuery } from "../core/define-query.ts"
import type { IndexSet } from "../core/index-set.ts"
import type { QueryContext } from "../core/query-context.ts"
import { untilNow } from "../core/window.ts"
import { matchedElements, planElementSearch, readDates } from "../filter/activity-filter.ts"
import { readElementChecks, type ElementChecks } from "../filter/element-checks.ts"
import { elementStatuses } from "../filter/element-statuses.ts"
import { sortByKey, tagOf, type PageRange } from "../metrics/result-order.ts"
import { elementSubject, fieldsWithChecks } from "./element.ts"
import { eventCounts } from "./event-counts.ts"
import { processingStatuses, type ProcessingStatus } from "./processing-status.ts"

export const elementSearch = defineQuery({
  kind: "elementQuery",
  parse(input, problems) {
    const body = readElementQueryBody(input.body, problems)
    return body && { ...body, span: readDates(body, input.nowMs, problems) }
  },
  async plan(context, { filter, span, sort, page, pageSize, fields }, { tenant, nowMs }) {
    const plan = await planElementSearch(context, tenant, { filter, span })
    return { ...plan, query: { ...plan.query, sort, page, pageSize, fields, nowMs } }
  },
  async answer(context, planned) {
    const { tenant, plan } = planned
    const { page, pageSize, fields } = plan.query
    const found = await matchedElements(context, planned)
    const elements = await elementPage(context, found, { ...plan.query, tenant })
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
  readonly sort: Sort<ElementSortField> | null
  readonly nowMs: number
  readonly tenant: TenantIndex
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
    const eventCount = counts?.of(catalogue.elementFqn(element)) ?? noEvents
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

const neverProcessed: ProcessingStatus = { lastProcessedMs: null, collectedPercent: null }
const noEvents = { total: 0, topCategory: null }

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

/** One page of elements in order of `sort`; in order of appearance if it is null. */
async function elementPage(
  context: QueryContext,
  found: IndexSet,
  query: PageQuery,
): Promise<Int32Array> {
  const { sort, page, pageSize } = query
  const from = Math.min(page * pageSize, found.size)
  const to = Math.min(from + pageSize, found.size)
  if (sort === null || from === to) return found.slice(from, to)
  const elements = found.toArray()
  const keys = await sortKeys(context, elements, { ...query, sort })
  return sortByKey(context, elements, (element) => keys.get(element)!, sort).subarray(from, to)
}

/** The sort key of each element. */
async function sortKeys(
  context: QueryContext,
  elements: Int32Array,
  query: PageQuery & { readonly sort: Sort<ElementSortField> },
): Promise<ReadonlyMap<number, string>> {
  const { sort, nowMs, tenant } = query
  const { field, tag } = sort
  const keys = new Map<number, string>()
  if (field === "level") {
    const { levels } = await elementStatuses(context, tenant, elements)
    elements.forEach((element, i) => keys.set(element, String(levelRank(levels[i]!))))
    return keys
  }
  const statuses =
    field === "lastProcessed" ? await processingStatuses(context, elements, nowMs) : null
  const checks = fieldsWithChecks.includes(field) ? await readElementChecks(context, tenant) : null
  elements.forEach((element, i) => {
    context.budget.step()
    keys.set(element, keyOf(context, element, { field, tag, checks, status: statuses?.[i] }))
  })
  return keys
}

interface SortKeyInput {
  readonly field: ElementField
  readonly tag: string | null
  /** Null if the field does not show them. */
  readonly checks: ElementChecks | null
  readonly status: ProcessingStatus | undefined
}

/** The sort key of an element; empty if its document has no such value. */
function keyOf(
  context: QueryContext,
  element: ElementIndex,
  { field, tag, checks, status }: SortKeyInput,
): string {
  const processing = { ...(status ?? neverProcessed), eventCount: noEvents }
  const subject = elementSubject(context, element, { processing, checks })
  if (tag === null) return String(elementFields[field](subject) ?? "")
  if (field !== "attributes") {
    return tagOf(elementFields[field](subject) as Record<string, string>, tag)
  }
  return subject.info.attributes.find(({ name }) => name === tag)?.value ?? ""
}
