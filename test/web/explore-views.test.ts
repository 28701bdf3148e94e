/** Laws of heat maps and bars. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { heatGrid, heatRange, heatStep, heatSteps } from "../../src/web/chart/heat/heat-grid.ts"
import { barOf, statisticOf } from "../../src/web/pages/explore/bars.ts"

const bounds = { min: 0, max: 100 }
const value = fc.option(fc.integer({ min: 0, max: 100 }))

test("each value within the bounds is counted once, in its column and its bin", () => {
  const rows = fc.integer({ min: 1, max: 8 }).chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(fc.array(value, { minLength: columns, maxLength: columns }), {
        maxLength: 30,
      }),
    }),
  )
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 50 }), ({ columns, rows: given }, bins) => {
      const { counts, most } = heatGrid(given, columns, bounds, bins)
      assert.equal(counts.length, columns * bins)
      for (let column = 0; column < columns; column++) {
        const known = given.map((row) => row[column]!).filter((one) => one !== null)
        const own = Array.from({ length: bins }, (_, bin) => counts[bin * columns + column]!)
        assert.equal(
          own.reduce((sum, count) => sum + count, 0),
          known.length,
        )
        // Bins go down from the greatest value.
        const greatest = known.reduce((a, b) => Math.max(a, b), -1)
        const first = own.findIndex((count) => count > 0)
        const expected = Math.min(bins - 1, Math.floor(((100 - greatest) / 100) * bins))
        assert.equal(first, known.length === 0 ? -1 : expected)
      }
      assert.equal(
        most,
        counts.reduce((a, b) => Math.max(a, b), 0),
      )
    }),
  )
  assert.deepEqual([...heatGrid([[101, -1, 50]], 3, bounds, 2).counts], [0, 0, 0, 0, 0, 1])
})

test("the colour grows with the count, from the first step to the last", () => {
  const most = fc.integer({ min: 2, max: 1000 })
  fc.assert(
    fc.property(most, fc.nat(1000), fc.nat(1000), (greatest, a, b) => {
      const [less, more] = [Math.min(a, b, greatest), Math.min(Math.max(a, b), greatest)]
      assert.ok(heatStep(less, greatest) <= heatStep(more, greatest))
      assert.equal(heatStep(0, greatest), 0)
      assert.equal(heatStep(1, greatest), 1)
      assert.equal(heatStep(greatest, greatest), heatSteps)
    }),
  )
  assert.equal(heatStep(1, 1), heatSteps)
})

test("cells lie around their times", () => {
  assert.deepEqual(heatRange([100, 200, 300]), { startMs: 50, endMs: 350 })
  assert.deepEqual(heatRange([100, 200, 400]), { startMs: 50, endMs: 450 })
  assert.deepEqual(heatRange([5000]), { startMs: 4500, endMs: 5500 })
})

test("bars begin at zero, end at their value, and fill the width together", () => {
  const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(numbers, (all) => {
      const bars = all.map((one) => barOf(one, all))
      for (const [i, { start, size }] of bars.entries()) {
        assert.ok(start >= 0 && size >= 0 && start + size <= 1 + 1e-9)
        const isLonger = (other: number, k: number) =>
          Math.abs(other) > Math.abs(all[i]!) && bars[k]!.size < size
        assert.ok(!all.some(isLonger))
      }
      const zeros = all
        .map((one, i) => (one < 0 ? bars[i]!.start + bars[i]!.size : bars[i]!.start))
        .filter((_, i) => all[i] !== 0)
      for (const zero of zeros) assert.ok(Math.abs(zero - zeros[0]!) < 1e-9)
    }),
  )
  assert.deepEqual(barOf(null, [1, 2]), { start: 0, size: 0 })
  assert.deepEqual(barOf(1, [1, 2]), { start: 0, size: 0.5 })
  assert.deepEqual([statisticOf("p95"), statisticOf("change")], ["p95", "avg"])
})
