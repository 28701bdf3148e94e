import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { createCycleBands } from "../../src/analysis/columns.ts"
import { roundBands } from "../../src/cycle/row-steps.ts"

function rounded(mean: number, stddev: number): { mean: number; stddev: number } {
  const bands = createCycleBands(2)
  for (const column of Object.values(bands) as Float64Array[]) column.fill(NaN)
  bands.contextualMean[1] = mean
  bands.contextualStddev[1] = stddev
  roundBands(bands, 1)
  assert.ok(Number.isNaN(bands.baselineMean[1]) && Number.isNaN(bands.contextualMean[0]))
  return { mean: bands.contextualMean[1], stddev: bands.contextualStddev[1] }
}

const means = fc.double({ min: -1e4, max: 1e4, noNaN: true })
const stddevs = fc.double({ min: 1e-1, max: 1e4, noNaN: true })

test("a rounded band differs by at most a 64th of the deviation", () => {
  fc.assert(
    fc.property(means, stddevs, (mean, stddev) => {
      const band = rounded(mean, stddev)
      assert.ok(Math.abs(band.mean - mean) <= stddev / 64)
      assert.ok(Math.abs(band.stddev - stddev) <= stddev / 64)
      assert.ok(band.stddev > 0)
    }),
  )
})

test("a rounded band is what is stored, and is not rounded further", () => {
  fc.assert(
    fc.property(means, stddevs, (mean, stddev) => {
      const band = rounded(mean, stddev)
      assert.deepEqual([Math.fround(band.mean), Math.fround(band.stddev)], Object.values(band))
    }),
  )
})

test("a band without width stays as it is, and none stays none", () => {
  assert.deepEqual(rounded(3.3, 0), { mean: 3.3, stddev: 0 })
  assert.deepEqual(rounded(NaN, NaN), { mean: NaN, stddev: NaN })
})
