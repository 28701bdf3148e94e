import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { StatisticsWorkspace, statisticsOf } from "../../../src/rollup/statistics.ts"
import { BucketValues } from "../../../src/store/lmdb/read/bucket-values.ts"

const scratch = new StatisticsWorkspace()
const slots = 3
const dayLength = 6

/** A day of a slot: ratios of one divisor, or values as they are. */
const day = fc.record({
  slot: fc.nat(slots - 1),
  divisor: fc.constantFrom(0, 1, 10, 50, 50, 50, 30),
  integers: fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: dayLength }),
  /** Divisor of a plain value: a multiple of 1/7 is a rational of no other divisor. */
  part: fc.constantFrom(1, 10, 7),
})

test("values of days in any form are the values, and their statistics are those of them", () => {
  const found = new BucketValues()
  fc.assert(
    fc.property(fc.array(day, { maxLength: 12 }), fc.boolean(), (days, withTimes) => {
      const stride = 12 * dayLength
      const wanted = Array.from({ length: slots }, (): number[] => [])
      found.reset(slots, stride, withTimes)
      for (const [at, { slot, divisor, integers, part }] of days.entries()) {
        const numerators = Float64Array.from(integers, (one) => one + 0)
        if (divisor > 0) {
          const ends = { min: Math.min(...numerators), max: Math.max(...numerators) }
          const range = { from: 0, to: integers.length }
          const origin = found.origin(slot)
          const first = Number.isNaN(origin) ? numerators[0]! : origin
          const far = numerators.map((one) => one - first)
          const distances = far.reduce((sum, one) => sum + one, 0)
          const squares = far.reduce((sum, one) => sum + one * one, 0)
          const sums = { distances, squares }
          const grid = withTimes ? { timeMs: 1000 * at, width: 10 } : null
          found.addRationals(slot, { numerators, ...range, divisor, ...ends, ...sums }, grid)
          wanted[slot]!.push(...numerators.map((one) => one / divisor))
        } else {
          // -0 is a value, too.
          const values = integers.map((one) => one / part)
          found.values.set(values, slot * stride + found.counts[slot]!)
          found.noteAppended(slot, values.length)
          wanted[slot]!.push(...values)
        }
      }
      for (const [slot, values] of wanted.entries()) {
        assert.equal(found.counts[slot], values.length)
        if (values.length === 0) continue
        const plain = statisticsOf(Float64Array.from(values), values.length, scratch)
        assert.deepEqual(found.statistics(slot, scratch), plain)
        found.materialize(slot)
        const from = slot * stride
        assert.deepEqual([...found.values.subarray(from, from + values.length)], values)
        assert.deepEqual(found.statistics(slot, scratch), plain)
      }
    }),
    { numRuns: 1000 },
  )
})
