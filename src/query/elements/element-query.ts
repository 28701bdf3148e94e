/**
 * The elements that pass a filter: POST `/elements/search/elementQuery` a page at a time, POST
 * `/elements/search/elementAgg/{term}` counted by what a term names.
 */

import { assert } from "../../base/assert.ts"
import { invalid } from "../../base/errors.ts"
import { hourMs } from "../../model/resolution.ts"
import { listedMetricsMax } from "../../base/limits.ts"
import type { AggregationBody } from "../../wire/filter/aggregation-body.ts"
import { readAggregationBody } from "../../wire/filter/aggregation-body.ts"
import type { ElementField } from "../../wire/elements/element-document.ts"
import { elementDocument, elementFields } from "../../wire/elements/element-document.ts"
import type { ElementQueryBody } from "../../wire/filter/element-query-body.ts"
import { readElementQueryBody } from "../../wire/filter/element-query-body.ts"
import { printPage } from "../../wire/page.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { Sort } from "../../wire/filter/sort-body.ts"
import { printAggregations } from "../filter/aggregations.ts"
import type { QueryRequest } from "../core/request.ts"
import { elementSubject } from "./element.ts"
import { ElementChecks } from "../filter/element-checks.ts"
import { elementTerms, isElementTerm, type ElementTerm } from "./element-terms.ts"
import { eventCounts } from "./event-counts.ts"
import type { IndexSet } from "../core/index-set.ts"
import type { Answering } from "../metrics/metric-query.ts"
import { sortByKey, tagOf } from "../metrics/result-order.ts"
import { QueryParameters } from "../core/parameters.ts"
import { processingStatuses, type ProcessingStatus } from "./processing-status.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import {
  planElementSearch,
  readDates,
  matchedElements,
  type PartialMatch,
} from "../filter/activity-filter.ts"
import type { JsonText } from "../../wire/json.ts"

export interface ElementPageQuery
  extends PartialMatch, Pick<ElementQueryBody, "sort" | "page" | "pageSize" | "fields"> {
  readonly kind: "elementQuery"
  readonly nowMs: number
}

export interface ElementCountQuery extends PartialMatch, Pick<AggregationBody, "sort" | "counted"> {
  readonly kind: "elementAgg"
  readonly term: ElementTerm
}

export function planElementQuery(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<ElementPageQuery> {
  const problems = new Problems()
  const body = readElementQueryBody(request.body, problems)
  const span = body === null ? null : readDates(body, request.nowMs, problems)
  problems.throwIfAny()
  assert(body !== null, "Expected a body without problems to be read")
  const { filter, sort, page, pageSize, fields } = body
  const planned = planElementSearch(reader, request.tenant, { filter, span })
  const rest = { sort, page, pageSize, fields, nowMs: request.nowMs }
  return { ...planned, question: { kind: "elementQuery", ...planned.question, ...rest } }
}

export function answerElementQuery(
  reader: QueryContext,
  asked: Answering<ElementPageQuery>,
): JsonText {
  const { question } = asked.plan
  const { page, pageSize, fields } = question
  const found = matchedElements(reader, asked.tenant, asked)
  const shownElements = elementPage(reader, found, question)
  if (fields.includes("metrics")) refuseTooManyMetrics(reader, shownElements, "pageSize")
  const content = documentsOf(reader, shownElements, { ...question, tenant: asked.tenant })
  return printPage({ content, count: shownElements.length, total: found.size, page, pageSize })
}

/** Elements as lists show them; each document is made when it is asked for. */
export function* documentsOf(
  reader: QueryContext,
  elements: Int32Array,
  question: Pick<ElementPageQuery, "fields" | "nowMs" | "span"> & { readonly tenant: number },
): Generator<Record<string, unknown>, void> {
  const { fields, nowMs, tenant } = question
  const isProcessed = fields.includes("lastProcessed") || fields.includes("state")
  const processed = isProcessed ? processingStatuses(reader, elements, nowMs) : null
  const span = question.span ?? { startMs: nowMs - hourMs, endMs: nowMs }
  const counts = fields.includes("eventCount") ? eventCounts(reader, tenant, span) : null
  const { catalogue } = reader.store
  const checks = new ElementChecks(reader, tenant)
  for (const [i, element] of elements.entries()) {
    reader.budget.check()
    const eventCount = counts?.of(catalogue.elementFqn(element)) ?? noEvents
    const processing = { ...(processed?.[i] ?? neverProcessed), eventCount }
    const subject = elementSubject(reader, element, { processing, checks })
    yield elementDocument(subject, fields, reader.legacyNames)
  }
}

const neverProcessed: ProcessingStatus = { lastProcessedMs: null, collectedPercent: null }
const noEvents = { total: 0, topCategory: null }

/** `field`: what to ask otherwise. */
export function refuseTooManyMetrics(
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

/** One page of elements in order of `sort`; in order of appearance where it is null. */
function elementPage(
  reader: QueryContext,
  found: IndexSet,
  question: ElementPageQuery,
): Int32Array {
  const { sort, page, pageSize, nowMs } = question
  const from = Math.min(page * pageSize, found.size)
  const to = Math.min(from + pageSize, found.size)
  if (sort === null || from === to) return found.slice(from, to)
  const elements = found.toArray()
  const processed =
    sort.field === "lastProcessed" ? processingStatuses(reader, elements, nowMs) : null
  const keys = new Map<number, string>()
  elements.forEach((element, i) => {
    reader.budget.step()
    keys.set(element, keyOf(reader, element, { sort, processed: processed?.[i] }))
  })
  return sortByKey(reader, elements, (element) => keys.get(element)!, sort).subarray(from, to)
}

/** Empty where the document has no such value. */
function keyOf(
  reader: QueryContext,
  element: number,
  { sort, processed }: { sort: Sort<ElementField>; processed: ProcessingStatus | undefined },
): string {
  const processing = { ...(processed ?? neverProcessed), eventCount: noEvents }
  const subject = elementSubject(reader, element, { processing })
  if (sort.tag === null) return String(elementFields[sort.field](subject) ?? "")
  if (sort.field !== "attributes") {
    return tagOf(elementFields[sort.field](subject) as Record<string, string>, sort.tag)
  }
  return subject.info.attributes.find(({ name }) => name === sort.tag)?.value ?? ""
}

export function planElementAgg(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<ElementCountQuery> {
  const problems = new Problems()
  const term = new QueryParameters(request.params, problems).one("term") ?? ""
  if (!isElementTerm(term)) {
    const accepted = Object.keys(elementTerms).join(", ")
    problems.add(`term: expected one of ${accepted}, got ${shown(term)}`)
  }
  const body = readAggregationBody(request.body, problems)
  const span = body === null ? null : readDates(body, request.nowMs, problems)
  problems.throwIfAny()
  assert(body !== null && isElementTerm(term), "Expected a body without problems to be read")
  const { filter, sort, counted } = body
  const planned = planElementSearch(reader, request.tenant, { filter, span })
  return { ...planned, question: { kind: "elementAgg", ...planned.question, sort, counted, term } }
}

export function answerElementAgg(
  reader: QueryContext,
  asked: Answering<ElementCountQuery>,
): JsonText {
  const { term, sort, counted } = asked.plan.question
  const found = matchedElements(reader, asked.tenant, asked)
  return printAggregations(reader, elementTerms[term](reader, found, counted), sort ?? mostFirst)
}

const mostFirst = { field: "count", descending: true } as const
