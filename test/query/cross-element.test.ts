/** Aggregation across elements against a naive one over what statistics show of each element. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { bucketWidthMs, cycleMs, dayMs, resolutions } from "../../src/model/resolution.ts"
import { aggregations } from "../../src/rollup/group-aggregator.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { append, plain, seriesName, startOfDayMs } from "../support/ingest/samples.ts"
import { statisticsOfNumbers } from "../support/store/dedup-model.ts"
import { sized } from "../support/run/sizes.ts"
import { ask, requestOf } from "./fake-store.ts"

const sample = fc.record({
  element: fc.constantFrom("a", "b", "c"),
  timeMs: fc.integer({ min: 0, max: 40 }).map((step) => startOfDayMs + step * 100_000),
  value: fc.integer({ min: -100, max: 100 }),
})

const body = (startMs: number, endMs: number) => ({
  metricFqns: { and: false, items: [{ item: "m", literal: true, contains: true }] },
  startDate: String(startMs),
  endDate: String(endMs),
})

test("each value combines what statistics show of the elements at that time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sample, { minLength: 1, maxLength: 30 }),
      fc.constantFrom(...resolutions),
      fc.constantFrom(...aggregations),
      fc.integer({ min: 0, max: 3 * cycleMs }),
      async (samples, rollup, aggregation, offsetMs) => {
        const store = new MemoryStore()
        append(
          store,
          samples.map((one) => plain(one.timeMs, one.value, seriesName(one.element, "m"))),
        )
        const [startMs, endMs] = [startOfDayMs + offsetMs, startOfDayMs + dayMs]
        const want = await naive(store, { rollup, aggregation, startMs, endMs })
        const params = { rollup, aggregation, statistic: "actual" }
        const request = requestOf("acrossElements", params, body(startMs, endMs))
        const got: Value[] = (await ask(store, request)).data.result.data
        assert.deepEqual(
          got.map(({ timestamp }) => timestamp),
          want.map(({ timestamp }) => timestamp),
        )
        for (const [i, { value }] of got.entries()) {
          assert.ok(Math.abs(value - want[i]!.value) < 1e-9, `${value}, ${want[i]!.value}`)
        }
      },
    ),
    { numRuns: sized({ quick: 50, long: 1_000 }) },
  )
})

interface Value {
  readonly timestamp: string
  readonly value: number
}

async function naive(
  store: MemoryStore,
  asked: { rollup: string; aggregation: string; startMs: number; endMs: number },
): Promise<Value[]> {
  const { rollup, aggregation, startMs, endMs } = asked
  const params = { fqn: "m", rollup, showValues: "true", showTimestamps: "true" }
  const window = { startTime: String(startMs), endTime: String(endMs) }
  const { metrics } = await ask(store, requestOf("statistics", { ...params, ...window }))
  const byTime = new Map<string, number[]>()
  for (const { data, timestamps } of metrics) {
    for (const [i, timestamp] of timestamps.entries()) {
      byTime.set(timestamp, [...(byTime.get(timestamp) ?? []), data[i]])
    }
  }
  return [...byTime]
    .map(([timestamp, values]) => {
      const { count, ...rest } = { ...statisticsOfNumbers(values) }
      const value = aggregation === "cnt" ? count : (rest as Record<string, number>)[aggregation]!
      return { timestamp, value }
    })
    .sort((left, right) => Date.parse(left.timestamp) - Date.parse(right.timestamp))
}

test("an element of another tenant, or one that was deleted, is not counted", async () => {
  const store = new MemoryStore()
  append(store, [
    plain(startOfDayMs, 1, seriesName("a", "m")),
    plain(startOfDayMs, 2, seriesName("b", "m")),
    plain(startOfDayMs, 4, seriesName("a", "m", 1)),
  ])
  const b = store.catalogue.findElement(0, "b")
  store.catalogue.replaceElementInfo(b, { ...store.catalogue.elementInfo(b), deletedMs: 1 })
  const window = body(startOfDayMs, startOfDayMs + bucketWidthMs.PT5M)
  const answer = await ask(store, requestOf("acrossElements", { aggregation: "sum" }, window))
  assert.equal(answer.foundMetrics, 1)
  assert.equal(answer.data.result.data[0].value, 1)
})
