/** `/elements/{elementId}/metrics/{metricId}/samples`: the values of one metric, for charts. */

import { invalid } from "../../base/errors.ts"
import { valuesPerAnswerMax } from "../../base/limits/queries.ts"
import type { Resolution } from "../../model/resolution.ts"
import { sampleFields } from "../../model/sample-batch.ts"
import { sampleMean } from "../../rollup/contribution.ts"
import { recordFields } from "../../store/query-store.ts"
import type { RecordField, SampleRecord } from "../../store/query-store.ts"
import { shown, type Problems } from "../../wire/problems.ts"
import type { SampleEntry, SampleSummary } from "../../wire/statistics/samples-result.ts"
import { printSamplesResult } from "../../wire/statistics/samples-result.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import { readWindow, readWindowParameters, unflushedSpan } from "../core/window.ts"
import { resolveElement, resolveSeries } from "../core/resolve-path.ts"

/** Of one record: two objects and a few numbers. */
const recordBytes = 160

export const samples = defineQuery({
  kind: "samples",
  parse(input, problems) {
    const params = new QueryParameters(input.params, problems)
    return {
      span: readWindow(readWindowParameters(params), input.nowMs, problems),
      resolution: params.rollup(),
      /** The fields to print; null prints all. */
      fields: readFields(params.many("aggregations"), problems),
      /** True for the `/ui` variant. */
      withSummary: params.flag("ui"),
    }
  },
  plan(context, query, input) {
    const element = resolveElement(context, input)
    const series = Int32Array.of(resolveSeries(context, element, input))
    return { series, span: unflushedSpan(query.span), query }
  },
  async answer(context, { plan, unflushed }) {
    const { span, resolution, fields, withSummary } = plan.query
    const series = plan.series[0]!
    const found = await context.store.samples(plan.series, { span, resolution }, unflushed)
    const records = found[0]!
    if (records.length > valuesPerAnswerMax) {
      throw invalid(
        `startTime: the window holds ${records.length} samples, more than ${valuesPerAnswerMax}: ` +
          `ask for a shorter window or a coarser rollup`,
      )
    }
    context.working.take(records.length * recordBytes)
    const select = (record: SampleRecord) => selectFields(record, fields ?? [], resolution)
    return printSamplesResult({
      metricId: context.ids.metricId(series),
      resolution,
      samples: fields === null ? records : records.flatMap(select),
      ...(withSummary ? { summary: summary(records, resolution) } : {}),
    })
  },
})

function readFields(names: string[], problems: Problems): RecordField[] | null {
  const fields = names.flatMap((text) => {
    const field = recordFields.find((one) => one.toLowerCase() === text.toLowerCase())
    if (field !== undefined) return field
    const accepted = recordFields.map((one) => one.toUpperCase()).join(", ")
    problems.add(`aggregations: expected one of ${accepted}, got ${shown(text)}`)
    return []
  })
  return fields.length === 0 ? null : fields
}

/** The chosen fields of a record; nothing if it has none of them. */
function selectFields(
  record: SampleRecord,
  fields: readonly RecordField[],
  resolution: Resolution,
): SampleEntry | [] {
  const data: Partial<Record<RecordField, number>> = {}
  for (const field of fields) {
    const value = field === "actual" ? actualOf(record, resolution) : record.fields[field]
    if (value !== undefined) data[field] = value
  }
  return Object.keys(data).length === 0 ? [] : { timeMs: record.timeMs, fields: data }
}

/** The actual of a bucket, if it has one; of a raw sample the value that ZERO shows. */
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
