/** GET and POST `/metrics/statistics`: one metric name, statistics of every element that has it. */

import { invalid } from "../../base/errors.ts"
import { statisticsSeriesMax, valuesPerAnswerMax } from "../../base/limits.ts"
import type { Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { QueryBudget } from "../../base/query-budget.ts"
import type { UnflushedSamples, ReadStore, SeriesStatistics } from "../../store/store.ts"
import { readElementIds } from "../../wire/elements/element-ids-body.ts"
import {
  printStatisticsResult,
  StatisticsPrinter,
} from "../../wire/statistics/statistics-result.ts"
import type { QueryRequest } from "../core/request.ts"
import { QueryParameters } from "../core/parameters.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { runPartitions, type WorkQueue } from "../parallel/work-sharing.ts"
import { partitioningOf } from "../parallel/partition.ts"
import { readWindowParameters, unflushedSpan, readWindow } from "../core/window.ts"
import type { JsonText } from "../../wire/json.ts"

export interface StatisticsQuery {
  readonly kind: "statistics"
  readonly metricFqn: string
  readonly span: Span
  readonly resolution: Resolution
  readonly showValues: boolean
  readonly showTimestamps: boolean
  readonly exact: boolean
}

export function planStatistics(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<StatisticsQuery> {
  const problems = new Problems()
  const question = readQuestion(request, problems)
  const elements = readElements(request.body, problems)
  problems.throwIfAny()

  const name = reader.ids.findName(request.tenant, question.metricFqn)
  const series = Int32Array.from(name < 0 ? [] : selectSeries(reader, name, elements))
  if (series.length > statisticsSeriesMax) {
    throw invalid(
      `fqn: ${shown(question.metricFqn)} is a metric of ${series.length} elements, more than ` +
        `${statisticsSeriesMax}: name the elements in the body of a POST`,
    )
  }
  return {
    series,
    span: series.length === 0 ? null : unflushedSpan(question.span),
    partitioning: partitioningOf(reader, { ...question, series, withValues: hasValues(question) }),
    question,
  }
}

/** `sharing`: who helps with the parts of `spread`; null where nobody does. */
export function answerStatistics(
  reader: QueryContext,
  { series, partitioning, question }: QueryPlanOf<StatisticsQuery>,
  { open, sharing }: { readonly open: UnflushedSamples | null; readonly sharing: WorkQueue | null },
): JsonText {
  const { span, metricFqn } = question
  const empty = series.length === 0 || span.startMs === span.endMs
  const work = createPartitionScan(reader, question, open)
  const alone = partitioning === undefined || sharing === null
  const told = empty
    ? []
    : alone
      ? [work(series)]
      : runPartitions(partitioning.partitions, work, sharing, reader.elapsedMs)
  refuseTooMany(told)
  const texts = new Map<number, string>()
  for (const part of told) part.series.forEach((one, i) => texts.set(one, part.texts[i]!))
  const metrics = Array.from(series).flatMap((one) => {
    reader.budget.step()
    const text = texts.get(one)
    return text === undefined ? [] : [{ ...idsOf(reader, one), text }]
  })
  return printStatisticsResult({ metricFqn, span, metrics })
}

/** What is told of the series of one part. */
export interface PartitionStatistics {
  /** Of all series together. */
  readonly values: number
  /** Those with data; none where the values alone are too many for an answer. */
  readonly series: Int32Array
  /** Of each: its entry behind the ids. */
  readonly texts: readonly string[]
}

/** Reads and prints parts of one question; on any thread. */
export function createPartitionScan(
  {
    store,
    budget,
  }: { readonly store: Pick<ReadStore, "statistics">; readonly budget: QueryBudget },
  question: StatisticsQuery,
  open: UnflushedSamples | null,
): (series: Int32Array) => PartitionStatistics {
  const { span, resolution, exact } = question
  const printing = new StatisticsPrinter()
  const withValues = hasValues(question)
  return (series) => {
    budget.check()
    const found = store.statistics({ series, span, resolution, withValues, exact }, open)
    const values = found.reduce((sum, one) => sum + (one.values?.length ?? 0), 0)
    if (values > valuesPerAnswerMax) return { values, series: new Int32Array(0), texts: [] }
    return {
      values,
      series: Int32Array.from(found, (one) => one.series),
      texts: found.map((one) => {
        budget.step()
        return text(printing, one, question)
      }),
    }
  }
}

function hasValues({ showValues, showTimestamps }: StatisticsQuery): boolean {
  return showValues || showTimestamps
}

function readQuestion(request: QueryRequest, problems: Problems): StatisticsQuery {
  const params = new QueryParameters(request.params, problems)
  const metricFqn = params.one("fqn")
  if (metricFqn === undefined) problems.add("fqn: expected a metric FQN, got none")
  return {
    kind: "statistics",
    metricFqn: metricFqn ?? "",
    span: readWindow(readWindowParameters(params), request.nowMs, problems),
    resolution: params.rollup(),
    showValues: params.flag("showValues"),
    showTimestamps: params.flag("showTimestamps"),
    exact: params.flag("exact"),
  }
}

/** The element ids of a POST; null asks for all elements. */
function readElements(body: unknown, problems: Problems): string[] | null {
  if (body === undefined || body === null) return null
  return readElementIds(body, problems) ?? []
}

/** In order of elements, so that the same question lists the same metrics in the same order. */
function selectSeries(reader: QueryContext, name: number, elements: string[] | null): number[] {
  const { catalogue } = reader.store
  const series: number[] = []
  if (elements === null) {
    for (const block of catalogue.blocksOfName(name)) {
      for (const one of catalogue.blockSeries(block)) {
        if (one >= 0 && !catalogue.isDeleted(catalogue.seriesElement(one))) series.push(one)
      }
    }
  } else {
    const { tenant } = catalogue.name(name)
    const found = new Set(
      elements.map((id) => {
        reader.budget.step()
        return reader.ids.findElement(tenant, id)
      }),
    )
    for (const element of found) {
      const one = element < 0 ? -1 : catalogue.findSeries(element, name)
      if (one >= 0) series.push(one)
    }
  }
  return series.sort((a, b) => catalogue.seriesElement(a) - catalogue.seriesElement(b))
}

function idsOf({ ids, store }: QueryContext, series: number) {
  return {
    elementId: ids.elementId(store.catalogue.seriesElement(series)),
    metricId: ids.metricId(series),
  }
}

function text(
  printing: StatisticsPrinter,
  { statistics, values, timesMs }: SeriesStatistics,
  { showValues, showTimestamps }: StatisticsQuery,
): string {
  return printing.print({
    statistics,
    ...(showValues && values !== undefined ? { values } : {}),
    ...(showTimestamps && timesMs !== undefined ? { timesMs } : {}),
  })
}

function refuseTooMany(told: readonly PartitionStatistics[]): void {
  const values = told.reduce((sum, part) => sum + part.values, 0)
  if (values > valuesPerAnswerMax) {
    throw invalid(
      `showValues: the window holds ${values} values, more than ${valuesPerAnswerMax}: ` +
        `ask for fewer elements, a shorter window or a coarser rollup`,
    )
  }
}
