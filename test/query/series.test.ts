/** Series queries against what `/samples`, statistics and aggregations show of the same window. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import { aggregations } from "../../src/rollup/group-aggregator.ts"
import { statisticsOfNumbers } from "../support/store/dedup-model.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { aggregated, append, plain, seriesName, startOfDayMs } from "../support/ingest/samples.ts"
import { sized } from "../support/run/sizes.ts"
import { ask, FakeStore, nowMs, requestOf } from "./fake-store.ts"
import { querySeries, type Line, type QueryAnswer } from "./series-fixture.ts"

const runs = sized({ quick: 20, long: 400 })

const sample = fc.record({
  element: fc.constantFrom("a", "b", "c"),
  timeMs: fc.integer({ min: 0, max: 300 }).map((step) => startOfDayMs + step * 47_000),
  value: fc.integer({ min: -100, max: 100 }),
  count: fc.constantFrom(0, 0, 3),
})
type Given = typeof sample extends fc.Arbitrary<infer Value> ? Value : never

function storeOf(samples: readonly Given[]): MemoryStore {
  const store = new MemoryStore()
  append(
    store,
    samples.map(({ element, timeMs, value, count: cnt }) => {
      const of = seriesName(element, "m")
      if (cnt === 0) return plain(timeMs, value, of)
      return aggregated(timeMs, { min: value - 1, max: value + 2, sum: value * cnt, cnt }, of)
    }),
  )
  return store
}

const someSamples = fc.array(sample, { minLength: 1, maxLength: 40 })
const someWindow = fc
  .record({
    offsetMs: fc.integer({ min: 0, max: 3 * hourMs }),
    lengthMs: fc.integer({ min: 1, max: 5 * hourMs }),
  })
  .map(({ offsetMs, lengthMs }) => ({
    startMs: startOfDayMs + offsetMs,
    endMs: startOfDayMs + offsetMs + lengthMs,
  }))
const timesOf = (span: { startMs: number; endMs: number }) => ({
  startTime: span.startMs,
  endTime: String(span.endMs),
})
const columnsAndRollups = {
  width: fc.constantFrom(1, 3, 7, 40, 800),
  rollup: fc.constantFrom("ZERO", "PT5M", "PT1H", "PT24H"),
}

const near = (got: number | null, want: number | null, about: string) => {
  const isNear =
    got !== null && want !== null && Math.abs(got - want) <= 1e-9 * (1 + Math.abs(want))
  assert.ok(got === want || isNear, `${about}: ${got}, ${want}`)
}

const fold = {
  mean: (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length,
  least: (values: number[]) => Math.min(...values),
  greatest: (values: number[]) => Math.max(...values),
  total: (values: number[]) => values.reduce((sum, value) => sum + value, 0),
}

/** The columns of a line, from the buckets that `/samples` shows. */
async function recomputed(store: MemoryStore, answer: QueryAnswer, element: string) {
  const { start, step, count } = answer.columns
  const params = { elementId: element, metricId: "m", rollup: answer.rollup! }
  const window = { startTime: String(start), endTime: String(start + count * step) }
  const { samples } = await ask(store, requestOf("samples", { ...params, ...window }))
  const buckets = (samples as { timestamp: string; data: Record<string, number> }[]).map(
    ({ timestamp, data }) => ({ column: (Date.parse(timestamp) - start) / step, data }),
  )
  const column = (field: string, reduce: (values: number[]) => number, weight?: string) =>
    Array.from({ length: count }, (_, i) => {
      const there = buckets
        .filter((one) => Math.floor(one.column) === i && one.data[field] !== undefined)
        .map(({ data }) => data)
      if (there.length === 0) return null
      if (weight === undefined) return reduce(there.map((data) => data[field]!))
      const total = fold.total(there.map((data) => data[weight]!))
      return fold.total(there.map((data) => data[field]! * data[weight]!)) / total
    })
  return {
    actual: column("actual", fold.mean),
    low: column("actual", fold.least),
    high: column("actual", fold.greatest),
    min: column("min", fold.least),
    max: column("max", fold.greatest),
    sum: column("sum", fold.total),
    cnt: column("cnt", fold.total),
    avg: column("avg", fold.mean, "cnt"),
  }
}

