/**
 * The metrics that pass a filter: POST `/metrics/search/metricQuery` a page at a time, GET
 * `/metrics` all of them, POST `/metrics/search/metricAgg/fqn` counted by name.
 */

import { assert } from "../../base/assert.ts"
import { invalid } from "../../base/errors.ts"
import { listedMetricsMax } from "../../base/limits.ts"
import type { UnflushedSamples } from "../../store/store.ts"
import type { AggregationBody } from "../../wire/filter/aggregation-body.ts"
import { readAggregationBody } from "../../wire/filter/aggregation-body.ts"
import { jsonPieces, type JsonText } from "../../wire/json.ts"
import { metricDocument, metricFieldNames, type MetricField } from "../../wire/metric-document.ts"
import type { MetricQueryBody } from "../../wire/filter/metric-query-body.ts"
import { readMetricQueryBody } from "../../wire/filter/metric-query-body.ts"
import { printPage } from "../../wire/page.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { printAggregations, type CountedValue } from "../filter/aggregations.ts"
import type { QueryRequest } from "../core/request.ts"
import { metricSubject } from "./metric-subject.ts"
import { metricPage } from "./result-order.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import {
  planSeriesSearch,
  readDates,
  matchedSeries,
  type PartialMatch,
} from "../filter/activity-filter.ts"
import { readWindowParameters, readDay } from "../core/window.ts"

export interface MetricPageQuery
  extends PartialMatch, Pick<MetricQueryBody, "sort" | "page" | "pageSize" | "fields"> {
  readonly kind: "metricQuery"
}

export interface MetricListQuery extends PartialMatch {
  readonly kind: "metrics"
}

export interface MetricCountQuery extends PartialMatch, Pick<AggregationBody, "sort"> {
  readonly kind: "metricAgg"
}

/** A plan that is being answered. */
export interface Answering<Question> {
  readonly plan: QueryPlanOf<Question>
  readonly tenant: number
  readonly open: UnflushedSamples | null
}

export function planMetricQuery(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<MetricPageQuery> {
  const problems = new Problems()
  const body = readMetricQueryBody(request.body, problems)
  const span = body === null ? null : readDates(body, request.nowMs, problems)
  problems.throwIfAny()
  assert(body !== null, "Expected a body without problems to be read")
  const { filter, sort, page, pageSize, fields } = body
  const planned = planSeriesSearch(reader, request.tenant, { filter, span })
  const question = { ...planned.question, sort, page, pageSize, fields }
  return { ...planned, question: { kind: "metricQuery", ...question } }
}

export function answerMetricQuery(
  reader: QueryContext,
  asked: Answering<MetricPageQuery>,
): JsonText {
  const { question } = asked.plan
  const found = matchedSeries(reader, asked.tenant, asked)
  const { page, pageSize, fields } = question
  const shownSeries = metricPage(reader, found, question)
  const content = documentsOf(reader, shownSeries, fields)
  return printPage({ content, count: shownSeries.length, total: found.size, page, pageSize })
}

/** Each document is made when it is asked for. */
function* documentsOf(
  reader: QueryContext,
  series: Int32Array,
  fields: readonly MetricField[] = metricFieldNames,
): Generator<Record<string, unknown>, void> {
  for (const one of series) {
    reader.budget.step()
    yield metricDocument(metricSubject(reader, one), fields, reader.legacyNames)
  }
}

/** The window begins at midnight UTC and ends now, unless it is given (spec/statistics §1). */
export function planMetrics(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<MetricListQuery> {
  const problems = new Problems()
  const asked = readWindowParameters(new QueryParameters(request.params, problems))
  const span = readDay(asked, request.nowMs, problems)
  problems.throwIfAny()
  const planned = planSeriesSearch(reader, request.tenant, { filter: {}, span })
  return { ...planned, question: { kind: "metrics", ...planned.question } }
}

export function answerMetrics(reader: QueryContext, asked: Answering<MetricListQuery>): JsonText {
  const found = matchedSeries(reader, asked.tenant, asked)
  if (found.size > listedMetricsMax) {
    throw invalid(
      `startTime: ${found.size} metrics had data since, more than ${listedMetricsMax}: ask ` +
        `POST /metrics/search/metricQuery, which answers a page at a time`,
    )
  }
  const metrics = documentsOf(reader, found.toArray())
  return jsonPieces(`{"metrics":`, metrics, (document) => JSON.stringify(document), "}")
}

export function planMetricAgg(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<MetricCountQuery> {
  const problems = new Problems()
  const term = new QueryParameters(request.params, problems).one("term") ?? ""
  if (term !== "fqn") problems.add(`term: expected fqn, the only option, got ${shown(term)}`)
  const body = readAggregationBody(request.body, problems)
  const span = body === null ? null : readDates(body, request.nowMs, problems)
  problems.throwIfAny()
  assert(body !== null, "Expected a body without problems to be read")
  const { filter, sort } = body
  const planned = planSeriesSearch(reader, request.tenant, { filter, span })
  return { ...planned, question: { kind: "metricAgg", ...planned.question, sort } }
}

/** An element has a metric once, so metrics of a name are as many as elements that have it. */
export function answerMetricAgg(
  reader: QueryContext,
  asked: Answering<MetricCountQuery>,
): JsonText {
  const { catalogue } = reader.store
  const counts = new Int32Array(catalogue.nameCount)
  matchedSeries(reader, asked.tenant, asked).forEach((series) => {
    counts[catalogue.seriesName(series)]!++
  })
  const values: CountedValue[] = []
  for (const [name, count] of counts.entries()) {
    if (count > 0) values.push({ fieldValue: catalogue.name(name).fqn, count })
  }
  return printAggregations(reader, values, asked.plan.question.sort ?? byValue)
}

const byValue = { field: "fieldValue", descending: false } as const
