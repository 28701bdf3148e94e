import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { StatisticsWorkspace, statisticsOf } from "../../../src/rollup/statistics.ts"
import { SlotValues } from "../../../src/store/lmdb/read/slot-values.ts"

const scratch = new StatisticsWorkspace()
const dayLength = 6

/** A day: ratios of one divisor, or values as they are. */
const day = fc.record({
  divisor: fc.constantFrom(0, 1, 10, 50, 50, 50, 30),
  integers: fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: dayLength }),
  /** Divisor of a plain value: a multiple of 1/7 is a rational of no other divisor. */
  part: fc.constantFrom(1, 10, 7),
})

test("values of days in any form are the values, and their statistics are those of them", () => {
  const found = new SlotValues()
  fc.assert(
    fc.property(fc.array(day, { maxLength: 12 }), fc.boolean(), (days, withTimes) => {
      const wanted: number[] = []
      found.reserve(12 * dayLength, withTimes)
      found.reset()
      for (const [at, { divisor, integers, part }] of days.entries()) {
        const numerators = Float64Array.from(integers, (one) => one + 0)
        if (divisor > 0) {
          const ends = { min: Math.min(...numerators), max: Math.max(...numerators) }
          const range = { from: 0, to: integers.length }
          const first = Number.isNaN(found.origin) ? numerators[0]! : found.origin
          const far = numerators.map((one) => one - first)
          const distances = far.reduce((sum, one) => sum + one, 0)
          const squares = far.reduce((sum, one) => sum + one * one, 0)
          const sums = { distances, squares }
          const grid = withTimes ? { timeMs: 1000 * at, width: 10 } : null
          found.addRationals({ numerators, ...range, divisor, ...ends, ...sums }, grid)
          wanted.push(...numerators.map((one) => one / divisor))
        } else {
          // -0 is a value, too.
          const values = integers.map((one) => one / part)
          found.values.set(values, found.count)
          found.noteAppended(values.length)
          wanted.push(...values)
        }
      }
      assert.equal(found.count, wanted.length)
      if (wanted.length === 0) return
      const plain = statisticsOf(Float64Array.from(wanted), wanted.length, scratch)
      assert.deepEqual(found.statistics(scratch), plain)
      found.materialize()
      assert.deepEqual([...found.values.subarray(0, found.count)], wanted)
      assert.deepEqual(found.statistics(scratch), plain)
    }),
    { numRuns: 1000 },
  )
})
