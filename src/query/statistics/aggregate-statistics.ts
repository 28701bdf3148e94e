/**
 * GET and POST `/metrics/statistics/aggregate`: statistics of one metric over all elements of a
 * scope, whose values are pooled.
 */

import { invalid } from "../../base/errors.ts"
import { parsedJson } from "../../base/json-value.ts"
import { statisticsSeriesMax, valuesPerAnswerMax } from "../../base/limits/queries.ts"
import type { Span } from "../../model/span.ts"
import { pooledStatistics, type PooledPopulation } from "../../rollup/pooled-statistics.ts"
import { StatisticsWorkspace } from "../../rollup/statistics.ts"
import type { ElementScope } from "../../wire/elements/element-scope-body.ts"
import { readElementScope } from "../../wire/elements/element-scope-body.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { shown, type Problems } from "../../wire/problems.ts"
import { printAggregateStatistics } from "../../wire/statistics/statistics-result.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import { hasWindow, readWindow, readWindowParameters, unflushedSpan } from "../core/window.ts"
import { idsOf } from "../core/resolve-path.ts"
import { allPairs, exactTexts, textParts } from "../filter/parameter-filter.ts"
import { findSeries } from "../filter/search.ts"
import type { TenantIndex } from "../../model/ids.ts"

/** Series read together, so that too many values are noticed early. */
const seriesPerStep = 1000

export const aggregateStatistics = defineQuery({
  kind: "aggregateStatistics",
  parse(input, problems) {
    const params = new QueryParameters(input.params, problems)
    const metricFqn = params.one("fqn")
    if (metricFqn === undefined) problems.add("fqn: expected a metric FQN, got none")
    const scope = readElementScope(input.body ?? scopeOf(params), problems)
    const span = readSpan(params, { scope, nowMs: input.nowMs, problems })
    const resolution = params.rollup(params.many("rollup").length > 0 ? "rollup" : "rollupInput")
    if (metricFqn === undefined || scope === null) return null
    return { metricFqn, scope, span, resolution }
  },
  async plan(context, { metricFqn, scope, span, resolution }, { tenant }) {
    const series = await seriesInScope(context, tenant, { metricFqn, scope })
    const query = { metricFqn, span, resolution }
    return { series, span: series.length === 0 ? null : unflushedSpan(span), query }
  },
  async answer({ store, budget }, { plan: { series, query }, unflushed }) {
    const { metricFqn, span, resolution } = query
    const isRaw = resolution === "ZERO"
    const read = { span, resolution, withValues: !isRaw, withObservations: isRaw, exact: false }
    const populations: PooledPopulation[] = []
    let values = 0
    const isEmpty = span.startMs === span.endMs
    for (let from = 0; from < series.length && !isEmpty; from += seriesPerStep) {
      budget.check()
      const step = series.subarray(from, from + seriesPerStep)
      for (const population of await store.statistics({ series: step, ...read }, unflushed)) {
        populations.push(population)
        values += (population.observations?.values ?? population.values!).length
      }
      checkValueCount(values)
    }
    const hasValues = populations.length > 0
    return printAggregateStatistics({
      metricFqn,
      span,
      statistics: hasValues ? pooledStatistics(populations, new StatisticsWorkspace()) : null,
      foundMetrics: series.length,
      aggregatedMetrics: populations.length,
    })
  },
})

async function seriesInScope(
  context: QueryContext,
  tenant: TenantIndex,
  { metricFqn, scope }: { readonly metricFqn: string; readonly scope: ElementScope },
): Promise<Int32Array> {
  const name = context.ids.findName(tenant, metricFqn)
  const fqn = name < 0 ? metricFqn : context.store.catalogue.name(name).fqn
  const filter = { ...filterOf(context, tenant, scope), metricFqns: exactTexts([fqn]) }
  const series = (await findSeries(context, tenant, filter)).toArray()
  if (series.length <= statisticsSeriesMax) return series
  throw invalid(
    `fqn: ${shown(metricFqn)} is a metric of ${series.length} elements in this scope, more ` +
      `than ${statisticsSeriesMax}: narrow the scope`,
  )
}

/**
 * A GET has no body: the scope's parts are parameters of the same names. What is no JSON is judged
 * with the rest, as a text in place of an object.
 */
function scopeOf(params: QueryParameters): unknown {
  const json = (name: string) => params.texts(name).flatMap((text) => parsedJson(text) ?? [text])
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

function filterOf(context: QueryContext, tenant: TenantIndex, scope: ElementScope): Filter {
  const { ids, types, tags, attributes } = scope
  const pairs = (given: ElementScope["tags"]) =>
    allPairs(given.map(({ name, value }) => ({ name, value: value ?? null })))
  const elementNames = textParts(scope.nameContains, scope.nameExcludes)
  const elementFqns = textParts(scope.fqnIncludes, scope.fqnExcludes)
  return {
    ...(ids.length === 0 ? {} : { elementIds: exactTexts(idsOf(context, tenant, ids)) }),
    ...(types.length === 0 ? {} : { elementTypes: exactTexts(types) }),
    ...(elementNames.items.length === 0 ? {} : { elementNames }),
    ...(elementFqns.items.length === 0 ? {} : { elementFqns }),
    ...(tags.length === 0 ? {} : { elementTags: pairs(tags) }),
    ...(attributes.length === 0 ? {} : { attributes: pairs(attributes) }),
  }
}

function checkValueCount(values: number): void {
  if (values <= valuesPerAnswerMax) return
  throw invalid(
    `rollup: the window holds more than ${valuesPerAnswerMax} values: ask for fewer elements, a ` +
      `shorter window or a coarser rollup`,
  )
}