test("columns are what the buckets that begin in them make", async () => {
  const fields = ["actual", "low", "high", "min", "max", "sum", "cnt", "avg"] as const
  await fc.assert(
    fc.asyncProperty(
      someSamples,
      someWindow,
      fc.record({ ...columnsAndRollups, rollup: fc.constantFrom("PT5M", "PT1H", "PT24H") }),
      async (samples, span, shape) => {
        const store = storeOf(samples)
        const answer = await querySeries(store, { ...timesOf(span), ...shape }, { fields })
        assert.equal(answer.rollup, shape.rollup)
        for (const { elementFqn, values } of answer.series) {
          const want = await recomputed(store, answer, elementFqn!)
          for (const field of fields) {
            assert.equal(values[field]!.length, answer.columns.count)
            values[field]!.forEach((got, i) => near(got, want[field][i]!, `${field} of ${i}`))
          }
        }
      },
    ),
    { numRuns: runs },
  )
})

test("raw samples come as the values that ZERO shows, and low ≤ actual ≤ high", async () => {
  await fc.assert(
    fc.asyncProperty(
      someSamples,
      someWindow,
      fc.record(columnsAndRollups),
      async (samples, span, shape) => {
        const store = storeOf(samples)
        const answer = await querySeries(store, { ...timesOf(span), ...shape }, {})
        for (const { values } of answer.series) {
          values["actual"]!.forEach((actual, i) => {
            const [low, high] = [values["low"]![i]!, values["high"]![i]!]
            assert.deepEqual([low === null, high === null], Array(2).fill(actual === null))
            assert.ok(actual === null || (low <= actual && actual <= high))
          })
        }
      },
    ),
    { numRuns: runs },
  )
})

test("columns are a grid from the epoch on, of the wanted number and whole buckets", async () => {
  const bucketMs = { ZERO: 1000, PT5M: cycleMs, PT1H: hourMs, PT24H: dayMs }
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: startOfDayMs, max: startOfDayMs + 40 * dayMs }),
      fc.integer({ min: 0, max: 30 * dayMs }),
      fc.integer({ min: 1, max: 4096 }),
      fc.constantFrom("ZERO", "PT5M", "PT1H", "PT24H"),
      async (startMs, lengthMs, width, rollup) => {
        const body = { ...timesOf({ startMs, endMs: startMs + lengthMs }), width, rollup }
        const { columns } = await querySeries(new MemoryStore(), body, {})
        assert.equal(columns.start % columns.step, 0)
        assert.equal(columns.step % bucketMs[rollup], 0)
        if (lengthMs === 0) return assert.equal(columns.count, 0)
        assert.ok(columns.count <= width + 1)
        assert.ok(columns.start <= startMs && startMs < columns.start + columns.step)
        const endMs = columns.start + columns.count * columns.step
        assert.ok(endMs - columns.step < startMs + lengthMs && startMs + lengthMs <= endMs)
      },
    ),
  )
})

