/** GET `/elements/{id}/metrics`: settings and history of each metric of one element. */

import { bandsOf, sparseStrategyOf } from "../../model/effective-settings.ts"
import { dayMs } from "../../model/resolution.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { SeriesStatistics } from "../../store/query-store.ts"
import { printMetricMeta, type MetricMeta } from "../../wire/elements/metric-meta.ts"
import { Problems } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import { unflushedSpan } from "../core/window.ts"
import { resolveElement } from "./resolve-path.ts"

/**
 * Length of the history: the default retention of five-minute values. Older values are averages of
 * these.
 */
const historyMs = 90 * dayMs

export const elementMetrics = defineQuery({
  kind: "elementMetrics",
  plan(context, input) {
    const problems = new Problems()
    const params = new QueryParameters(input.params, problems)
    const fqns = [...params.many("metricFQN"), ...params.many("metricFqn")]
    problems.throwIfAny()
    const element = resolveElement(context, input)
    // Timestamps may be a little ahead of the clock.
    const span = { startMs: input.nowMs - historyMs, endMs: input.nowMs + dayMs }
    // An unknown metric is left out.
    const series =
      fqns.length === 0
        ? context.store.catalogue.elementSeries(element)
        : fqns.map((fqn) => context.ids.findMetric(element, fqn)).filter((one) => one >= 0)
    return {
      series: Int32Array.from(new Set(series)),
      span: series.length === 0 ? null : unflushedSpan(span),
      query: { element, span },
    }
  },
  answer(context, { plan: { series, query }, unflushed }) {
    const { element, span } = query
    const read = { series, span, resolution: "PT5M", withValues: true, exact: false } as const
    const found = series.length === 0 ? [] : context.store.statistics(read, unflushed)
    const historyOf = new Map(found.map((one) => [one.series, one]))
    return printMetricMeta({
      id: context.ids.elementId(element),
      metrics: Array.from(series, (one) =>
        metaOf(context, { series: one, unflushed }, historyOf.get(one)),
      ),
    })
  },
})

function metaOf(
  { store, ids }: QueryContext,
  { series, unflushed }: { readonly series: number; readonly unflushed: UnflushedSamples | null },
  history: SeriesStatistics | undefined,
): MetricMeta {
  const { catalogue } = store
  const definition = catalogue.seriesDefinition(series)
  const { createdMs } = catalogue.elementInfo(catalogue.seriesElement(series))
  const meta = {
    id: ids.metricId(series),
    fqn: catalogue.name(catalogue.seriesName(series)).fqn,
    sparseDataStrategy: sparseStrategyOf(definition),
    validMin: definition.settings?.validMin ?? null,
    validMax: definition.settings?.validMax ?? null,
    ...bandsOf(definition),
  }
  const timesMs = history?.timesMs
  const lastMs = timesMs?.at(-1)
  if (history === undefined || timesMs === undefined || lastMs === undefined) {
    return { ...meta, createdMs, history: null }
  }
  const span = { startMs: lastMs, endMs: lastMs + 1 }
  const [last] = store.samples(series, { span, resolution: "PT5M" }, unflushed)
  return {
    ...meta,
    createdMs: timesMs[0]!,
    history: {
      updatedMs: lastMs,
      lastActual: history.values!.at(-1)!,
      min: history.statistics.min,
      max: history.statistics.max,
      lastResults: last?.fields ?? {},
    },
  }
}
