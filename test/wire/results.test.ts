import assert from "node:assert/strict"
import { test } from "node:test"
import { printPage } from "../../src/wire/page.ts"
import { printSamplesResult } from "../../src/wire/statistics/samples-result.ts"
import {
  printStatisticsResult,
  StatisticsPrinter,
  type PrintedStatistics,
} from "../../src/wire/statistics/statistics-result.ts"
import type { JsonText } from "../../src/wire/json.ts"
import type { JsonBytes } from "../../src/wire/json-bytes.ts"
import { printedText } from "../support/server/answer-text.ts"

const read = (text: JsonText) => JSON.parse(printedText(text))
const at = (text: string) => Date.parse(text)
const statistics = {
  avg: 2,
  min: 1,
  median: 2,
  max: 3,
  percentile5: 1,
  percentile25: 1,
  percentile75: 3,
  percentile95: 3,
  count: 3,
  sum: 6,
  stddev: 1,
}

/** Entries as one answer prints them. */
const printed = (metrics: readonly PrintedStatistics[]) => {
  const printer = new StatisticsPrinter()
  return metrics.map((one) => {
    const print = (out: JsonBytes): void => printer.print(out, one)
    return { elementId: "e", metricId: "m", print }
  })
}

test("a statistics result is printed as documented", () => {
  const metric = { elementId: "e", metricId: "m", statistics }
  const span = { startMs: at("2024-01-01T00:00:46.872Z"), endMs: at("2024-01-02T00:00:46.872Z") }
  const result = read(printStatisticsResult({ metricFqn: "cpu", span, metrics: printed([metric]) }))
  assert.deepEqual(result, {
    metricFqn: "cpu",
    timeSpan: {
      startTime: "2024-01-01T00:00:46Z",
      endTime: "2024-01-02T00:00:46Z",
      duration: {
        seconds: 86_400,
        nano: 0,
        zero: false,
        negative: false,
        units: ["SECONDS", "NANOS"],
      },
    },
    metrics: [metric],
  })
})

test("a time span is cut to seconds, and its duration is that of the printed ends", () => {
  const f = (start: string, end: string, seconds: number) => {
    const span = { startMs: at(start), endMs: at(end) }
    const { timeSpan } = read(printStatisticsResult({ metricFqn: "a", span, metrics: [] }))
    assert.equal(timeSpan.duration.seconds, seconds)
    assert.equal(timeSpan.duration.zero, seconds === 0)
    assert.equal(at(timeSpan.endTime) - at(timeSpan.startTime), seconds * 1000)
  }
  f("2024-01-01T00:00:00.872Z", "2024-01-01T00:00:01.000Z", 1)
  f("2024-01-01T00:00:00.100Z", "2024-01-01T00:00:00.900Z", 0)
  f("1969-12-31T23:59:59.500Z", "1970-01-01T00:00:00Z", 1)
})

test("data and timestamps follow the statistics if they are given", () => {
  const values = Float64Array.of(1, NaN)
  const timesMs = Float64Array.of(0, 300_000)
  const metric = { elementId: "e", metricId: "m", statistics, values, timesMs }
  const span = { startMs: 0, endMs: 1 }
  const [entry] = read(
    printStatisticsResult({ metricFqn: 'a"b', span, metrics: printed([metric]) }),
  ).metrics
  assert.deepEqual(entry.data, [1, null])
  assert.deepEqual(entry.timestamps, ["1970-01-01T00:00:00.000Z", "1970-01-01T00:05:00.000Z"])
  assert.deepEqual(Object.keys(entry).slice(2), ["statistics", "data", "timestamps"])
})

test("each metric has its own timestamps, even if another one has as many", () => {
  const times = [[0, 1], [0, 1], [0, 2], []].map((list) => Float64Array.from(list))
  const metrics = times.map((timesMs) => ({ elementId: "e", metricId: "m", statistics, timesMs }))
  const span = { startMs: 0, endMs: 1 }
  const result = read(printStatisticsResult({ metricFqn: "a", span, metrics: printed(metrics) }))
  const got = result.metrics.map((entry: { timestamps: string[] }) => entry.timestamps.map(at))
  assert.deepEqual(got, [[0, 1], [0, 1], [0, 2], []])
})

test("samples are printed one by one, with a summary only if it is given", () => {
  const samples = [
    { timeMs: 0, fields: { actual: 1, avg: 2 } },
    { timeMs: 300_000, fields: {} },
  ]
  const result = { metricId: "m", resolution: "PT5M" as const, samples }
  assert.deepEqual(read(printSamplesResult(result)), {
    samples: [
      {
        metricId: "m",
        timestamp: "1970-01-01T00:00:00.000Z",
        rollup: "PT5M",
        data: { actual: 1, avg: 2 },
      },
      { metricId: "m", timestamp: "1970-01-01T00:05:00.000Z", rollup: "PT5M", data: {} },
    ],
  })
  const summary = { min: 1, avg: null, max: 3, sum: 4 }
  const { samples: _, ...rest } = read(printSamplesResult({ ...result, summary }))
  assert.deepEqual(rest, { sampleMin: 1, sampleAvg: null, sampleMax: 3, sampleSum: 4 })
})

test("a page states its position", () => {
  const f = (
    page: number,
    held: number,
    want: { last: boolean; totalPages: number },
    total = 5,
  ) => {
    const content = Array.from({ length: held }, () => ({}))
    const printed = read(printPage({ content, count: held, total, page, pageSize: 2 })).page
    assert.deepEqual(printed, {
      content,
      last: want.last,
      first: page === 0,
      totalElements: total,
      totalPages: want.totalPages,
      sort: null,
      numberOfElements: held,
      size: 2,
      number: page,
    })
  }
  f(0, 2, { last: false, totalPages: 3 })
  f(1, 2, { last: false, totalPages: 3 })
  f(2, 1, { last: true, totalPages: 3 })
  f(9, 0, { last: true, totalPages: 3 })
  f(0, 0, { last: true, totalPages: 0 }, 0)
})
