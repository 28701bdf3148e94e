import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { pooledStatistics } from "../../src/rollup/pool.ts"
import { statisticsOf, StatisticsScratch } from "../../src/rollup/statistics.ts"
import { statisticsOfNumbers } from "../support/model-bag.ts"

const scratch = new StatisticsScratch()
const populations = fc.array(
  fc.array(
    fc.integer({ min: -8000, max: 8000 }).map((eighths) => eighths / 8),
    { minLength: 1, maxLength: 20 },
  ),
  { minLength: 1, maxLength: 6 },
)

function partOf(list: readonly number[]) {
  const values = Float64Array.from(list)
  return { values, statistics: statisticsOf(values, values.length, scratch) }
}

test("populations taken together have the statistics of all their values", () => {
  fc.assert(
    fc.property(populations, (lists) => {
      const all = Float64Array.from(lists.flat())
      const want = statisticsOf(all, all.length, scratch)
      assert.deepEqual(pooledStatistics(lists.map(partOf), scratch), want)
    }),
  )
})

test("values that stand for several observations count as often, but for percentiles", () => {
  fc.assert(
    fc.property(populations, fc.integer({ min: 2, max: 5 }), (lists, times) => {
      const parts = lists.map((list) => {
        const repeated = list.flatMap((value) => Array.from({ length: times }, () => value))
        return { ...partOf(repeated), values: Float64Array.from(list) }
      })
      const got = pooledStatistics(parts, scratch)
      const everything = lists.flat().flatMap((value) => Array.from({ length: times }, () => value))
      const want = statisticsOfNumbers(everything)
      assert.equal(got.count, everything.length)
      for (const name of ["sum", "avg", "min", "max", "stddev"] as const) {
        assert.ok(Math.abs(got[name] - want[name]) < 1e-7, `${name}: ${got[name]}, ${want[name]}`)
      }
      assert.equal(got.median, statisticsOfNumbers(lists.flat()).median)
    }),
  )
})