test("panning moves no column: those that two windows share are equal", async () => {
  await fc.assert(
    fc.asyncProperty(
      someSamples,
      someWindow,
      fc.integer({ min: -hourMs, max: hourMs }),
      fc.record(columnsAndRollups),
      async (samples, span, panMs, shape) => {
        const store = storeOf(samples)
        const moved = { startMs: span.startMs + panMs, endMs: span.endMs + panMs }
        const [one, other] = [
          await querySeries(store, { ...timesOf(span), ...shape }, {}),
          await querySeries(store, { ...timesOf(moved), ...shape }, {}),
        ]
        // Which distance raw samples have depends on those that there are.
        if (shape.rollup !== "ZERO") assert.equal(one.columns.step, other.columns.step)
        if (one.columns.step !== other.columns.step) return
        const { step } = one.columns
        const ahead = (other.columns.start - one.columns.start) / step
        for (const { elementFqn, values } of one.series) {
          const same = other.series.find((line) => line.elementFqn === elementFqn)
          for (const field of ["actual", "low", "high"]) {
            values[field]!.forEach((value, i) => {
              const there = i - ahead
              if (there < 0 || there >= other.columns.count) return
              assert.equal(same?.values[field]![there] ?? null, value)
            })
          }
        }
      },
    ),
    { numRuns: runs },
  )
})

test("the summary is that of /metrics/statistics over the same window", async () => {
  await fc.assert(
    fc.asyncProperty(
      someSamples,
      someWindow,
      fc.record(columnsAndRollups),
      async (samples, span, shape) => {
        const store = storeOf(samples)
        const answer = await querySeries(
          store,
          { ...timesOf(span), ...shape },
          { summaryOnly: true },
        )
        const params = { fqn: "m", rollup: shape.rollup, showValues: "true" }
        const window = { startTime: String(span.startMs), endTime: String(span.endMs) }
        const { metrics } = await ask(store, requestOf("statistics", { ...params, ...window }))
        const inside = answer.series.filter(({ summary }) => summary["count"] !== 0)
        assert.equal(inside.length, metrics.length)
        for (const { metricId, statistics, data } of metrics) {
          const line = inside.find((one) => one.metricId === metricId)
          assert.deepEqual(line?.values, {})
          near(line.summary["last"]!, data.at(-1), "last")
          // The sums of values that a client aggregated are not those of the values shown.
          const isShown = shape.rollup !== "ZERO" || samples.every(({ count }) => count === 0)
          if (!isShown) continue
          for (const field of ["min", "avg", "max", "sum", "count"]) {
            near(line.summary[field]!, statistics[field], field)
          }
          near(line.summary["p95"]!, statistics.percentile95, "p95")
        }
      },
    ),
    { numRuns: runs },
  )
})

test("a group of all series is the aggregation across elements", async () => {
  await fc.assert(
    fc.asyncProperty(
      someSamples,
      someWindow,
      fc.constantFrom(...aggregations),
      async (samples, span, aggregation) => {
        const store = storeOf(samples)
        const body = { ...timesOf(span), rollup: "PT5M", width: 4096 }
        const answer = await querySeries(store, body, { by: "all", aggregation })
        const { start, step, count } = answer.columns
        assert.equal(step, cycleMs)
        const dates = { startDate: String(start), endDate: String(start + count * step) }
        const filter = { metricFqns: { items: [{ item: "m" }] }, ...dates }
        const params = { aggregation, statistic: "actual", rollup: "PT5M" }
        const across = await ask(store, requestOf("acrossElements", params, filter))
        const want = Array<number | null>(count).fill(null)
        for (const { timestamp, value } of across.data.result.data) {
          want[(Date.parse(timestamp) - start) / step] = value
        }
        const got = answer.series[0]?.values["actual"] ?? want.map(() => null)
        got.forEach((value, i) => near(value, want[i]!, `${aggregation} of ${i}`))
      },
    ),
    { numRuns: runs },
  )
})

test("percentiles across series are at (n + 1) · p", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1, maxLength: 30 }),
      async (values) => {
        const store = new MemoryStore()
        append(
          store,
          values.map((value, i) => plain(startOfDayMs, value, seriesName(`e${i}`, "m"))),
        )
        const body = { startTime: startOfDayMs, endTime: startOfDayMs + cycleMs, rollup: "PT5M" }
        const want = statisticsOfNumbers(values)
        for (const [aggregation, field] of [
          ["p50", "median"],
          ["p95", "percentile95"],
        ] as const) {
          const answer = await querySeries(store, body, { by: "metric", aggregation })
          near(answer.series[0]!.values["actual"]![0]!, want[field], aggregation)
          assert.equal(answer.series[0]!.group, "m")
        }
      },
    ),
    { numRuns: runs },
  )
})

