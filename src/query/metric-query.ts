/** POST `/metrics/search/metricQuery`: the metrics that pass a filter, a page at a time. */

import { assert } from "../base/assert.ts"
import { invalid } from "../base/errors.ts"
import { cycleMs } from "../model/resolution.ts"
import type { Span } from "../model/span.ts"
import type { OpenSamples } from "../store/store.ts"
import type { MetricSubject } from "../wire/metric-document.ts"
import { metricDocument } from "../wire/metric-document.ts"
import type { MetricQueryBody } from "../wire/metric-query-body.ts"
import { readMetricQueryBody } from "../wire/metric-query-body.ts"
import { printPage } from "../wire/page.ts"
import { Problems } from "../wire/problems.ts"
import type { AskRequest } from "./ask.ts"
import { findSeries } from "./find.ts"
import type { Planned, Reader } from "./reader.ts"
import { withoutSamples } from "./reader.ts"
import { sorted } from "./sort.ts"
import { openSpan, readWindow } from "./window.ts"

/** Metrics whose data is looked up for one query with dates: one read of PT5M buckets a series. */
export const datedSeriesMax = 20_000

export interface MetricQuestion extends Pick<
  MetricQueryBody,
  "filter" | "sort" | "page" | "pageSize" | "fields"
> {
  readonly kind: "metricQuery"
  /** Keeps metrics with data in it; null keeps all. */
  readonly span: Span | null
}

export function planMetricQuery(reader: Reader, request: AskRequest): Planned<MetricQuestion> {
  const question = readQuestion(request)
  if (question.span === null) return withoutSamples(question)
  const series = findSeries(reader, request.tenant, question.filter)
  if (series.length > datedSeriesMax) {
    throw invalid(
      `startDate: ${series.length} metrics pass the filter, more than the ${datedSeriesMax} ` +
        `whose data one query looks up: narrow the filter, or leave out startDate and endDate`,
    )
  }
  const span = series.length === 0 ? null : openSpan(question.span)
  return { series, span, question }
}

export function answerMetricQuery(
  reader: Reader,
  { series, question, tenant }: Planned<MetricQuestion> & { tenant: number },
  open: OpenSamples | null,
): Uint8Array {
  const { span, sort, page, pageSize } = question
  const found =
    span === null
      ? findSeries(reader, tenant, question.filter)
      : withData(reader, { series, span }, open)
  const subject = (one: number) => metricSubject(reader, one)
  const ordered = sort === null ? found : sorted(found, sort, subject)
  const shown = ordered.subarray(page * pageSize, (page + 1) * pageSize)
  return printPage({
    content: Array.from(shown, (one) => metricDocument(subject(one), question.fields)),
    total: found.length,
    page,
    pageSize,
  })
}

function readQuestion(request: AskRequest): MetricQuestion {
  const problems = new Problems()
  const body = readMetricQueryBody(request.body, problems)
  const span = body === null ? null : readDates(body, request.nowMs, problems)
  problems.throwIfAny()
  assert(body !== null, "Expected a body without problems to be read")
  const { filter, sort, page, pageSize, fields } = body
  return { kind: "metricQuery", filter, span, sort, page, pageSize, fields }
}

function readDates(body: MetricQueryBody, nowMs: number, problems: Problems): Span | null {
  const { startDate, endDate } = body
  if (startDate === undefined && endDate === undefined) return null
  const start = { field: "startDate", text: startDate }
  const end = { field: "endDate", text: endDate }
  return readWindow({ duration: undefined, start, end }, nowMs, problems)
}

/** A metric as documents show it. */
export function metricSubject({ store, identity }: Reader, series: number): MetricSubject {
  const { catalogue } = store
  return {
    // Computed when it is read: sorting a million metrics by unit needs no million ids.
    get id() {
      return identity.metricId(series)
    },
    get elementId() {
      return identity.elementId(catalogue.seriesElement(series))
    },
    fqn: catalogue.name(catalogue.seriesName(series)).fqn,
    definition: catalogue.seriesDefinition(series),
  }
}

function withData(
  { store }: Reader,
  { series, span }: { series: Int32Array; span: Span },
  open: OpenSamples | null,
): Int32Array {
  if (series.length === 0) return series
  const found = store.statistics(
    { series, span: wholeCycles(span), resolution: "PT5M", withValues: false, exact: false },
    open,
  )
  return Int32Array.from(found, (one) => one.series)
}

/** A bucket counts by its start, so the cycle in which the window begins must be whole. */
function wholeCycles(span: Span): Span {
  return { startMs: Math.floor(span.startMs / cycleMs) * cycleMs, endMs: span.endMs }
}
