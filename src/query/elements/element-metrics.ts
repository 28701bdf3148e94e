/** GET `/elements/{id}/metrics`: settings and history of each metric of one element. */

import type { SeriesIndex } from "../../model/ids.ts"
import { bandsOf, sparseStrategyOf } from "../../model/effective-settings.ts"
import { dayMs } from "../../model/resolution.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { SampleRecord, SeriesStatistics } from "../../store/query-store.ts"
import { printMetricMeta, type MetricMeta } from "../../wire/elements/metric-meta.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import { unflushedSpan } from "../core/window.ts"
import { resolveElement } from "../core/resolve-path.ts"

/**
 * Length of the history: the default retention of five-minute values. Older values are averages of
 * these.
 */
const historyMs = 90 * dayMs

export const elementMetrics = defineQuery({
  kind: "elementMetrics",
  /** FQNs of metrics; none selects all. */
  parse(input, problems) {
    const params = new QueryParameters(input.params, problems)
    return [...params.many("metricFQN"), ...params.many("metricFqn")]
  },
  plan(context, fqns, input) {
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
  async answer(context, { plan: { series, query }, unflushed }) {
    const { element, span } = query
    const read = { series, span, resolution: "PT5M", withValues: true, exact: false } as const
    const found = series.length === 0 ? [] : await context.store.statistics(read, unflushed)
    const historyOf = new Map(found.map((one) => [one.series, one]))
    const buckets = await newestBuckets(context, found, unflushed)
    return printMetricMeta({
      id: context.ids.elementId(element),
      metrics: Array.from(series, (one) =>
        metaOf(context, one, { history: historyOf.get(one), newest: buckets.get(one) }),
      ),
    })
  },
})

/** Series whose newest buckets are in one day. */
interface NewestOfDay {
  readonly histories: SeriesStatistics[]
  /** From the start of the first to the start of the last of these buckets. */
  firstMs: number
  lastMs: number
}

/** The newest bucket of each series. Those of one day are read together: `historyMs` has 91. */
async function newestBuckets(
  { store, budget }: QueryContext,
  histories: readonly SeriesStatistics[],
  unflushed: UnflushedSamples | null,
): Promise<Map<number, SampleRecord>> {
  const buckets = new Map<number, SampleRecord>()
  for (const { histories: some, firstMs, lastMs } of newestByDay(histories)) {
    budget.check()
    const read = { span: { startMs: firstMs, endMs: lastMs + 1 }, resolution: "PT5M" } as const
    const series = Int32Array.from(some, (one) => one.series)
    const records = await store.samples(series, read, unflushed)
    some.forEach(({ series: one, timesMs }, i) => {
      const newestMs = timesMs!.at(-1)!
      buckets.set(
        one,
        records[i]!.findLast(({ timeMs }) => timeMs === newestMs)!,
      )
    })
  }
  return buckets
}

function newestByDay(histories: readonly SeriesStatistics[]): Iterable<NewestOfDay> {
  const days = new Map<number, NewestOfDay>()
  for (const history of histories) {
    const newestMs = history.timesMs!.at(-1)!
    const day = Math.floor(newestMs / dayMs)
    const known = days.get(day)
    if (known === undefined) {
      days.set(day, { histories: [history], firstMs: newestMs, lastMs: newestMs })
      continue
    }
    known.histories.push(history)
    known.firstMs = Math.min(known.firstMs, newestMs)
    known.lastMs = Math.max(known.lastMs, newestMs)
  }
  return days.values()
}

function metaOf(
  { store, ids }: QueryContext,
  series: SeriesIndex,
  {
    history,
    newest,
  }: {
    readonly history: SeriesStatistics | undefined
    readonly newest: SampleRecord | undefined
  },
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
  if (history === undefined) return { ...meta, createdMs, history: null }
  return {
    ...meta,
    createdMs: history.timesMs![0]!,
    history: {
      updatedMs: history.timesMs!.at(-1)!,
      lastActual: history.values!.at(-1)!,
      min: history.statistics.min,
      max: history.statistics.max,
      lastResults: newest?.fields ?? {},
    },
  }
}
