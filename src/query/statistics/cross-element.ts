/**
 * POST `/metrics/crosselementagg`: one value a bucket, combined from that bucket of every metric
 * that a query finds (spec/statistics §6). It reads rollups; for ZERO, whose buckets are the
 * samples themselves, each instant at which any metric was observed is one.
 */

import { assert } from "../../base/assert.ts"
import { invalid } from "../../base/errors.ts"
import {
  aggregatedBucketsMax,
  statisticsSeriesMax,
  valuesPerAnswerMax,
  windowMsDefault,
} from "../../base/limits.ts"
import { bucketWidthMs, type BucketResolution, type Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { GroupAggregator, aggregations, type Aggregation } from "../../rollup/group-aggregator.ts"
import { bucketStart } from "../../rollup/bucket.ts"
import type { BucketField, UnflushedSamples, StatisticsRequest } from "../../store/store.ts"
import {
  printCrossElementResult,
  type CrossElementResult,
  type CrossElementValue,
} from "../../wire/statistics/cross-element-result.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { readMetricQueryBody } from "../../wire/filter/metric-query-body.ts"
import { Problems, shown } from "../../wire/problems.ts"
import {
  isSampleValue,
  rawValue,
  crossElementStatistics,
  type CrossElementStatistic,
} from "./cross-element-statistic.ts"
import type { QueryRequest } from "../core/request.ts"
import { BucketIndex } from "./bucket-index.ts"
import { findSeries } from "../filter/search.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { readDates } from "../filter/activity-filter.ts"
import { unflushedSpan } from "../core/window.ts"
import type { JsonText } from "../../wire/json.ts"

/** Raw series that are read at once: four blocks, so that too many values are noticed early. */
const seriesPerStep = 1024

export interface CrossElementQuery {
  readonly kind: "acrossElements"
  readonly jobId: string
  readonly metricFqn: string | null
  readonly aggregation: Aggregation
  readonly statistic: CrossElementStatistic
  readonly resolution: Resolution
  readonly span: Span
}

export function planCrossElement(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<CrossElementQuery> {
  const problems = new Problems()
  const params = new QueryParameters(request.params, problems)
  const body = readMetricQueryBody(request.body, problems)
  const { nowMs, tenant } = request
  const lastHour = { startMs: nowMs - windowMsDefault, endMs: nowMs }
  const rest = {
    jobId: params.one("jobId") ?? "",
    aggregation: oneOf(params, "aggregation", { accepted: aggregations, problems }) ?? "avg",
    statistic:
      oneOf(params, "statistic", { accepted: crossElementStatistics, problems }) ?? "actual",
    resolution: params.rollup(),
    span: (body === null ? null : readDates(body, nowMs, problems)) ?? lastHour,
  } as const
  checkBuckets(rest, problems)
  problems.throwIfAny()
  assert(body !== null, "Expected a body without problems to be read")
  const series = findSeries(reader, tenant, body.filter).toArray()
  if (series.length > statisticsSeriesMax) {
    throw invalid(
      `body: ${series.length} metrics pass the filter, more than ${statisticsSeriesMax}: name ` +
        `the metric in metricFqns, and its elements by more groups`,
    )
  }
  const metricFqn = nameOf(reader, body.filter, series)
  const question = { kind: "acrossElements", ...rest, metricFqn } as const
  return { series, span: series.length === 0 ? null : unflushedSpan(rest.span), question }
}

export function answerCrossElement(
  reader: QueryContext,
  { series, question }: QueryPlanOf<CrossElementQuery>,
  open: UnflushedSamples | null,
): JsonText {
  const startedMs = reader.elapsedMs()
  const { resolution, metricFqn, aggregation, statistic, jobId } = question
  const isEmpty = series.length === 0 || question.span.startMs === question.span.endMs
  const { values, aggregatedMetrics } = isEmpty
    ? { values: [], aggregatedMetrics: 0 }
    : resolution === "ZERO"
      ? combineSamples(reader, { series, question, open })
      : combineBuckets(reader, { series, question: { ...question, resolution }, open })
  const result: CrossElementResult = {
    metricFqn,
    resolution,
    aggregation,
    statistic,
    jobId,
    seconds: (reader.elapsedMs() - startedMs) / 1000,
    values,
    foundMetrics: series.length,
    aggregatedMetrics,
  }
  return printCrossElementResult(result)
}

interface GroupQuery<Question> {
  readonly series: Int32Array
  readonly question: Question
  readonly open: UnflushedSamples | null
}

interface GroupValues {
  readonly values: readonly CrossElementValue[]
  readonly aggregatedMetrics: number
}

function combineBuckets(
  { store, budget }: QueryContext,
  {
    series,
    question,
    open,
  }: GroupQuery<CrossElementQuery & { readonly resolution: BucketResolution }>,
): GroupValues {
  const { span, resolution, statistic, aggregation } = question
  const width = bucketWidthMs[resolution]
  const firstMs = bucketStart(span.startMs, width)
  const field: BucketField = statistic === "val" ? "actual" : statistic
  const across = new GroupAggregator(aggregation)
  const slots = new BucketIndex(firstMs, width)
  let aggregatedMetrics = 0
  store.bucketValues({ series, span, resolution, field }, open, (_, timesMs, values) => {
    aggregatedMetrics++
    budget.step()
    const first = slots.firstOfRun(timesMs)
    if (first < 0) across.add(slots.indexesOf(timesMs), values)
    else across.addRun(first, values)
  })
  const values: CrossElementValue[] = []
  for (let slot = 0; slot < across.length; slot++) {
    if (!across.has(slot)) continue
    values.push({ timeMs: firstMs + slot * width, value: across.value(slot) })
  }
  return { values, aggregatedMetrics }
}

function combineSamples(reader: QueryContext, asked: GroupQuery<CrossElementQuery>): GroupValues {
  const across = new GroupAggregator(asked.question.aggregation)
  const slotOf = new Map<number, number>()
  let aggregatedMetrics = 0
  let samples = 0
  for (const { timesMs, values } of rawValues(reader, asked)) {
    reader.budget.check()
    aggregatedMetrics++
    samples += values.length
    refuseTooMany(samples)
    const slots = Int32Array.from(timesMs, (timeMs) => {
      const known = slotOf.get(timeMs)
      if (known !== undefined) return known
      slotOf.set(timeMs, slotOf.size)
      return slotOf.size - 1
    })
    across.add(slots, values)
  }
  const timesMs = [...slotOf.keys()].sort((left, right) => left - right)
  const values = timesMs.map((timeMs) => ({ timeMs, value: across.value(slotOf.get(timeMs)!) }))
  return { values, aggregatedMetrics }
}

interface RawValues {
  readonly timesMs: Float64Array
  readonly values: Float64Array
}

/** The raw values of each series that has any. */
function* rawValues(
  { store }: QueryContext,
  { series, question, open }: GroupQuery<CrossElementQuery>,
): Generator<RawValues> {
  const { span, statistic } = question
  if (isSampleValue(statistic)) {
    // Many series at once: they stand together, and one by one they take ten times as long.
    for (let from = 0; from < series.length; from += seriesPerStep) {
      const step = series.subarray(from, from + seriesPerStep)
      const asked: StatisticsRequest = { series: step, span, resolution: "ZERO", ...withValues }
      for (const { timesMs, values } of store.statistics(asked, open)) {
        yield { timesMs: timesMs!, values: values! }
      }
    }
    return
  }
  for (const one of series) {
    const told = store.samples(one, { span, resolution: "ZERO" }, open).flatMap((record) => {
      const value = rawValue(record.fields, statistic)
      return value === null ? [] : [[record.timeMs, value] as const]
    })
    if (told.length === 0) continue
    const timesMs = Float64Array.from(told, ([timeMs]) => timeMs)
    yield { timesMs, values: Float64Array.from(told, ([, value]) => value) }
  }
}

const withValues = { withValues: true, exact: false }

function refuseTooMany(samples: number): void {
  if (samples <= valuesPerAnswerMax) return
  throw invalid(
    `rollup: the window holds more than ${valuesPerAnswerMax} raw samples: ask for fewer ` +
      `elements, a shorter window or a coarser rollup`,
  )
}

function checkBuckets(
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

/** The name in the query; where it has none, that of the first metric that was found. */
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
