import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { deviationOf, lowerBound, upperBound } from "../../src/model/band.ts"

const numbers = fc.double({ min: -1e9, max: 1e9, noNaN: true })
const stddevs = fc.double({ min: 1e-6, max: 1e6, noNaN: true })

test("exactly four standard deviations are outside, a little less is not", () => {
  assert.equal(deviationOf(18, { mean: 10, stddev: 2 }), "upper")
  assert.equal(deviationOf(17.999, { mean: 10, stddev: 2 }), undefined)
  assert.equal(deviationOf(2, { mean: 10, stddev: 2 }), "lower")
  assert.equal(deviationOf(10, { mean: 10, stddev: 0 }), undefined)
  assert.equal(deviationOf(NaN, { mean: 10, stddev: 2 }), undefined)
  assert.equal(deviationOf(18, { mean: NaN, stddev: NaN }), undefined)
})

test("bands are four standard deviations to either side, clamped to the valid range", () => {
  // The sample of spec/analytics §1: baselineLower is 0 because mean − 4σ is below validmin 0.
  assert.equal(lowerBound({ mean: 10, stddev: 5 }, { validMin: 0 }), 0)
  assert.equal(lowerBound({ mean: 10, stddev: 5 }), -10)
  assert.equal(upperBound({ mean: 98, stddev: 2 }, { validMax: 100 }), 100)
  assert.equal(upperBound({ mean: 98, stddev: 2 }, {}), 106)
})

test("a valid bound never makes a value within 4σ a deviation", () => {
  assert.equal(upperBound({ mean: 98, stddev: 2 }, { validMax: 100 }), 100)
  assert.equal(deviationOf(100, { mean: 98, stddev: 2 }), undefined)
})

test("upper and lower mirror each other", () => {
  fc.assert(
    fc.property(numbers, numbers, stddevs, (value, mean, stddev) => {
      const mirrored = { upper: "lower", lower: "upper" } as const
      const deviation = deviationOf(value, { mean, stddev })
      const expected = deviation === undefined ? undefined : mirrored[deviation]
      assert.equal(deviationOf(-value, { mean: -mean, stddev }), expected)
    }),
  )
})
