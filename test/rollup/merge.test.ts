import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  CellColumns,
  computeCell,
  counterKind,
  maxKind,
  sumKind,
  setSynthetic,
  flagGapFill,
  isPresent,
} from "../../src/rollup/cell.ts"
import { mergeCells, MergeWorkspace } from "../../src/rollup/merge.ts"

const mergeWorkspace = new MergeWorkspace()

/** One cell a bucket from its values; no values leave it empty. */
function cellsOf(buckets: readonly (readonly number[])[], definition = 0): CellColumns {
  const cells = new CellColumns(buckets.length)
  buckets.forEach((values, at) => {
    cells.actualKind[at] = definition
    if (values.length > 0) computeCell(Float64Array.from(values), 0, values.length, cells, at)
  })
  return cells
}

function merged(cells: CellColumns): CellColumns {
  const out = new CellColumns(1)
  mergeCells(cells, 0, cells.length, out, 0, mergeWorkspace)
  return out
}

const decimal = fc.integer({ min: -20_000, max: 20_000 }).map((i) => i / 100)
const double = fc.double({ noNaN: true, min: -1e9, max: 1e9 })

function buckets(value: fc.Arbitrary<number>) {
  return fc.array(fc.array(value, { maxLength: 6 }), { minLength: 1, maxLength: 24 })
}

test("a rollup of rollups of decimals equals the rollup of the samples, m2 included", () => {
  fc.assert(
    fc.property(buckets(decimal), (lists) => {
      const all = lists.flat()
      fc.pre(all.length > 0)
      const want = cellsOf([all])
      const got = merged(cellsOf(lists))
      for (const column of ["count", "sum", "min", "max", "first", "last", "m2"] as const) {
        assert.equal(got[column][0], want[column][0], column)
      }
    }),
  )
})

test("m2 of rollups of rollups stays exact far from zero", () => {
  const near = decimal.map((v) => Math.round(v * 100 + 8e11) / 100)
  fc.assert(
    fc.property(buckets(near), (lists) => {
      fc.pre(lists.flat().length > 0)
      assert.equal(merged(cellsOf(lists)).m2[0], cellsOf([lists.flat()]).m2[0])
    }),
  )
})

test("a rollup of rollups of any doubles equals the rollup of the samples within rounding", () => {
  fc.assert(
    fc.property(buckets(double), (lists) => {
      const all = lists.flat()
      fc.pre(all.length > 0)
      const want = cellsOf([all])
      const got = merged(cellsOf(lists))
      for (const column of ["count", "min", "max", "first", "last"] as const) {
        assert.equal(got[column][0], want[column][0], column)
      }
      const size = Math.max(...all.map(Math.abs))
      // Squares of less than 1e-154 are rounded to whole multiples of the least number.
      const least = 4 * all.length * Number.MIN_VALUE
      const near = (a: number, b: number, scale: number) =>
        assert.ok(Math.abs(a - b) <= 1e-12 * scale + least, `${a} ${b}`)
      near(got.sum[0]!, want.sum[0]!, size * all.length)
      near(got.m2[0]!, want.m2[0]!, size * size * all.length)
    }),
    { examples: [[[[0], [0, -2.147868238054337e-161]]]] },
  )
})

test("days from hours equal days from cycles in everything that is exact", () => {
  fc.assert(
    fc.property(buckets(decimal), (lists) => {
      fc.pre(lists.flat().length > 0)
      const fine = cellsOf(lists)
      const hours = new CellColumns(Math.ceil(lists.length / 4))
      for (let h = 0; h < hours.length; h++) {
        mergeCells(fine, h * 4, Math.min(h * 4 + 4, lists.length), hours, h, mergeWorkspace)
      }
      const day = merged(hours)
      const want = merged(fine)
      for (const column of ["count", "sum", "min", "max", "first", "last", "m2"] as const) {
        assert.equal(day[column][0], want[column][0], column)
      }
      assert.equal(day.actuals[0], want.actuals[0])
      const scale = Math.max(1, Math.abs(want.actual[0]!))
      assert.ok(Math.abs(day.actual[0]! - want.actual[0]!) <= 1e-9 * scale)
    }),
  )
})

test("the actual is the average of the PT5M actuals below, each with weight 1", () => {
  const f = (cells: CellColumns, actual: number, actuals: number) => {
    const out = merged(cells)
    assert.equal(out.actual[0], actual)
    assert.equal(out.actuals[0], actuals)
  }
  f(cellsOf([[1, 2, 3], [10]]), 6, 2)
  f(cellsOf([[1, 3], [], [5, 7]]), 4, 2)
  f(cellsOf([[0.1], [0.1], [0.1]]), 0.1, 3)
  f(cellsOf([[1, 3], [5]], sumKind), 4.5, 2)
  f(cellsOf([[1, 3], [5]], maxKind), 4, 2)
})

test("a counter's cycle without an actual counts in the sums but not in the actuals", () => {
  const cells = cellsOf([[100], [110], [130]], counterKind)
  cells.actual.set([0, 10, 20])
  cells.actuals.set([0, 1, 1])
  const out = merged(cells)
  assert.equal(out.count[0], 3)
  assert.equal(out.actuals[0], 2)
  assert.equal(out.actual[0], 15)
})

test("gap fills count in the actual; the coarser cell is a gap fill only if all below are", () => {
  const cells = cellsOf([[4], []])
  setSynthetic(cells, 1, 0)
  const half = merged(cells)
  assert.equal(half.flags[0], 0)
  assert.equal(half.actual[0], 2)
  assert.equal(half.count[0], 1)
  setSynthetic(cells, 0, 6)
  const filled = merged(cells)
  assert.equal(filled.flags[0], flagGapFill)
  assert.equal(filled.actual[0], 3)
  assert.equal(filled.count[0], 0)
})

test("mergeCells() of absent cells returns false and clears the result", () => {
  const cells = new CellColumns(12)
  const out = cellsOf([[5]])
  assert.equal(mergeCells(cells, 0, 12, out, 0, mergeWorkspace), false)
  assert.equal(isPresent(out, 0), false)
})
