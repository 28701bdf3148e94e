/** Percentiles of columns against the sorted raw samples (spec/series §3). */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { percentileFractions } from "../../src/wire/series/series-query-body.ts"
import { aggregated, append, plain, seriesName, startOfDayMs } from "../support/ingest/samples.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { FakeStore } from "./fake-store.ts"
import { querySeries } from "./series-fixture.ts"

const fields = Object.keys(percentileFractions)

/** Position (n + 1) · p of the sorted values, counted from 1, between its neighbours. */
function quantile(sorted: readonly number[], p: number): number {
  const position = Math.min(Math.max((sorted.length + 1) * p, 1), sorted.length)
  const low = sorted[Math.floor(position) - 1]!
  const high = sorted[Math.ceil(position) - 1]!
  return low + (high - low) * (position - Math.floor(position))
}

test("percentiles are those of the observations of the column", async () => {
  const sample = fc.record({
    step: fc.integer({ min: 0, max: 100 }),
    value: fc.integer({ min: -100, max: 100 }),
    count: fc.constantFrom(1, 1, 3),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(sample, { minLength: 1, maxLength: 60, selector: ({ step }) => step }),
      fc.constantFrom(1, 2, 5, 800),
      async (samples, width) => {
        const store = new MemoryStore()
        const timeOf = (step: number) => startOfDayMs + step * 71_000
        append(
          store,
          samples.map(({ step, value, count: cnt }) => {
            const [of, timeMs] = [seriesName("a", "m"), timeOf(step)]
            const sent = { avg: value, min: value, max: value, sum: value * cnt, cnt }
            return cnt === 1 ? plain(timeMs, value, of) : aggregated(timeMs, sent, of)
          }),
        )
        const body = {
          startTime: startOfDayMs,
          endTime: startOfDayMs + 7_200_000,
          width,
          rollup: "PT5M",
        }
        const { columns, series } = await querySeries(store, body, { fields })
        for (let i = 0; i < columns.count; i++) {
          const startMs = columns.start + i * columns.step
          const sorted = samples
            .filter(({ step }) => startMs <= timeOf(step) && timeOf(step) < startMs + columns.step)
            .flatMap(({ value, count }) => Array<number>(count).fill(value))
            .sort((left, right) => left - right)
          for (const [field, p] of Object.entries(percentileFractions)) {
            const got = series[0]!.values[field]![i]!
            if (sorted.length === 0) assert.equal(got, null)
            else assert.ok(Math.abs(got - quantile(sorted, p)) < 1e-9, `${field} of ${i}: ${got}`)
          }
        }
      },
    ),
    { numRuns: 60 },
  )
})

test("percentiles are of at most 50 lines, and of no groups", async () => {
  const store = new FakeStore()
  for (let i = 0; i < 60; i++) store.metric(store.element(`e${i}`), "m", { values: [i] })
  const f = async (query: object) => querySeries(store, { duration: "PT1H" }, query)
  assert.equal((await f({ fields: ["p95"], limit: 50 })).shown, 50)
  const many = await f({ fields: ["p95"], limit: 51 })
  assert.match(many.errors.join(), /limit: expected at most 50 with percentiles, got 51/)
  const group = await f({ fields: ["p95"], by: "all" })
  assert.match(group.errors.join(), /fields: expected no p95 with by all/)
})