test("a shift has the values of the window before in the columns of this one", async () => {
  await fc.assert(
    fc.asyncProperty(
      someSamples,
      someWindow,
      fc.constantFrom("PT5M", "PT1H", "P1D", "P7D"),
      async (samples, span, shift) => {
        const backMs = { PT5M: cycleMs, PT1H: hourMs, P1D: dayMs, P7D: 7 * dayMs }[shift]!
        const store = storeOf(samples)
        const later = { startMs: span.startMs + backMs, endMs: span.endMs + backMs }
        const shape = { width: 4096, rollup: "PT5M" }
        const want = await querySeries(store, { ...timesOf(span), ...shape }, {})
        const got = await querySeries(store, { ...timesOf(later), ...shape }, { shift })
        assert.equal(got.columns.start - want.columns.start, backMs)
        const unshifted = (line: Line) => {
          const { lastTime } = line.summary
          const moved = lastTime === null ? null : lastTime! - backMs
          return { ...line, summary: { ...line.summary, lastTime: moved } }
        }
        assert.deepEqual(got.series.map(unshifted), want.series)
      },
    ),
    { numRuns: runs },
  )
})

test("AUTO takes the finest resolution that is retained and fits", async () => {
  const store = new MemoryStore()
  append(store, [plain(startOfDayMs, 1)])
  const counter = new FakeStore()
  const host = counter.element("host-1")
  counter.metric(host, "hits", { patch: { type: "COUNTER" }, values: [1, 2, 4] })
  counter.metric(host, "cpu", { values: [1, 2, 4] })
  const f = async (lengthMs: number, width: number, want: string, query: object = {}) => {
    const body = { startTime: startOfDayMs, endTime: startOfDayMs + lengthMs, width }
    assert.equal((await querySeries(store, body, query)).rollup, want, `${lengthMs} ms`)
  }
  await f(6 * hourMs, 800, "ZERO")
  await f(6 * hourMs + 1, 800, "PT5M")
  await f(6 * hourMs, 800, "PT5M", { fields: ["actual", "baseline"] })
  await f(6 * hourMs, 800, "PT5M", { by: "all" })
  await f(4 * 100 * cycleMs, 100, "PT5M")
  await f(4 * 100 * cycleMs + 1, 100, "PT1H")
  await f(4 * 100 * hourMs + 1, 100, "PT24H")
  const drop = { budgetMs: 1000, idle: true, flushUpToMs: 0 }
  store.maintain({ ...drop, nowMs: startOfDayMs + 20 * dayMs })
  await f(hourMs, 800, "PT5M")
  await f(hourMs, 800, "PT5M", { shift: "P1D" })
  store.maintain({ ...drop, nowMs: startOfDayMs + 100 * dayMs })
  await f(hourMs, 800, "PT1H")

  const now = { duration: "PT1H" }
  const cpu = { filter: { metricFqns: { items: [{ item: "cpu" }] } } }
  assert.equal((await querySeries(counter, now, {})).rollup, "PT5M")
  assert.equal((await querySeries(counter, now, cpu)).rollup, "ZERO")
})

test("columns of raw samples are no narrower than the samples are apart", async () => {
  const f = async (distanceMs: number, wantMs: number) => {
    const store = new FakeStore()
    const one = store.metric(store.element("a"), "m")
    for (let i = 1; i < 20; i++) store.add(one, nowMs - i * distanceMs, i)
    const { columns, rollup } = await querySeries(store, { duration: "PT1H", width: 1000 }, {})
    assert.deepEqual([rollup, columns.step], ["ZERO", wantMs])
  }
  await f(1_000, 5_000)
  await f(10_000, 10_000)
  await f(60_000, 60_000)
  await f(59_900, 60_000)
  await f(61_000, 60_000)
  await f(150_000, 300_000)
})

