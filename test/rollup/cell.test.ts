import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  CellColumns,
  clearCells,
  computeCell,
  computeWeightedCell,
  copyCells,
  actualKinds,
  setSynthetic,
  flagPartial,
  flagGapFill,
  isPresent,
} from "../../src/rollup/cell.ts"
import { Contributions } from "../../src/rollup/contribution.ts"
import { averageOf, exactDifference, exactSum } from "../../src/rollup/sum.ts"

function cellOf(values: readonly number[], definition = 0): CellColumns {
  const cells = new CellColumns(1)
  cells.actualKind[0] = definition
  computeCell(Float64Array.from(values), 0, values.length, cells, 0)
  return cells
}

const decimal = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((i) => i / 1000)
const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const anyValues = fc.oneof(
  fc.array(decimal, { minLength: 1, maxLength: 40 }),
  fc.array(double, { minLength: 1, maxLength: 40 }),
)

test("a cell holds count, sum, min, max, first, last and average of its values", () => {
  const cells = cellOf([0.3, 0.1, 0.2])
  assert.equal(cells.count[0], 3)
  assert.equal(cells.sum[0], 0.6)
  assert.equal(cells.min[0], 0.1)
  assert.equal(cells.max[0], 0.3)
  assert.equal(cells.m2[0], 0.02)
  assert.equal(cells.first[0], 0.3)
  assert.equal(cells.last[0], 0.2)
  assert.equal(cells.actual[0], 0.2)
  assert.equal(cells.actuals[0], 1)
  assert.equal(cells.flags[0], 0)
})

test("sums and squares of decimals do not depend on the order of the values", () => {
  fc.assert(
    fc.property(fc.array(decimal, { minLength: 1, maxLength: 60 }), (values) => {
      const forward = cellOf(values)
      const backward = cellOf([...values].reverse())
      for (const column of ["count", "sum", "min", "max", "m2", "actual"] as const) {
        assert.deepEqual(forward[column], backward[column])
      }
    }),
  )
})

test("every cell is finite, whatever its values", () => {
  const huge = fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, 1e200, 0, 1)
  fc.assert(
    fc.property(fc.array(fc.oneof(huge, double), { minLength: 1, maxLength: 9 }), (values) => {
      const cells = cellOf(values)
      for (const column of ["sum", "min", "max", "m2", "first", "last", "actual"] as const) {
        assert.ok(Number.isFinite(cells[column][0]), `${column} of ${values}`)
      }
      assert.ok(cells.m2[0]! >= 0)
    }),
  )
})

test("m2 agrees with the sum of squared deviations", () => {
  fc.assert(
    fc.property(fc.array(decimal, { minLength: 1, maxLength: 60 }), (values) => {
      const mean = values.reduce((a, b) => a + b, 0) / values.length
      const want = values.reduce((sum, v) => sum + (v - mean) ** 2, 0)
      assert.ok(Math.abs(cellOf(values).m2[0]! - want) <= 1e-9 * (1 + want))
    }),
  )
})

test("the actual kind selects the statistic of the actual", () => {
  const f = (definition: (typeof actualKinds)[number], want: number) =>
    assert.equal(cellOf([2, 8, 5], actualKinds.indexOf(definition)).actual[0], want)
  f("average", 5)
  f("sum", 15)
  f("min", 2)
  f("max", 8)
  f("last", 5)
  f("cnt", 3)
})

test("plain values as contributions give the same cell, bit for bit", () => {
  fc.assert(
    fc.property(anyValues, (values) => {
      const contributions = new Contributions()
      for (const value of values) contributions.pushValue(value)
      const got = new CellColumns(1)
      assert.equal(computeWeightedCell(contributions, 0, values.length, got, 0), true)
      assert.deepEqual(got, cellOf(values))
    }),
  )
})

test("an aggregated sample has the weight of its observations", () => {
  const contributions = new Contributions()
  const full = 0b111110
  contributions.pushSample(full, [0, 1, 5, 2, 4, 8])
  contributions.pushSample(full, [0, 3, 9, 6, 2, 12])
  const cells = new CellColumns(1)
  computeWeightedCell(contributions, 0, 2, cells, 0)
  assert.equal(cells.count[0], 6)
  assert.equal(cells.sum[0], 20)
  assert.equal(cells.min[0], 1)
  assert.equal(cells.max[0], 9)
  // Means 2 (four times) and 6 (twice), around 10/3.
  assert.equal(cells.m2[0], 128 / 6)
  assert.equal(cells.actual[0], 20 / 6)
  assert.equal(cells.flags[0], 0)
})

test("a partial aggregate sets its flag, and one of count 0 leaves the cell empty", () => {
  const contributions = new Contributions()
  contributions.pushSample(0b10000, [0, 0, 0, 0, 0, 0])
  const cells = new CellColumns(1)
  assert.equal(computeWeightedCell(contributions, 0, 1, cells, 0), false)
  assert.equal(isPresent(cells, 0), false)
  contributions.pushSample(0b10000, [0, 0, 0, 0, 3, 0])
  assert.equal(computeWeightedCell(contributions, 0, 2, cells, 0), true)
  assert.equal(cells.count[0], 3)
  assert.equal(cells.sum[0], 3)
  assert.equal(cells.flags[0], flagPartial)
})

test("a gap fill is present, has an actual and no observations", () => {
  const cells = cellOf([1, 2], 4)
  setSynthetic(cells, 0, 7.5)
  assert.equal(isPresent(cells, 0), true)
  assert.equal(cells.count[0], 0)
  assert.equal(cells.actual[0], 7.5)
  assert.equal(cells.flags[0], flagGapFill)
  assert.equal(cells.actualKind[0], 4)
  const copy = new CellColumns(3)
  copyCells(cells, 0, copy, 2)
  assert.equal(copy.actual[2], 7.5)
  clearCells(copy, 2, 3)
  assert.equal(isPresent(copy, 2), false)
})

test("exactDifference() is exactSum() of two values", () => {
  const decimals = fc
    .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 12 }))
    .map(([integer, scale]) => integer / 10 ** scale)
  const value = fc.oneof(decimals, fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(
    fc.property(value, value, (left, right) => {
      const want = exactSum(Float64Array.of(left, -right), 0, 2)
      assert.ok(Object.is(exactDifference(left, right), want))
    }),
    { numRuns: 2000 },
  )
})

test("exactSum() is exact for decimals and within rounding for other values", () => {
  const f = (values: number[], want: number) =>
    assert.equal(exactSum(Float64Array.from(values), 0, values.length), want)
  f([], 0)
  f([0.1, 0.2], 0.3)
  f(
    Array.from({ length: 10 }, () => 0.1),
    1,
  )
  f([1e16, 1, -1e16], 1)
  f([1e308, 1e308, -1e308], 1e308)
  f([Number.MAX_VALUE, Number.MAX_VALUE], Number.MAX_VALUE)
  f([-Number.MAX_VALUE, -Number.MAX_VALUE], -Number.MAX_VALUE)
})

test("averageOf() of equal decimals returns the decimal", () => {
  assert.equal(averageOf(0.3, 3), 0.1)
  assert.equal(averageOf(1, 3), 1 / 3)
  fc.assert(
    fc.property(decimal, fc.integer({ min: 1, max: 900 }), (value, count) => {
      const values = new Float64Array(count).fill(value)
      assert.equal(averageOf(exactSum(values, 0, count), count), value)
    }),
  )
})
