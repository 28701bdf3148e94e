/** GET `/elements/{id}/metrics`: what is known of the values of each metric of one element. */

import { bandsOf, sparseStrategyOf } from "../../model/effective-settings.ts"
import { dayMs } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { UnflushedSamples, SeriesStatistics } from "../../store/store.ts"
import { printMetricMeta, type MetricMeta } from "../../wire/elements/metric-meta.ts"
import { Problems } from "../../wire/problems.ts"
import type { QueryRequest } from "../core/request.ts"
import { resolveElement } from "./resolve-path.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { unflushedSpan } from "../core/window.ts"
import type { JsonText } from "../../wire/json.ts"

/**
 * How far back a metric's history is looked at: as long as its five-minute values are kept where
 * nobody has set another retention. Older values are averages of these.
 */
const historyMs = 90 * dayMs

export interface ElementMetricsQuery {
  readonly kind: "elementMetrics"
  readonly element: number
  readonly span: Span
}

/** Throws `missing` where there is no such element; an unknown metric is none of its metrics. */
export function planElementMetrics(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<ElementMetricsQuery> {
  const problems = new Problems()
  const params = new QueryParameters(request.params, problems)
  const fqns = [...params.many("metricFQN"), ...params.many("metricFqn")]
  problems.throwIfAny()
  const element = resolveElement(reader, request)
  // Samples may lie a little ahead of the clock.
  const span = { startMs: request.nowMs - historyMs, endMs: request.nowMs + dayMs }
  const series =
    fqns.length === 0
      ? reader.store.catalogue.elementSeries(element)
      : fqns.map((fqn) => reader.ids.findMetric(element, fqn)).filter((one) => one >= 0)
  return {
    series: Int32Array.from(new Set(series)),
    span: series.length === 0 ? null : unflushedSpan(span),
    question: { kind: "elementMetrics", element, span },
  }
}

export function answerElementMetrics(
  reader: QueryContext,
  { series, question }: QueryPlanOf<ElementMetricsQuery>,
  open: UnflushedSamples | null,
): JsonText {
  const { element, span } = question
  const asked = { series, span, resolution: "PT5M", withValues: true, exact: false } as const
  const found = series.length === 0 ? [] : reader.store.statistics(asked, open)
  const bySeries = new Map(found.map((one) => [one.series, one]))
  return printMetricMeta({
    id: reader.ids.elementId(element),
    metrics: Array.from(series, (one) => metaOf(reader, { series: one, open }, bySeries.get(one))),
  })
}

function metaOf(
  { store, ids }: QueryContext,
  { series, open }: { readonly series: number; readonly open: UnflushedSamples | null },
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
  const [last] = store.samples(series, { span, resolution: "PT5M" }, open)
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
