/** The answer of `/metrics/statistics`: one window, and statistics of each metric that had data. */

import { formatInstant, formatInstantSeconds } from "../../base/iso8601.ts"
import type { Span } from "../../model/span.ts"
import type { Statistics } from "../../model/statistics.ts"
import { flag, instant, listOf, number, numberOrNull, optional, orNull, record } from "../answer.ts"
import { text, described, uuid, wholeNumber } from "../answer.ts"
import { jsonItems, jsonText, type JsonText } from "../json.ts"
import { jsonBytesOf, type JsonBytes } from "../json-bytes.ts"

const timeSpanRecord = record({
  startTime: instant,
  endTime: instant,
  duration: record({
    seconds: wholeNumber,
    nano: wholeNumber,
    zero: flag,
    negative: flag,
    units: listOf(text),
  }),
})

/** Sums of huge values may exceed the range of JSON numbers. */
export const statisticsRecord = record({
  avg: described(numberOrNull, "Arithmetic mean"),
  min: described(number, "Smallest value"),
  median: described(number, "50th percentile"),
  max: described(number, "Greatest value"),
  percentile5: described(number, "5th percentile"),
  percentile25: described(number, "25th percentile"),
  percentile75: described(number, "75th percentile"),
  percentile95: described(number, "95th percentile"),
  count: described(number, "Number of values: samples for ZERO, otherwise buckets"),
  sum: described(numberOrNull, "Sum of the values"),
  stddev: described(numberOrNull, "Standard deviation of a sample (n - 1); 0 for one value"),
})

export const metricStatisticsRecord = record({
  elementId: uuid,
  metricId: uuid,
  statistics: statisticsRecord,
  data: described(optional(listOf(numberOrNull)), "With showValues, in time order"),
  timestamps: described(optional(listOf(instant)), "With showTimestamps, as long as `data`"),
})

export const statisticsAnswer = record({
  metricFqn: text,
  timeSpan: timeSpanRecord,
  metrics: listOf(metricStatisticsRecord),
})

export const aggregateStatisticsAnswer = record({
  metricFqn: text,
  timeSpan: timeSpanRecord,
  foundMetrics: wholeNumber,
  aggregatedMetrics: wholeNumber,
  statistics: orNull(statisticsRecord),
})

export interface StatisticsResult {
  readonly metricFqn: string
  readonly span: Span
  readonly metrics: Iterable<StatisticsEntry>
}

export interface StatisticsEntry {
  /** UUIDs in lower case: printed without escaping. */
  readonly elementId: string
  readonly metricId: string
  /** Prints what follows the ids, by `StatisticsPrinter`, perhaps on another thread. */
  readonly print: (out: JsonBytes) => void
}

export function printStatisticsResult({ metricFqn, span, metrics }: StatisticsResult): JsonText {
  const before = `{"metricFqn":${jsonText(metricFqn)},"timeSpan":${timeSpan(span)},"metrics":`
  return jsonItems(before, metrics, printStatisticsEntry, "}")
}

function printStatisticsEntry(out: JsonBytes, { elementId, metricId, print }: StatisticsEntry) {
  out.ascii('{"elementId":"')
  out.ascii(elementId)
  out.ascii('","metricId":"')
  out.ascii(metricId)
  out.ascii('",')
  print(out)
  out.ascii("}")
}

export interface AggregateStatistics {
  readonly metricFqn: string
  readonly span: Span
  /** null if no metric has a value. */
  readonly statistics: Statistics | null
  /** Metrics in the scope, and those of them that have values. */
  readonly foundMetrics: number
  readonly aggregatedMetrics: number
}

/** The answer of `/metrics/statistics/aggregate`. */
export function printAggregateStatistics(result: AggregateStatistics): JsonText {
  const { metricFqn, span, foundMetrics, aggregatedMetrics, statistics } = result
  return (out) => {
    out.text(`{"metricFqn":${jsonText(metricFqn)},"timeSpan":${timeSpan(span)},`)
    out.text(`"foundMetrics":${foundMetrics},"aggregatedMetrics":${aggregatedMetrics},`)
    out.text(`"statistics":`)
    if (statistics === null) out.text("null")
    else printStatistics(out, statistics)
    out.text("}")
  }
}

/** Both ends are cut to seconds (spec/statistics §4), so the duration between them is whole. */
function timeSpan(span: Span): string {
  const seconds = Math.floor(span.endMs / 1000) - Math.floor(span.startMs / 1000)
  return (
    `{"startTime":"${formatInstantSeconds(span.startMs)}",` +
    `"endTime":"${formatInstantSeconds(span.endMs)}",` +
    `"duration":{"seconds":${seconds},"nano":0,"zero":${seconds === 0},"negative":false,` +
    `"units":["SECONDS","NANOS"]}}`
  )
}

/** The statistics of one metric. */
export interface PrintedStatistics {
  readonly statistics: Statistics
  /** Printed as `data`, in time order. */
  readonly values?: Float64Array | undefined
  /** Printed as `timestamps`, ISO 8601; as long as `values`. */
  readonly timesMs?: Float64Array | undefined
}

/** Prints what follows the ids in the entries of one answer. */
export class StatisticsPrinter {
  private readonly instants = new Instants()

  print(out: JsonBytes, { statistics, values, timesMs }: PrintedStatistics): void {
    out.ascii('"statistics":')
    printStatistics(out, statistics)
    if (values !== undefined) {
      out.ascii(',"data":')
      out.numbers(values)
    }
    if (timesMs === undefined) return
    out.ascii(',"timestamps":')
    out.bytes(this.instants.print(timesMs))
  }
}

/** The fields in the order of the record, each with the text before its number. */
const printedFields = (Object.keys(statisticsRecord.entries) as (keyof Statistics)[]).map(
  (name, i) => ({ name, before: jsonBytesOf((i === 0 ? "{" : ",") + `"${name}":`) }),
)

function printStatistics(out: JsonBytes, of: Statistics): void {
  for (const { name, before } of printedFields) {
    out.bytes(before)
    out.number(of[name])
  }
  out.ascii("}")
}

/** Metrics of one window mostly share the starts of their buckets: printed once. */
class Instants {
  private timesMs: Float64Array = new Float64Array(0)
  private printed = jsonBytesOf("[]")

  print(timesMs: Float64Array): Uint8Array {
    if (!isSame(timesMs, this.timesMs)) {
      this.timesMs = timesMs
      this.printed = jsonBytesOf(JSON.stringify(Array.from(timesMs, formatInstant)))
    }
    return this.printed
  }
}

function isSame(left: Float64Array, right: Float64Array): boolean {
  return left.length === right.length && left.every((value, i) => value === right[i])
}
