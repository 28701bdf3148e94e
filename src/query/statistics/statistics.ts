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
import type { JsonBytes } from "../../wire/json-bytes.ts"
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
import {
  EntryPrinter,
  forEachPrinted,
  printPrinted,
  type PartitionStatistics,
  type PrintedEntry,
} from "./printed-entries.ts"

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
      partitioning: partitioningOf(context, requestOf(query, series)),
      query,
    }
  },
  async answer(context, planned) {
    const { series, query } = planned.plan
    const { span, metricFqn } = query
    const isEmpty = series.length === 0 || span.startMs === span.endMs
    const metrics = isEmpty ? [] : await scanSeries(context, planned)
    return printStatisticsResult({ metricFqn, span, metrics })
  },
})

/** Reads the planned series: entries in their order. Throws `invalid` if they have too many values. */
async function scanSeries(
  context: QueryContext,
  { plan, unflushed, queue }: PlannedQuery<StatisticsQuery>,
): Promise<Iterable<StatisticsEntry>> {
  const { store, sharing, budget, working, elapsedMs } = context
  const { series, partitioning, query } = plan
  if (partitioning === undefined || queue === null) {
    budget.check()
    const found = await store.statistics(requestOf(query, series), unflushed)
    checkValueCount(valueCountOf(found))
    working.take(sumOf(found, bytesOf))
    return entriesOf(context, found, query)
  }
  assert(sharing !== null, "Expected no partitions without scan workers")
  const scan = createPartitionScan({ store: sharing.source, budget, working }, query, unflushed)
  const results = runPartitions(partitioning.partitions, scan, queue, elapsedMs)
  return joinedEntries(context, series, joinPartitions(results))
}

/** Takes each out of `found`, so that nothing of one is kept when the next is printed. */
function* entriesOf(
  context: QueryContext,
  found: SeriesStatistics[],
  query: StatisticsQuery,
): Generator<StatisticsEntry, void> {
  const printer = new StatisticsPrinter()
  found.reverse()
  for (let one = found.pop(); one !== undefined; one = found.pop()) {
    const printed = one
    yield entryOf(context, one.series, (out) => printEntry(printer, out, printed, query))
    context.working.free(bytesOf(one))
  }
}

/** As `entriesOf`, of those that are printed. */
function* joinedEntries(
  context: QueryContext,
  series: Int32Array,
  printed: Map<SeriesIndex, PrintedEntry>,
): Generator<StatisticsEntry, void> {
  for (const one of series) {
    const entry = printed.get(one)
    if (entry === undefined) continue
    printed.delete(one)
    yield entryOf(context, one, (out) => printPrinted(out, entry, context.working))
  }
}

function entryOf(
  { ids, store, budget }: QueryContext,
  series: SeriesIndex,
  print: StatisticsEntry["print"],
): StatisticsEntry {
  budget.step()
  const elementId = ids.elementId(store.catalogue.seriesElement(series))
  return { elementId, metricId: ids.metricId(series), print }
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
    const valueCount = valueCountOf(found)
    const entries = new EntryPrinter(working)
    if (valueCount > valuesPerAnswerMax) return { ...entries.end(), valueCount }
    const foundBytes = sumOf(found, bytesOf)
    working.take(foundBytes)
    for (const one of found) {
      budget.step()
      entries.add(one.series, (out) => printEntry(printer, out, one, query))
    }
    working.free(foundBytes)
    return { ...entries.end(), valueCount }
  }
}

interface PartitionScanDeps {
  readonly store: Pick<SyncQuerySource, "statistics">
  readonly budget: QueryBudget
  /** The thread that joins the results frees their entries. */
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

function printEntry(
  printer: StatisticsPrinter,
  out: JsonBytes,
  { statistics, values, timesMs }: SeriesStatistics,
  { showValues, showTimestamps }: StatisticsQuery,
): void {
  printer.print(out, {
    statistics,
    values: showValues ? values : undefined,
    timesMs: showTimestamps ? timesMs : undefined,
  })
}

/** The entries of all partitions by series. */
function joinPartitions(results: readonly PartitionStatistics[]): Map<SeriesIndex, PrintedEntry> {
  checkValueCount(sumOf(results, ({ valueCount }) => valueCount))
  const found = new Map<SeriesIndex, PrintedEntry>()
  for (const result of results) forEachPrinted(result, (one, entry) => found.set(one, entry))
  return found
}

function checkValueCount(valueCount: number): void {
  if (valueCount <= valuesPerAnswerMax) return
  throw invalid(
    `showValues: the window holds ${valueCount} values, more than ${valuesPerAnswerMax}: ` +
      "ask for fewer elements, a shorter window or a coarser rollup",
  )
}
