/** GET and POST `/metrics/statistics`: one metric name, statistics of every element that has it. */

import { invalid } from "../base/errors.ts"
import { statisticsSeriesMax, valuesPerAnswerMax } from "../base/limits.ts"
import type { Resolution } from "../model/resolution.ts"
import type { Span } from "../model/span.ts"
import type { OpenSamples, SeriesStatistics } from "../store/store.ts"
import { readElementIds } from "../wire/element-ids-body.ts"
import type { StatisticsEntry } from "../wire/statistics-result.ts"
import { printStatisticsResult } from "../wire/statistics-result.ts"
import type { AskRequest } from "./ask.ts"
import { Parameters } from "./parameters.ts"
import { Problems, shown } from "../wire/problems.ts"
import type { Planned, Reader } from "./reader.ts"
import { askedWindow, openSpan, readWindow } from "./window.ts"

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
  const series = name < 0 ? [] : seriesOf(reader, name, elements)
  if (series.length > statisticsSeriesMax) {
    throw invalid(
      `fqn: ${shown(question.metricFqn)} is a metric of ${series.length} elements, more than ` +
        `${statisticsSeriesMax}: name the elements in the body of a POST`,
    )
  }
  return {
    series: Int32Array.from(series),
    span: series.length === 0 ? null : openSpan(question.span),
    question,
  }
}

export function answerStatistics(
  reader: Reader,
  { series, question }: Planned<StatisticsQuestion>,
  open: OpenSamples | null,
): Uint8Array {
  const { span, resolution, showValues, showTimestamps, exact } = question
  const withValues = showValues || showTimestamps
  const empty = series.length === 0 || span.startMs === span.endMs
  const found = empty
    ? []
    : reader.store.statistics({ series, span, resolution, withValues, exact }, open)
  refuseTooMany(found)
  const metrics = found.map((one) => entry(reader, one, question))
  return printStatisticsResult({ metricFqn: question.metricFqn, span, metrics })
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
    const found = new Set(elements.map((id) => reader.identity.findElement(tenant, id)))
    for (const element of found) {
      const one = element < 0 ? -1 : catalogue.findSeries(element, name)
      if (one >= 0) series.push(one)
    }
  }
  return series.sort((a, b) => catalogue.seriesElement(a) - catalogue.seriesElement(b))
}

function entry(
  reader: Reader,
  one: SeriesStatistics,
  question: StatisticsQuestion,
): StatisticsEntry {
  const { identity, store } = reader
  return {
    elementId: identity.elementId(store.catalogue.seriesElement(one.series)),
    metricId: identity.metricId(one.series),
    statistics: one.statistics,
    ...(question.showValues && one.values !== undefined ? { values: one.values } : {}),
    ...(question.showTimestamps && one.timesMs !== undefined ? { timesMs: one.timesMs } : {}),
  }
}

function refuseTooMany(found: readonly SeriesStatistics[]): void {
  const values = found.reduce((sum, one) => sum + (one.values?.length ?? 0), 0)
  if (values > valuesPerAnswerMax) {
    throw invalid(
      `showValues: the window holds ${values} values, more than ${valuesPerAnswerMax}: ` +
        `ask for fewer elements, a shorter window or a coarser rollup`,
    )
  }
}
