/** GET and POST `/metrics/statistics`: one metric name, statistics of every element that has it. */

import { invalid } from "../../base/errors.ts"
import { statisticsSeriesMax, valuesPerAnswerMax } from "../../base/limits.ts"
import type { Resolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { QueryBudget } from "../../base/query-budget.ts"
import type { OpenSamples, ReadStore, SeriesStatistics } from "../../store/store.ts"
import { readElementIds } from "../../wire/elements/element-ids-body.ts"
import { printStatisticsResult, StatisticsTexts } from "../../wire/statistics/statistics-result.ts"
import type { AskRequest } from "../core/request.ts"
import { Parameters } from "../core/parameters.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { Planned, Reader } from "../core/query-context.ts"
import { doParts, type Sharing } from "../parallel/work-sharing.ts"
import { spreadOf } from "../parallel/partition.ts"
import { askedWindow, openSpan, readWindow } from "../core/window.ts"
import type { JsonText } from "../../wire/json.ts"

export interface StatisticsQuestion {
  readonly kind: "statistics"
  readonly metricFqn: string
  readonly span: Span
  readonly resolution: Resolution
  readonly showValues: boolean
  readonly showTimestamps: boolean
  readonly exact: boolean
}

export function planStatistics(reader: Reader, request: AskRequest): Planned<StatisticsQuestion> {
  const problems = new Problems()
  const question = readQuestion(request, problems)
  const elements = readElements(request.body, problems)
  problems.throwIfAny()

  const name = reader.identity.findName(request.tenant, question.metricFqn)
  const series = Int32Array.from(name < 0 ? [] : seriesOf(reader, name, elements))
  if (series.length > statisticsSeriesMax) {
    throw invalid(
      `fqn: ${shown(question.metricFqn)} is a metric of ${series.length} elements, more than ` +
        `${statisticsSeriesMax}: name the elements in the body of a POST`,
    )
  }
  return {
    series,
    span: series.length === 0 ? null : openSpan(question.span),
    spread: spreadOf(reader, { ...question, series, withValues: hasValues(question) }),
    question,
  }
}

/** `sharing`: who helps with the parts of `spread`; null where nobody does. */
export function answerStatistics(
  reader: Reader,
  { series, spread, question }: Planned<StatisticsQuestion>,
  { open, sharing }: { readonly open: OpenSamples | null; readonly sharing: Sharing | null },
): JsonText {
  const { span, metricFqn } = question
  const empty = series.length === 0 || span.startMs === span.endMs
  const work = statisticsOfPart(reader, question, open)
  const alone = spread === undefined || sharing === null
  const told = empty
    ? []
    : alone
      ? [work(series)]
      : doParts(spread.parts, work, sharing, reader.elapsedMs)
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
export interface ToldPart {
  /** Of all series together. */
  readonly values: number
  /** Those with data; none where the values alone are too many for an answer. */
  readonly series: Int32Array
  /** Of each: its entry behind the ids. */
  readonly texts: readonly string[]
}

/** Reads and prints parts of one question; on any thread. */
export function statisticsOfPart(
  {
    store,
    budget,
  }: { readonly store: Pick<ReadStore, "statistics">; readonly budget: QueryBudget },
  question: StatisticsQuestion,
  open: OpenSamples | null,
): (series: Int32Array) => ToldPart {
  const { span, resolution, exact } = question
  const printing = new StatisticsTexts()
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

function hasValues({ showValues, showTimestamps }: StatisticsQuestion): boolean {
  return showValues || showTimestamps
}

function readQuestion(request: AskRequest, problems: Problems): StatisticsQuestion {
  const params = new Parameters(request.params, problems)
  const metricFqn = params.one("fqn")
  if (metricFqn === undefined) problems.add("fqn: expected a metric FQN, got none")
  return {
    kind: "statistics",
    metricFqn: metricFqn ?? "",
    span: readWindow(askedWindow(params), request.nowMs, problems),
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
function seriesOf(reader: Reader, name: number, elements: string[] | null): number[] {
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
        return reader.identity.findElement(tenant, id)
      }),
    )
    for (const element of found) {
      const one = element < 0 ? -1 : catalogue.findSeries(element, name)
      if (one >= 0) series.push(one)
    }
  }
  return series.sort((a, b) => catalogue.seriesElement(a) - catalogue.seriesElement(b))
}

function idsOf({ identity, store }: Reader, series: number) {
  return {
    elementId: identity.elementId(store.catalogue.seriesElement(series)),
    metricId: identity.metricId(series),
  }
}

function text(
  printing: StatisticsTexts,
  { statistics, values, timesMs }: SeriesStatistics,
  { showValues, showTimestamps }: StatisticsQuestion,
): string {
  return printing.print({
    statistics,
    ...(showValues && values !== undefined ? { values } : {}),
    ...(showTimestamps && timesMs !== undefined ? { timesMs } : {}),
  })
}

function refuseTooMany(told: readonly ToldPart[]): void {
  const values = told.reduce((sum, part) => sum + part.values, 0)
  if (values > valuesPerAnswerMax) {
    throw invalid(
      `showValues: the window holds ${values} values, more than ${valuesPerAnswerMax}: ` +
        `ask for fewer elements, a shorter window or a coarser rollup`,
    )
  }
}
