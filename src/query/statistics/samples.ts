/** `/elements/{elementId}/metrics/{metricId}/samples`: the values of one metric, as charts read them. */

import { invalid } from "../../base/errors.ts"
import { valuesPerAnswerMax } from "../../base/limits.ts"
import type { Resolution } from "../../model/resolution.ts"
import { sampleFields } from "../../model/sample-columns.ts"
import type { Span } from "../../model/span.ts"
import { sampleMean } from "../../rollup/contribution.ts"
import { recordFields } from "../../store/store.ts"
import type { UnflushedSamples, RecordField, SampleRecord } from "../../store/store.ts"
import type { SampleEntry, SampleSummary } from "../../wire/statistics/samples-result.ts"
import { printSamplesResult } from "../../wire/statistics/samples-result.ts"
import type { QueryRequest } from "../core/request.ts"
import { resolveElement, resolveSeries } from "../elements/resolve-path.ts"
import { QueryParameters } from "../core/parameters.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { readWindowParameters, unflushedSpan, readWindow } from "../core/window.ts"
import type { JsonText } from "../../wire/json.ts"

export interface SamplesQuery {
  readonly kind: "samples"
  readonly span: Span
  readonly resolution: Resolution
  /** The fields asked for; null asks for all. */
  readonly fields: readonly RecordField[] | null
  /** True for the `/ui` variant. */
  readonly withSummary: boolean
}

/** Throws `missing` where the element or its metric does not exist. */
export function planSamples(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<SamplesQuery> {
  const problems = new Problems()
  const params = new QueryParameters(request.params, problems)
  const question: SamplesQuery = {
    kind: "samples",
    span: readWindow(readWindowParameters(params), request.nowMs, problems),
    resolution: params.rollup(),
    fields: readFields(params.many("aggregations"), problems),
    withSummary: params.flag("ui"),
  }
  problems.throwIfAny()
  return {
    series: Int32Array.of(resolveSeries(reader, resolveElement(reader, request), request)),
    span: unflushedSpan(question.span),
    question,
  }
}

export function answerSamples(
  reader: QueryContext,
  { series, question }: QueryPlanOf<SamplesQuery>,
  open: UnflushedSamples | null,
): JsonText {
  const { span, resolution, fields } = question
  const records = reader.store.samples(series[0]!, { span, resolution }, open)
  if (records.length > valuesPerAnswerMax) {
    throw invalid(
      `startTime: the window holds ${records.length} samples, more than ${valuesPerAnswerMax}: ` +
        `ask for a shorter window or a coarser rollup`,
    )
  }
  return printSamplesResult({
    metricId: reader.ids.metricId(series[0]!),
    resolution,
    samples:
      fields === null ? records : records.flatMap((record) => selectFields(record, question)),
    ...(question.withSummary ? { summary: summary(records, resolution) } : {}),
  })
}

function readFields(asked: string[], problems: Problems): RecordField[] | null {
  const fields = asked.flatMap((text) => {
    const field = recordFields.find((one) => one.toLowerCase() === text.toLowerCase())
    if (field !== undefined) return field
    const accepted = recordFields.map((one) => one.toUpperCase()).join(", ")
    problems.add(`aggregations: expected one of ${accepted}, got ${shown(text)}`)
    return []
  })
  return fields.length === 0 ? null : fields
}

/** The asked fields of a record; nothing where it has none of them. */
function selectFields(record: SampleRecord, question: SamplesQuery): SampleEntry | [] {
  const data: Partial<Record<RecordField, number>> = {}
  for (const field of question.fields ?? []) {
    const value = field === "actual" ? actualOf(record, question.resolution) : record.fields[field]
    if (value !== undefined) data[field] = value
  }
  return Object.keys(data).length === 0 ? [] : { timeMs: record.timeMs, fields: data }
}

/** A bucket's actual, which it may lack; a raw sample's is the value that ZERO shows of it. */
function actualOf({ fields }: SampleRecord, resolution: Resolution): number | undefined {
  if (resolution !== "ZERO") return fields.actual
  let mask = 0
  for (const [bit, field] of sampleFields.entries()) {
    if (fields[field] !== undefined) mask |= 1 << bit
  }
  const sent = sampleFields.map((field) => fields[field] ?? 0)
  return mask === 0 ? undefined : sampleMean(mask, sent)
}

function summary(records: readonly SampleRecord[], resolution: Resolution): SampleSummary {
  let count = 0
  let sum = 0
  let min = Infinity
  let max = -Infinity
  for (const record of records) {
    const value = actualOf(record, resolution)
    if (value === undefined) continue
    count++
    sum += value
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  if (count === 0) return { min: null, avg: null, max: null, sum: null }
  return { min, avg: sum / count, max, sum }
}
