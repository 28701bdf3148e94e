/** GET and POST `/metrics/statistics`: one metric name, statistics of every element that has it. */

import { assert } from "../../base/assert.ts"
import { invalid } from "../../base/errors.ts"
import { statisticsSeriesMax, valuesPerAnswerMax } from "../../base/limits/queries.ts"
import type { QueryBudget } from "../../base/query-budget.ts"
import type { SeriesIndex } from "../../model/ids.ts"
import type { Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type {
  SeriesStatistics,
  StatisticsRequest,
  SyncQuerySource,
} from "../../store/query-store.ts"
import { readElementIds } from "../../wire/elements/element-ids-body.ts"
import { shown, type Problems } from "../../wire/problems.ts"
import {
  printStatisticsResult,
  StatisticsPrinter,
  type StatisticsEntry,
} from "../../wire/statistics/statistics-result.ts"
import { defineQuery, type PlannedQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { QueryInput } from "../core/request.ts"
import type { WorkingMemory } from "../core/working-memory.ts"
import { readWindow, readWindowParameters, unflushedSpan } from "../core/window.ts"
import { forEachSeriesOf } from "../filter/search.ts"
import { partitioningOf } from "../parallel/partition.ts"
import { runPartitions } from "../parallel/work-sharing.ts"

export interface StatisticsQuery {
  readonly metricFqn: string
  readonly span: Span
  readonly resolution: Resolution
  readonly showValues: boolean
  readonly showTimestamps: boolean
  readonly exact: boolean
}

export const statistics = defineQuery({
  kind: "statistics",
  parse(input, problems) {
    const query = readQuery(input, problems)
    return { query, elements: readElements(input.body, problems) }
  },
  plan(context, { query, elements }, { tenant }) {
    const { metricFqn, span } = query
    const name = context.ids.findName(tenant, metricFqn)
    const series = Int32Array.from(name < 0 ? [] : selectSeries(context, name, elements))
    if (series.length > statisticsSeriesMax) {
      throw invalid(
        `fqn: ${shown(metricFqn)} is a metric of ${series.length} elements, more than ` +
          `${statisticsSeriesMax}: name the elements in the body of a POST`,
      )
    }
    return {
      series,
      span: series.length === 0 ? null : unflushedSpan(span),
      partitioning: partitioningOf(context, { ...query, series, withValues: hasValues(query) }),
      query,
    }
  },
  async answer(context, planned) {
    const { series, query } = planned.plan
    const { span, metricFqn } = query
    const isEmpty = series.length === 0 || span.startMs === span.endMs
    const found = isEmpty ? nothingFound() : await scanSeries(context, planned)
    const printNext = createEntryPrinter(context, found, query)
    const metrics = Array.from(series).flatMap((one): StatisticsEntry[] => {
      context.budget.step()
      const entry = found.get(one)
      if (entry === undefined) return []
      const isShort = typeof entry === "string" && !hasValues(query)
      return [{ ...idsOf(context, one), text: isShort ? entry : () => printNext(one) }]
    })
    return printStatisticsResult({ metricFqn, span, metrics })
  },
})

/** The statistics of each series with data, or its entry if that is printed already. */
type Found = Map<number, SeriesStatistics | string>

function nothingFound(): Found {
  return new Map()
}

/** A function that prints the entry of a series; nothing of it is kept when the next is printed. */
function createEntryPrinter(
  { working }: QueryContext,
  found: Found,
  query: StatisticsQuery,
): (series: SeriesIndex) => string {
  const printer = new StatisticsPrinter()
  let lastBytes = 0
  return (series) => {
    working.free(lastBytes)
    const entry = found.get(series)!
    found.delete(series)
    const isPrinted = typeof entry === "string"
    const text = isPrinted ? entry : printEntry(printer, entry, query)
    lastBytes = text.length
    if (isPrinted) return text
    working.take(lastBytes)
    working.free(bytesOf(entry))
    return text
  }
}

/** Reads the planned series. Throws `invalid` if they have too many values. */
async function scanSeries(
  { store, sharing, budget, working, elapsedMs }: QueryContext,
  { plan, unflushed, queue }: PlannedQuery<StatisticsQuery>,
): Promise<Found> {
  const { series, partitioning, query } = plan
  if (partitioning === undefined || queue === null) {
    budget.check()
    const found = await store.statistics(requestOf(query, series), unflushed)
    if (!hasValues(query)) return joinTexts([printedOf(found, query, { budget, working })])
    checkValueCount(valueCountOf(found))
    working.take(sumOf(found, bytesOf))
    return new Map(found.map((one) => [one.series, one]))
  }
  assert(sharing !== null, "Expected no partitions without scan workers")
  const scan = createPartitionScan({ store: sharing.source, budget, working }, query, unflushed)
  return joinTexts(runPartitions(partitioning.partitions, scan, queue, elapsedMs))
}

/** The printed statistics of the series of one partition. */
export interface PartitionStatistics {
  /** Number of values of all series together. */
  readonly valueCount: number
  /** Series with data; empty if the values alone exceed the limit of an answer. */
  readonly series: Int32Array
  /** The entry of each of these series, without its ids. */
  readonly texts: readonly string[]
}

/** A function that reads and prints partitions of one query; runs on any thread, synchronously. */
export function createPartitionScan(
  { store, budget, working }: PartitionScanDeps,
  query: StatisticsQuery,
  unflushed: UnflushedSamples | null,
): (series: Int32Array) => PartitionStatistics {
  const printer = new StatisticsPrinter()
  return (series) => {
    budget.check()
    const found = store.statistics(requestOf(query, series), unflushed)
    return printedOf(found, query, { budget, working }, printer)
  }
}

/** Empty if the values alone exceed the limit of an answer. */
function printedOf(
  found: readonly SeriesStatistics[],
  query: StatisticsQuery,
  { budget, working }: Pick<QueryContext, "budget" | "working">,
  printer = new StatisticsPrinter(),
): PartitionStatistics {
  const valueCount = valueCountOf(found)
  if (valueCount > valuesPerAnswerMax) return { valueCount, series: new Int32Array(0), texts: [] }
  const foundBytes = sumOf(found, bytesOf)
  working.take(foundBytes)
  let shortBytes = 0
  const texts = found.map((one) => {
    budget.step()
    const text = printEntry(printer, one, query)
    if (one.values === undefined) shortBytes += text.length
    else working.take(text.length)
    return text
  })
  working.take(shortBytes)
  working.free(foundBytes)
  return { valueCount, series: Int32Array.from(found, (one) => one.series), texts }
}

interface PartitionScanDeps {
  readonly store: Pick<SyncQuerySource, "statistics">
  readonly budget: QueryBudget
  /** The thread that joins the results frees their texts. */
  readonly working: WorkingMemory
}

/** Of statistics without values: an object of eleven numbers. */
const statisticsBytes = 256

function bytesOf({ values, timesMs }: SeriesStatistics): number {
  return statisticsBytes + (values?.byteLength ?? 0) + (timesMs?.byteLength ?? 0)
}

function valueCountOf(found: readonly SeriesStatistics[]): number {
  return sumOf(found, ({ values }) => values?.length ?? 0)
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}

function requestOf(query: StatisticsQuery, series: Int32Array): StatisticsRequest {
  const { span, resolution, exact } = query
  return { series, span, resolution, exact, withValues: hasValues(query) }
}

function hasValues({ showValues, showTimestamps }: StatisticsQuery): boolean {
  return showValues || showTimestamps
}

function readQuery(input: QueryInput, problems: Problems): StatisticsQuery {
  const params = new QueryParameters(input.params, problems)
  const metricFqn = params.one("fqn")
  if (metricFqn === undefined) problems.add("fqn: expected a metric FQN, got none")
  return {
    metricFqn: metricFqn ?? "",
    span: readWindow(readWindowParameters(params), input.nowMs, problems),
    resolution: params.rollup(),
    showValues: params.flag("showValues"),
    showTimestamps: params.flag("showTimestamps"),
    exact: params.flag("exact"),
  }
}

/** The element ids of a POST; null selects all elements. */
function readElements(body: unknown, problems: Problems): string[] | null {
  if (body === undefined || body === null) return null
  return readElementIds(body, problems) ?? []
}

/**
 * The series of a metric name, in order of elements, so that the same query always lists the same
 * metrics in the same order.
 */
function selectSeries(context: QueryContext, name: number, elements: string[] | null): number[] {
  const { catalogue } = context.store
  const series =
    elements === null ? allSeries(context, name) : seriesOfElements(context, name, elements)
  return series.sort((a, b) => catalogue.seriesElement(a) - catalogue.seriesElement(b))
}

/** Deleted elements are left out. */
function allSeries(context: QueryContext, name: number): number[] {
  const { catalogue } = context.store
  const series: number[] = []
  forEachSeriesOf(context, name, (one) => {
    if (!catalogue.isDeleted(catalogue.seriesElement(one))) series.push(one)
  })
  return series
}

/** Unknown elements, and those without the metric, are left out. */
function seriesOfElements(context: QueryContext, name: number, elements: string[]): number[] {
  const { store, ids, budget } = context
  const { tenant } = store.catalogue.name(name)
  const found = new Set<number>()
  for (const idOrFqn of elements) {
    budget.step()
    const element = ids.findElement(tenant, idOrFqn)
    if (element >= 0) found.add(element)
  }
  const series = [...found].map((element) => store.catalogue.findSeries(element, name))
  return series.filter((one) => one >= 0)
}

function idsOf({ ids, store }: QueryContext, series: SeriesIndex) {
  return {
    elementId: ids.elementId(store.catalogue.seriesElement(series)),
    metricId: ids.metricId(series),
  }
}

function printEntry(
  printer: StatisticsPrinter,
  { statistics, values, timesMs }: SeriesStatistics,
  { showValues, showTimestamps }: StatisticsQuery,
): string {
  return printer.print({
    statistics,
    ...(showValues && values !== undefined ? { values } : {}),
    ...(showTimestamps && timesMs !== undefined ? { timesMs } : {}),
  })
}

/** The entries of all partitions by series. */
function joinTexts(results: readonly PartitionStatistics[]): Found {
  checkValueCount(sumOf(results, ({ valueCount }) => valueCount))
  const found = nothingFound()
  for (const { series, texts } of results) {
    assert(texts.length === series.length, "Expected an entry of each series with data")
    series.forEach((one, i) => found.set(one, texts[i]!))
  }
  return found
}

function checkValueCount(valueCount: number): void {
  if (valueCount <= valuesPerAnswerMax) return
  throw invalid(
    `showValues: the window holds ${valueCount} values, more than ${valuesPerAnswerMax}: ` +
      "ask for fewer elements, a shorter window or a coarser rollup",
  )
}
