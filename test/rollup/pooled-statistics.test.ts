import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { pooledStatistics } from "../../src/rollup/pooled-statistics.ts"
import { statisticsOf, StatisticsWorkspace } from "../../src/rollup/statistics.ts"
import { statisticsOfNumbers } from "../support/store/dedup-model.ts"

const scratch = new StatisticsWorkspace()
const eighths = fc.integer({ min: -8000, max: 8000 }).map((n) => n / 8)
const populations = fc.array(fc.array(eighths, { minLength: 1, maxLength: 20 }), {
  minLength: 1,
  maxLength: 6,
})

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

test("values of several observations count with their weight, also in percentiles", () => {
  const weighted = fc.array(fc.tuple(eighths, fc.integer({ min: 1, max: 5 })), {
    minLength: 1,
    maxLength: 20,
  })
  const lists = fc.array(weighted, { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(lists, (drawn) => {
      const repeated = drawn.map((list) =>
        list.flatMap(([value, times]) => Array.from({ length: times }, () => value)),
      )
      const parts = drawn.map((list, i) => {
        const { statistics } = partOf(repeated[i]!)
        const values = Float64Array.from(list, ([value]) => value)
        const weights = Float64Array.from(list, ([, times]) => times)
        const m2 = statistics.stddev ** 2 * (statistics.count - 1)
        return { statistics, observations: { values, weights, m2 } }
      })
      const got = pooledStatistics(parts, scratch)
      for (const [name, want] of Object.entries(statisticsOfNumbers(repeated.flat()))) {
        const value = got[name as keyof typeof got]
        assert.ok(Math.abs(value - want) < 1e-7, `${name}: ${value}, ${want}`)
      }
    }),
  )
})

test("more populations than one merge takes are merged in several rounds", () => {
  const list = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 1000)
  const parts = list.map((value) => {
    const observations = { values: Float64Array.of(value), weights: Float64Array.of(1), m2: 0 }
    return { ...partOf([value]), observations }
  })
  const got = pooledStatistics(parts, scratch)
  const want = partOf(list).statistics
  assert.ok(Math.abs(got.stddev - want.stddev) < 1e-9 * want.stddev)
  assert.deepEqual({ ...got, stddev: 0 }, { ...want, stddev: 0 })
})
