/**
 * GET and POST `/metrics/statistics/aggregate`: statistics of one metric over all elements of a
 * scope, their values taken together as one population.
 */

import { assert } from "../../base/assert.ts"
import { invalid } from "../../base/errors.ts"
import { statisticsSeriesMax, valuesPerAnswerMax } from "../../base/limits.ts"
import type { Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { pooledStatistics, type PooledPopulation } from "../../rollup/pooled-statistics.ts"
import { StatisticsScratch } from "../../rollup/statistics.ts"
import type { UnflushedSamples } from "../../store/store.ts"
import type { ElementScope } from "../../wire/elements/element-scope-body.ts"
import { readElementScope } from "../../wire/elements/element-scope-body.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { printAggregateStatistics } from "../../wire/statistics/statistics-result.ts"
import type { QueryRequest } from "../core/request.ts"
import { idsOf } from "../elements/element-list.ts"
import { allPairs, exactTexts, textParts } from "../filter/parameter-filter.ts"
import { findSeries } from "../filter/search.ts"
import { QueryParameters, parseJson } from "../core/parameters.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { readWindowParameters, hasWindow, unflushedSpan, readWindow } from "../core/window.ts"
import type { JsonText } from "../../wire/json.ts"

/** Metrics whose values are asked for at once, so that too many are noticed early. */
const seriesPerStep = 1000

export interface AggregateStatisticsQuery {
  readonly kind: "aggregateStatistics"
  readonly metricFqn: string
  readonly span: Span
  readonly resolution: Resolution
}

const scratch = new StatisticsScratch()

export function planAggregateStatistics(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<AggregateStatisticsQuery> {
  const problems = new Problems()
  const params = new QueryParameters(request.params, problems)
  const metricFqn = params.one("fqn")
  if (metricFqn === undefined) problems.add("fqn: expected a metric FQN, got none")
  const scope = readElementScope(request.body ?? scopeOf(params), problems)
  const span = readSpan(params, { scope, nowMs: request.nowMs, problems })
  const resolution = params.rollup(params.many("rollup").length > 0 ? "rollup" : "rollupInput")
  problems.throwIfAny()
  assert(metricFqn !== undefined && scope !== null, "Expected parameters without problems")

  const name = reader.ids.findName(request.tenant, metricFqn)
  const filter = filterOf(reader, request.tenant, scope)
  const fqn = name < 0 ? metricFqn : reader.store.catalogue.name(name).fqn
  const wanted = { ...filter, metricFqns: exactTexts([fqn]) }
  const series = findSeries(reader, request.tenant, wanted).toArray()
  if (series.length > statisticsSeriesMax) {
    throw invalid(
      `fqn: ${shown(metricFqn)} is a metric of ${series.length} elements in this scope, more ` +
        `than ${statisticsSeriesMax}: narrow the scope`,
    )
  }
  const question = { kind: "aggregateStatistics", metricFqn, span, resolution } as const
  return { series, span: series.length === 0 ? null : unflushedSpan(span), question }
}

export function answerAggregateStatistics(
  reader: QueryContext,
  { series, question }: QueryPlanOf<AggregateStatisticsQuery>,
  open: UnflushedSamples | null,
): JsonText {
  const { metricFqn, span } = question
  const parts: PooledPopulation[] = []
  let values = 0
  const isEmpty = span.startMs === span.endMs
  for (let from = 0; from < series.length && !isEmpty; from += seriesPerStep) {
    const step = series.subarray(from, from + seriesPerStep)
    for (const part of partsOf(reader, { series: step, question }, open)) {
      parts.push(part)
      values += (part.observations?.values ?? part.values!).length
    }
    refuseTooMany(values)
  }
  return printAggregateStatistics({
    metricFqn,
    span,
    statistics: parts.length === 0 ? null : pooledStatistics(parts, scratch),
    foundMetrics: series.length,
    aggregatedMetrics: parts.length,
  })
}

function partsOf(
  { store }: QueryContext,
  { series, question }: Pick<QueryPlanOf<AggregateStatisticsQuery>, "series" | "question">,
  open: UnflushedSamples | null,
): PooledPopulation[] {
  const { span, resolution } = question
  const isRaw = resolution === "ZERO"
  const kind = { withValues: !isRaw, withObservations: isRaw, exact: false }
  return store.statistics({ series, span, resolution, ...kind }, open)
}

/**
 * A GET has no body: the scope's parts are parameters of the same names. What is no JSON is judged
 * with the rest, as a text in place of an object.
 */
function scopeOf(params: QueryParameters): unknown {
  const json = (name: string) => params.texts(name).flatMap((text) => parseJson(text) ?? [text])
  return {
    ids: params.many("ids"),
    nameContains: params.texts("nameContains"),
    nameExcludes: params.texts("nameExcludes"),
    fqnIncludes: params.many("fqnIncludes"),
    fqnExcludes: params.many("fqnExcludes"),
    types: params.many("types"),
    tags: json("tags"),
    attributes: json("attributes"),
  }
}

/** Times of the query win over those of the body. */
function readSpan(
  params: QueryParameters,
  of: { readonly scope: ElementScope | null; readonly nowMs: number; readonly problems: Problems },
): Span {
  const { scope, nowMs, problems } = of
  const window = readWindowParameters(params)
  if (hasWindow(window) || scope === null) return readWindow(window, nowMs, problems)
  const text = (given: string) => given || undefined
  const start = { field: "startTime", text: text(scope.startTime) }
  const end = { field: "endTime", text: text(scope.endTime) }
  return readWindow({ duration: undefined, start, end }, nowMs, problems)
}

function filterOf(reader: QueryContext, tenant: number, scope: ElementScope): Filter {
  const { ids, types, tags, attributes } = scope
  const pairs = (given: ElementScope["tags"]) =>
    allPairs(given.map(({ name, value }) => ({ name, value: value ?? null })))
  const elementNames = textParts(scope.nameContains, scope.nameExcludes)
  const elementFqns = textParts(scope.fqnIncludes, scope.fqnExcludes)
  return {
    ...(ids.length === 0 ? {} : { elementIds: exactTexts(idsOf(reader, tenant, ids)) }),
    ...(types.length === 0 ? {} : { elementTypes: exactTexts(types) }),
    ...(elementNames.items.length === 0 ? {} : { elementNames }),
    ...(elementFqns.items.length === 0 ? {} : { elementFqns }),
    ...(tags.length === 0 ? {} : { elementTags: pairs(tags) }),
    ...(attributes.length === 0 ? {} : { attributes: pairs(attributes) }),
  }
}

function refuseTooMany(values: number): void {
  if (values <= valuesPerAnswerMax) return
  throw invalid(
    `rollup: the window holds more than ${valuesPerAnswerMax} values: ask for fewer elements, a ` +
      `shorter window or a coarser rollup`,
  )
}