test("the first of an order are shown, and the rest is counted", async () => {
  const store = new FakeStore()
  const values: Record<string, number[]> = {
    a: [1, 9, 2],
    b: [4, 4, 4],
    c: [0, 1, 6],
    d: [],
  }
  for (const [fqn, some] of Object.entries(values)) {
    store.metric(store.element(fqn), "m", { patch: { unit: "percent" }, values: some })
  }
  const body = { duration: "PT1H", rollup: "PT5M" }
  const f = async (order: object | undefined, limit: number, want: string) => {
    const answer = await querySeries(store, body, { order, limit })
    assert.equal(answer.series.map(({ elementFqn }) => elementFqn).join(""), want)
    assert.deepEqual([answer.matched, answer.shown], [4, want.length])
    assert.deepEqual([answer.isPartial, answer.unit], [false, "percent"])
  }
  await f(undefined, 3, "abc")
  await f(undefined, 10, "abc")
  await f({ by: "avg", direction: "asc" }, 2, "ca")
  await f({ by: "max" }, 2, "ac")
  await f({ by: "min" }, 1, "b")
  await f({ by: "last" }, 2, "cb")
  await f({ by: "sum" }, 1, "a")
  await f({ by: "p95" }, 2, "ac")
  await f({ by: "change" }, 10, "cab")
  const named = ["c", "nothing", "a"].map((elementId) => ({ elementId, metricId: "m" }))
  const given = await querySeries(store, body, { filter: undefined, series: named })
  assert.deepEqual(
    given.series.map(({ elementFqn }) => elementFqn),
    ["c", "a"],
  )
  assert.equal(given.matched, 2)
})

test("groups share a text, and say what their series share", async () => {
  const store = new FakeStore()
  const tags = (value: string) => [{ name: "env", value }]
  const of = (fqn: string, type: string, env: string) =>
    store.element(fqn, { type, location: "here", tags: tags(env), attributes: tags(`${env}-1`) })
  store.metric(of("a", "SERVER", "prod"), "m", { patch: { unit: "s" }, values: [1] })
  store.metric(of("b", "SERVER", "test"), "m", { patch: { unit: "s" }, values: [2] })
  store.metric(of("c", "DB", "prod"), "m", { patch: { unit: "ms" }, values: [4] })
  const f = async (by: string, want: Record<string, number>) => {
    const answer = await querySeries(store, { duration: "PT1H" }, { by, aggregation: "sum" })
    const got = answer.series.map(({ group, summary }) => [group, summary["sum"]])
    assert.deepEqual(Object.fromEntries(got), want, by)
    assert.equal(answer.matched, Object.keys(want).length)
    return answer.series
  }
  const [server] = await f("type", { SERVER: 3, DB: 4 }).then((lines) =>
    lines.filter(({ group }) => group === "SERVER"),
  )
  assert.deepEqual(
    [server!.elementId, server!.metricFqn, server!.unit, server!.isCounter],
    [null, "m", "s", false],
  )
  await f("location", { here: 7 })
  await f("tag.env", { prod: 5, test: 2 })
  await f("tag.other", { "": 7 })
  const { catalogue } = store
  const c = catalogue.findElement(0, "c")
  catalogue.replaceElementInfo(c, { ...catalogue.elementInfo(c), serviceTags: tags("user") })
  // A collector posts `prod`: filters find both.
  await f("tag.env", { prod: 5, test: 2, user: 4 })
  await f("attribute.env", { "prod-1": 5, "test-1": 2 })
  await f("element", { a: 1, b: 2, c: 4 })
  const [all] = await f("metric", { m: 7 })
  assert.equal(all!.unit, null)
})
