/**
 * POST `/metrics/crosselementagg`: one value per bucket, combined from that bucket of every metric
 * that passes a filter (spec/statistics §6). It reads rollups. For ZERO, whose buckets are the raw
 * samples, each timestamp of any metric is a bucket.
 */

import { invalid } from "../../base/errors.ts"
import {
  aggregatedBucketsMax,
  statisticsSeriesMax,
  valuesPerAnswerMax,
  windowMsDefault,
} from "../../base/limits/queries.ts"
import { bucketWidthMs, type BucketResolution, type Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { bucketStart } from "../../rollup/bucket.ts"
import { GroupAggregator, aggregations, type Aggregation } from "../../rollup/group-aggregator.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { BucketField, StatisticsRequest } from "../../store/query-store.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { readMetricQueryBody } from "../../wire/filter/metric-query-body.ts"
import { shown, type Problems } from "../../wire/problems.ts"
import {
  printCrossElementResult,
  type CrossElementValue,
} from "../../wire/statistics/cross-element-result.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import { unflushedSpan, untilNow } from "../core/window.ts"
import { readDates } from "../filter/activity-filter.ts"
import { findSeries } from "../filter/search.ts"
import { BucketIndex } from "./bucket-index.ts"
import {
  crossElementStatistics,
  isSampleValue,
  RawSampleReader,
  type CrossElementStatistic,
} from "./cross-element-statistic.ts"

/** Raw series read together: four partitions, so that too many values are noticed early. */
const seriesPerStep = 1024
/** Fewer, because a record takes twenty times the memory of a value. */
const recordSeriesPerStep = 16

export const crossElement = defineQuery({
  kind: "acrossElements",
  parse({ params: given, body: json, nowMs }, problems) {
    const params = new QueryParameters(given, problems)
    const body = readMetricQueryBody(json, problems)
    const lastHour = untilNow(nowMs, windowMsDefault)
    const rest = {
      jobId: params.one("jobId") ?? "",
      aggregation: oneOf(params, "aggregation", { accepted: aggregations, problems }) ?? "avg",
      statistic:
        oneOf(params, "statistic", { accepted: crossElementStatistics, problems }) ?? "actual",
      resolution: params.rollup(),
      span: (body === null ? null : readDates(body, nowMs, problems)) ?? lastHour,
    } as const
    checkBucketCount(rest, problems)
    return body && { filter: body.filter, ...rest }
  },
  async plan(context, { filter, ...rest }, { tenant }) {
    const series = (await findSeries(context, tenant, filter)).toArray()
    if (series.length > statisticsSeriesMax) {
      throw invalid(
        `body: ${series.length} metrics pass the filter, more than ${statisticsSeriesMax}: name ` +
          `the metric in metricFqns, and its elements by more groups`,
      )
    }
    const metricFqn = nameOf(context, filter, series)
    const span = series.length === 0 ? null : unflushedSpan(rest.span)
    return { series, span, query: { ...rest, metricFqn } }
  },
  async answer(context, { plan: { series, query }, unflushed }) {
    const startedMs = context.elapsedMs()
    const { span, metricFqn, resolution, aggregation, statistic, jobId } = query
    const isEmpty = series.length === 0 || span.startMs === span.endMs
    const { values, aggregatedMetrics } = isEmpty
      ? { values: [], aggregatedMetrics: 0 }
      : await combine(context, { series, query, unflushed })
    return printCrossElementResult({
      metricFqn,
      resolution,
      aggregation,
      statistic,
      jobId,
      seconds: (context.elapsedMs() - startedMs) / 1000,
      values,
      foundMetrics: series.length,
      aggregatedMetrics,
    })
  },
})

interface CombineQuery {
  readonly aggregation: Aggregation
  readonly statistic: CrossElementStatistic
  readonly span: Span
}

interface GroupQuery<Query> {
  readonly series: Int32Array
  readonly query: Query
  readonly unflushed: UnflushedSamples | null
}

interface GroupValues {
  readonly values: readonly CrossElementValue[]
  readonly aggregatedMetrics: number
}

async function combine(
  context: QueryContext,
  { query, ...rest }: GroupQuery<CombineQuery & { readonly resolution: Resolution }>,
): Promise<GroupValues> {
  const { resolution } = query
  const group = new GroupAggregator(query.aggregation)
  try {
    return resolution === "ZERO"
      ? await combineSamples(context, { ...rest, query }, group)
      : await combineBuckets(context, { ...rest, query: { ...query, resolution } }, group)
  } finally {
    group.release()
  }
}

async function combineBuckets(
  { store, budget }: QueryContext,
  {
    series,
    query,
    unflushed,
  }: GroupQuery<CombineQuery & { readonly resolution: BucketResolution }>,
  group: GroupAggregator,
): Promise<GroupValues> {
  const { span, resolution, statistic } = query
  const width = bucketWidthMs[resolution]
  const firstMs = bucketStart(span.startMs, width)
  const field: BucketField = statistic === "val" ? "actual" : statistic
  const buckets = new BucketIndex(firstMs, width)
  let aggregatedMetrics = 0
  const read = { series, span, resolution, field }
  await store.bucketValues(read, unflushed, (_, timesMs, values) => {
    aggregatedMetrics++
    budget.step()
    const first = buckets.firstOfRun(timesMs)
    if (first < 0) group.add(buckets.indexesOf(timesMs), values)
    else group.addRun(first, values)
  })
  const values: CrossElementValue[] = []
  for (let i = 0; i < group.length; i++) {
    if (!group.has(i)) continue
    values.push({ timeMs: firstMs + i * width, value: group.value(i) })
  }
  return { values, aggregatedMetrics }
}

async function combineSamples(
  context: QueryContext,
  { series, query, unflushed }: GroupQuery<CombineQuery>,
  group: GroupAggregator,
): Promise<GroupValues> {
  const { span, statistic } = query
  const indexByTime = new Map<number, number>()
  const isValue = isSampleValue(statistic)
  const seriesAtATime = isValue ? seriesPerStep : recordSeriesPerStep
  let aggregatedMetrics = 0
  let samples = 0
  // Many series together: they are stored together, and one by one they take ten times as long.
  for (let from = 0; from < series.length; from += seriesAtATime) {
    const step = { series: series.subarray(from, from + seriesAtATime), span, unflushed }
    const found = isValue
      ? await readValues(context, step)
      : await readFields(context, step, statistic)
    for (const { timesMs, values } of found) {
      context.budget.check()
      aggregatedMetrics++
      samples += values.length
      checkSampleCount(samples)
      const indexes = Int32Array.from(timesMs, (timeMs) => {
        const known = indexByTime.get(timeMs)
        if (known !== undefined) return known
        indexByTime.set(timeMs, indexByTime.size)
        return indexByTime.size - 1
      })
      group.add(indexes, values)
    }
  }
  const timesMs = [...indexByTime.keys()].sort((left, right) => left - right)
  const values = timesMs.map((timeMs) => ({ timeMs, value: group.value(indexByTime.get(timeMs)!) }))
  return { values, aggregatedMetrics }
}

interface RawRead {
  readonly series: Int32Array
  readonly span: Span
  readonly unflushed: UnflushedSamples | null
}

interface RawValues {
  readonly timesMs: Float64Array
  readonly values: Float64Array
}

/** The raw values of each series that has any. */
async function readValues(
  { store }: QueryContext,
  { series, span, unflushed }: RawRead,
): Promise<RawValues[]> {
  const read: StatisticsRequest = { series, span, resolution: "ZERO", ...withValues }
  const found = await store.statistics(read, unflushed)
  return found.map(({ timesMs, values }) => ({ timesMs: timesMs!, values: values! }))
}

/** Likewise, a statistic that must be read of whole samples. */
async function readFields(
  { store }: QueryContext,
  { series, span, unflushed }: RawRead,
  statistic: CrossElementStatistic,
): Promise<RawValues[]> {
  const reader = new RawSampleReader(statistic)
  const found = await store.samples(series, { span, resolution: "ZERO" }, unflushed)
  return found.flatMap((records) => {
    const points = records.flatMap(({ timeMs, fields }) => {
      const value = reader.value(fields)
      return value === null ? [] : [{ timeMs, value }]
    })
    if (points.length === 0) return []
    const timesMs = Float64Array.from(points, ({ timeMs }) => timeMs)
    return { timesMs, values: Float64Array.from(points, ({ value }) => value) }
  })
}

const withValues = { withValues: true, exact: false }

function checkSampleCount(samples: number): void {
  if (samples <= valuesPerAnswerMax) return
  throw invalid(
    `rollup: the window holds more than ${valuesPerAnswerMax} raw samples: ask for fewer ` +
      `elements, a shorter window or a coarser rollup`,
  )
}

function checkBucketCount(
  { span, resolution }: { readonly span: Span; readonly resolution: Resolution },
  problems: Problems,
): void {
  if (resolution === "ZERO") return
  const buckets = (span.endMs - span.startMs) / bucketWidthMs[resolution]
  if (buckets <= aggregatedBucketsMax) return
  problems.add(
    `startDate: expected a window of at most ${aggregatedBucketsMax} buckets of ${resolution}, ` +
      `got ${Math.ceil(buckets)}: ask for a shorter window or a coarser rollup`,
  )
}

/** The metric name in the filter; if it has none, that of the first metric that passes. */
function nameOf({ store }: QueryContext, filter: Filter, series: Int32Array): string | null {
  const named = (filter.metricFqns ?? filter.metricNames)?.items[0]?.text
  if (named !== undefined || series.length === 0) return named ?? null
  return store.catalogue.name(store.catalogue.seriesName(series[0]!)).fqn
}

function oneOf<Name extends string>(
  params: QueryParameters,
  name: string,
  { accepted, problems }: { readonly accepted: readonly Name[]; readonly problems: Problems },
): Name | undefined {
  const text = params.one(name)
  const found = accepted.find((one) => one === text?.toLowerCase())
  if (text !== undefined && found === undefined) {
    problems.add(`${name}: expected one of ${accepted.join(", ")}, got ${shown(text)}`)
  }
  return found
}
