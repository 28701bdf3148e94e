/** Queries over the reference store: the documented numbers, end to end. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import {
  aggregated,
  append,
  plain,
  seriesName,
  startOfDayMs,
  steadyRequests,
} from "../support/ingest/samples.ts"
import { ask, requestOf } from "./fake-store.ts"

const requestAt = (
  nowMs: number,
  kind: "statistics" | "samples",
  params: Record<string, string>,
) => ({
  ...requestOf(kind, params),
  nowMs,
})

test("a day of five-minute cycles counts 288 values, and its hours 24", async () => {
  const store = new MemoryStore()
  const of = [seriesName("web", "cpu"), seriesName("db", "cpu")]
  const toMs = startOfDayMs + dayMs
  append(store, ...steadyRequests({ of, fromMs: startOfDayMs, toMs, stepMs: cycleMs / 2 }))
  const f = async (rollup: string, want: number) => {
    const params = { fqn: "cpu", duration: "PT24H", rollup, showValues: "true" }
    // A window until now contains the millisecond of the query.
    const { metrics } = await ask(store, requestAt(toMs - 1, "statistics", params))
    for (const metric of metrics) {
      assert.equal(metric.statistics.count, want)
      assert.equal(metric.data.length, want)
    }
    assert.equal(metrics.length, 2)
  }
  await f("PT5M", 288)
  await f("PT1H", 24)
  await f("PT24H", 1)
  await f("ZERO", 576)
})

test("the fifth percentile of the documented example comes out to the last digit", async () => {
  const store = new MemoryStore()
  const values = [0.0748809523809529, 0.1, 0.2, 0.3]
  append(
    store,
    values.map((value, i) => plain(startOfDayMs + i * cycleMs, value, seriesName("a", "m"))),
  )
  const request = requestAt(startOfDayMs + 4 * cycleMs, "statistics", { fqn: "m" })
  const [metric] = (await ask(store, request)).metrics
  assert.equal(metric.statistics.percentile5, 0.0748809523809529)
})

test("samples show buckets with their fields, and raw samples as they were sent", async () => {
  const store = new MemoryStore()
  const of = seriesName("web", "cpu")
  append(store, [plain(startOfDayMs, 1, of), plain(startOfDayMs + 1000, 3, of)])
  append(store, [aggregated(startOfDayMs + 2000, { min: 1, max: 9, avg: 5, cnt: 2, sum: 10 }, of)])
  const read = async (params: Record<string, string>) => {
    const asked = { elementId: "web", metricId: "cpu", ...params }
    const { samples } = await ask(store, requestAt(startOfDayMs + cycleMs, "samples", asked))
    return samples.map((sample: { data: object }) => sample.data)
  }
  assert.deepEqual(await read({ aggregations: "ACTUAL,MIN,MAX,CNT,SUM" }), [
    { actual: 3.5, min: 1, max: 9, cnt: 4, sum: 14 },
  ])
  assert.deepEqual(await read({ aggregations: "ACTUAL", rollup: "ZERO" }), [
    { actual: 1 },
    { actual: 3 },
    { actual: 5 },
  ])
  assert.deepEqual((await read({ rollup: "ZERO" }))[0], { val: 1 })
})
