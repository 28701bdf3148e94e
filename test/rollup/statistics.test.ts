import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { Digest } from "../../src/digest/digest.ts"
import { statisticsFromQuantiles, statisticsOfWeighted } from "../../src/rollup/weighted-values.ts"
import { SelectionWorkspace, selectRanks } from "../../src/rollup/order-statistics.ts"
import { percentiles, StatisticsWorkspace, statisticsOf } from "../../src/rollup/statistics.ts"
import { shapes, seededNumbers } from "../support/ingest/samples.ts"

const scratch = new StatisticsWorkspace()

function f(values: readonly number[]) {
  return statisticsOf(Float64Array.from(values), values.length, scratch)
}

/** The rule in its plainest form: sort, walk to position (n + 1) × p. */
function percentileOf(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length + 1) * p
  const below = Math.floor(position)
  if (below < 1) return sorted[0]!
  if (below >= sorted.length) return sorted.at(-1)!
  const fraction = position - below
  return sorted[below - 1]! * (1 - fraction) + sorted[below]! * fraction
}

const anyValues = fc.oneof(
  fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 700 }),
  fc.array(
    fc.integer({ min: -1000, max: 1000 }).map((i) => i / 100),
    {
      minLength: 1,
      maxLength: 700,
    },
  ),
)

test("percentile95 of the documented day of 288 buckets comes out to the last digit", () => {
  // Position 274.55: between the 274th value, 1/20, and the 275th, 2/21.
  const values = Array.from({ length: 288 }, (_, i) => (i < 274 ? 1 / 20 : 2 / 21))
  assert.equal(f(values).percentile95, 0.0748809523809529)
})

test("selectRanks() finds what sorting finds, and leaves the values alone", () => {
  const select = new SelectionWorkspace()
  fc.assert(
    fc.property(anyValues, fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), (raw, wanted) => {
      const values = Float64Array.from(raw, (v) => v + 0)
      const before = values.slice()
      const ranks = Int32Array.from(wanted, (rank) => rank % values.length).sort()
      const out = new Float64Array(ranks.length)
      selectRanks(values, values.length, ranks, out, select)
      const sorted = values.slice().sort()
      assert.deepEqual(
        [...out].map((v) => v + 0),
        [...ranks].map((rank) => sorted[rank]! + 0),
      )
      assert.deepEqual(values, before)
    }),
    { numRuns: 300 },
  )
})

test("selectRanks() finds what sorting finds in large populations of every shape", () => {
  const select = new SelectionWorkspace()
  const odd: Record<string, (random: () => number, i: number) => number> = {
    ...shapes,
    geometric: (_random, i) => 2 ** ((i % 1000) - 500),
    farApart: (random) => (random() - 0.5) * Number.MAX_VALUE * 2,
    tiny: (random) => Math.floor(random() * 100) * 5e-324,
    falling: (_random, i) => -i,
    oneOutlier: (random, i) => (i === 17 ? 1e300 : random()),
  }
  for (const [name, make] of Object.entries(odd)) {
    const random = seededNumbers(7)
    for (const n of [41, 96, 288, 4032]) {
      const values = Float64Array.from({ length: n }, (_, i) => make(random, i))
      const ranks = Int32Array.from([0, 0.05, 0.25, 0.5, 0.75, 0.95, 1], (p) => (n - 1) * p)
      const out = new Float64Array(ranks.length)
      selectRanks(values, n, ranks, out, select)
      const sorted = values.slice().sort()
      assert.deepEqual(
        out,
        Float64Array.from(ranks, (rank) => sorted[rank]!),
        `${name} of ${n}`,
      )
    }
  }
})

test("percentiles follow the rule (n + 1) p for every population, whatever its order", () => {
  fc.assert(
    fc.property(anyValues, (values) => {
      const got = f(values)
      const near = (have: number, want: number) =>
        assert.ok(Math.abs(have - want) <= Math.abs(want) * 1e-12 + 1e-300, `${have} ${want}`)
      near(got.percentile5, percentileOf(values, 0.05))
      near(got.percentile25, percentileOf(values, 0.25))
      near(got.median, percentileOf(values, 0.5))
      near(got.percentile75, percentileOf(values, 0.75))
      near(got.percentile95, percentileOf(values, 0.95))
      const order = [got.min, got.percentile5, got.percentile25, got.median]
      order.push(got.percentile75, got.percentile95, got.max)
      for (let i = 1; i < order.length; i++) assert.ok(order[i - 1]! <= order[i]!)
      assert.ok(got.min <= got.avg && got.avg <= got.max)
    }),
  )
})

test("statisticsOf() counts, adds and spreads exactly", () => {
  const got = f([2, 4, 4, 4, 5, 5, 7, 9])
  assert.equal(got.count, 8)
  assert.equal(got.sum, 40)
  assert.equal(got.avg, 5)
  assert.equal(got.stddev, Math.sqrt(32 / 7))
  assert.equal(f([42.1]).stddev, 0)
  assert.equal(f([0.1, 0.2, 0.3]).sum, 0.6)
  assert.equal(f(Array.from({ length: 10 }, () => 0.1)).avg, 0.1)
  assert.equal(f([1e9 + 1, 1e9 + 2, 1e9 + 3]).stddev, 1)
})

test("weighted values have the statistics of the population that repeats each value", () => {
  const pairs = fc.array(
    fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 9 })),
    { minLength: 1, maxLength: 60 },
  )
  fc.assert(
    fc.property(pairs, (list) => {
      const all = list.flatMap(([value, weight]) => Array.from({ length: weight }, () => value))
      const want = f(all)
      const got = statisticsOfWeighted(
        Float64Array.from(list, ([value]) => value),
        Float64Array.from(list, ([, weight]) => weight),
        list.length,
        {
          count: want.count,
          sum: want.sum,
          m2: want.stddev ** 2 * (want.count - 1),
          min: want.min,
          max: want.max,
        },
        new StatisticsWorkspace(),
      )
      assert.ok(Math.abs(got.stddev - want.stddev) <= 1e-9)
      assert.deepEqual({ ...got, stddev: 0 }, { ...want, stddev: 0 })
    }),
  )
})

test("a digest of few values has the exact statistics", () => {
  const values = Array.from({ length: 40 }, (_, i) => ((i * 37) % 40) / 4)
  const want = f(values)
  const digest = new Digest()
  for (const value of values) digest.add(value)
  const m2 = values.reduce((sum, value) => sum + (value - want.avg) ** 2, 0)
  const quantiles = percentiles.map((p) => digest.quantile(p))
  const got = statisticsFromQuantiles(quantiles, { ...want, m2 })
  assert.ok(Math.abs(got.stddev - want.stddev) < 1e-12)
  assert.deepEqual({ ...got, stddev: 0 }, { ...want, stddev: 0 })
})
