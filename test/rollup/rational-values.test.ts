import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { powersOfTen } from "../../src/codec/decimal.ts"
import {
  isAverageExact,
  numeratorMax,
  statisticsOfRationals,
} from "../../src/rollup/rational-values.ts"
import { StatisticsWorkspace, statisticsOf } from "../../src/rollup/statistics.ts"
import { averageOf } from "../../src/rollup/sum.ts"

const scratch = new StatisticsWorkspace()

const counts = fc.oneof(
  fc.constantFrom(1, 2, 3, 5, 6, 7, 12, 30, 60, 300, 9_000_000, 9_000_001, 2.5),
  fc.integer({ min: 1, max: 10_000_000 }),
)
const anySize = [100, 1e6, 1e9, 1e12, 2 ** 49, 2 ** 53 - 1].map((max) =>
  fc.integer({ min: -max, max }),
)
/** Small and large ones, many of them alike or all of them tens, as series have them. */
const numerators = fc
  .tuple(fc.constantFrom(1, 10, 1000), fc.constantFrom(0, 3, 50_000, 2 ** 24, 2 ** 38))
  .chain(([step, spread]) =>
    fc.tuple(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.array(fc.integer({ min: -spread, max: spread }), { minLength: 1, maxLength: 700 }),
      fc.constant(step),
    ),
  )
  .map(([base, offsets, step]) => offsets.map((offset) => (base + offset) * step + 0))

test("an average for which isAverageExact() holds is one division of whole numbers", () => {
  fc.assert(
    fc.property(fc.oneof(...anySize), fc.nat(9), counts, (integer, scale, count) => {
      if (!isAverageExact(Math.abs(integer), scale, count)) return
      const sum = (integer + 0) / powersOfTen[scale]!
      const average = (integer + 0) / (powersOfTen[scale]! * count)
      assert.ok(Object.is(averageOf(sum, count), average), `${integer} ${scale} ${count}`)
    }),
    { numRuns: 2000 },
  )
})

test("averages of telemetry are exact: percents, and bytes", () => {
  assert.ok(isAverageExact(50_000, 2, 5))
  assert.ok(isAverageExact(20e9, 0, 5))
  assert.ok(!isAverageExact(1e6 * 1e4, 4, 5))
  assert.ok(!isAverageExact(100, 2, 2.5))
})

test("statistics of ratios are those of the values, bit for bit", () => {
  fc.assert(
    fc.property(numerators, fc.nat(9), counts, (integers, scale, count) => {
      const divisor = powersOfTen[scale]! * Math.floor(count)
      const found = Float64Array.from(integers)
      const [min, max] = [Math.min(...integers), Math.max(...integers)]
      if (Math.max(max, -min) > numeratorMax || divisor > 2 ** 53) return
      const values = found.map((numerator) => numerator / divisor)
      const want = statisticsOf(values, values.length, scratch)
      const ratios = { numerators: found, divisor, min, max }
      assert.deepEqual(statisticsOfRationals(ratios, found.length, scratch), want)
      const far = found.map((one) => one - found[0]!)
      const sums = {
        distances: far.reduce((sum, one) => sum + one, 0),
        squares: far.reduce((sum, one) => sum + one * one, 0),
      }
      assert.deepEqual(statisticsOfRationals({ ...ratios, sums }, found.length, scratch), want)
    }),
    { numRuns: 2000 },
  )
})
