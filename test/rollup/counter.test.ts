import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  CellColumns,
  changeActualKind,
  computeCell,
  computeWeightedCell,
  copyCell,
  counterKind,
  hasIncrease,
  lastKind,
  setSynthetic,
  wrappingKind,
} from "../../src/rollup/cell.ts"
import { Contributions } from "../../src/rollup/contribution.ts"
import { applyCounter, applyCounters } from "../../src/rollup/counter.ts"
import { countedOver } from "../support/store/counted-over.ts"

/** The cells of a counter, one for each list of values; an empty list is a gap filled with 1. */
function cellsOf(lists: readonly (readonly number[])[], kind = counterKind): CellColumns {
  const cells = new CellColumns(lists.length)
  cells.actualKind.fill(kind)
  for (const [at, values] of lists.entries()) {
    if (values.length === 0) setSynthetic(cells, at, 1)
    else computeCell(Float64Array.from(values), 0, values.length, cells, at)
  }
  return cells
}

/** The actuals of cells that follow a value; undefined for a cell without one. */
function actualsOf(before: number, cells: CellColumns): (number | undefined)[] {
  applyCounters(cells, 0, cells.length, before)
  return Array.from(cells.actual, (actual, at) => (cells.actuals[at] === 1 ? actual : undefined))
}

test("the actual of a cycle is the sum of the steps of its samples; a drop is a restart", () => {
  const f = (before: number, values: readonly number[], want: number) =>
    assert.deepEqual(actualsOf(before, cellsOf([values])), [want], `${before}: ${values}`)
  f(90.5, [100, 130], 39.5)
  f(100, [110, 0, 10], 20)
  f(100, [110, 3], 13)
  f(100, [5, 120], 120)
  f(100, [7], 7)
  f(100, [100, 0, 0, 0], 0)
  f(100, [50, 40, 30], 120)
  f(0.1, [0.3, 0.1, 0.2, 0], 0.4)
  f(1e15 + 0.5, [2e15, 3], 1e15 + 2.5)
  // Beyond 2^53 the values themselves are rounded.
  f(2 ** 53, [2 ** 53 + 1, 2 ** 53 + 2], 2)
  f(-1.7e308, [1.7e308, 1], Number.MAX_VALUE)
})

test("a drop of a wrapping counter is a wrap at 2^32, or beyond it at 2^64", () => {
  const f = (before: number, values: readonly number[], want: number) => {
    const cells = cellsOf([values], wrappingKind)
    assert.deepEqual(actualsOf(before, cells), [want], `${before}: ${values}`)
  }
  f(4294967000, [200], 496)
  f(4294967000, [4294967290, 4, 4294967295, 0], 2 ** 32 + 296)
  f(100, [110, 0, 10], 2 ** 32 - 90)
  f(0, [5, 5, 7], 7)
  f(2 ** 32 - 1, [0], 1)
  f(2 ** 32, [0], 2 ** 64 - 2 ** 32)
  f(2 ** 63, [2 ** 62], 2 ** 63 + 2 ** 62)
  // No counter of 64 bits: what is no wrap is a restart.
  f(2 ** 64, [7], 7)
  f(10, [-3], -3)
})

test("the first cycle of a counter has no actual, the next one begins at its last value", () => {
  const cells = cellsOf([[100, 0], [], [4, 2]])
  assert.deepEqual(actualsOf(NaN, cells), [undefined, 1, 6])
  applyCounter(cells, 0, undefined)
  assert.equal(cells.actuals[0], 0)
})

test("however samples are divided into cycles, their increases add up to that of all steps", () => {
  const value = fc.integer({ min: 0, max: 9 }).map((tenths) => tenths / 10)
  const lists = fc.array(fc.array(value, { maxLength: 5 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(value, lists, (before, told) => {
      const filled = told.filter((values) => values.length > 0)
      const actuals = actualsOf(before, cellsOf(filled))
      let previous = before
      for (const [at, values] of filled.entries()) {
        const want = countedOver([previous, ...values])
        assert.ok(Math.abs(actuals[at]! - want) < 1e-9, `${previous}: ${values}`)
        previous = values.at(-1)!
      }
    }),
  )
})

test("however wrapping samples are divided into cycles, their increases add up, too", () => {
  const value = fc.constantFrom(0, 1, 5, 2 ** 31, 2 ** 32 - 7, 2 ** 32 - 1)
  const lists = fc.array(fc.array(value, { minLength: 1, maxLength: 5 }), { minLength: 1 })
  fc.assert(
    fc.property(value, lists, (before, told) => {
      const sum = actualsOf(before, cellsOf(told, wrappingKind)).reduce<number>((a, b) => a + b!, 0)
      assert.equal(sum, countedOver([before, ...told.flat()], true))
    }),
  )
})

test("an increase of decimals is the double nearest to the true one", () => {
  const value = fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100)
  fc.assert(
    fc.property(value, fc.array(value, { minLength: 1, maxLength: 9 }), (before, values) => {
      const cents = [before, ...values].map((one) => Math.round(one * 100))
      const [actual] = actualsOf(before, cellsOf([values]))
      assert.equal(actual, countedOver(cents) / 100)
    }),
  )
})

test("an aggregated sample counts as its mean, and one of count 0 not at all", () => {
  const contributions = new Contributions()
  contributions.pushValue(110)
  contributions.pushSample(0b111110, [0, 0, 50, 10, 2, 20])
  contributions.pushSample(0b11000, [0, 0, 0, 0, 0, 0])
  contributions.pushValue(30)
  const cells = new CellColumns(1)
  cells.actualKind[0] = counterKind
  computeWeightedCell(contributions, 0, 4, cells, 0)
  assert.deepEqual(actualsOf(100, cells), [10 + 10 + 20])
})

test("a cell has an increase if its counter drops, and keeps it in a copy", () => {
  const cells = cellsOf([[1, 5], [9, 2, 4], []])
  const hasOne = (of: CellColumns) => [0, 1, 2].map((at) => hasIncrease(of, at))
  assert.deepEqual(hasOne(cells), [false, true, false])
  const copies = new CellColumns(3)
  for (let at = 0; at < 3; at++) copyCell(cells, at, copies, at)
  assert.deepEqual(hasOne(copies), [false, true, false])
  assert.deepEqual(actualsOf(0, copies), [5, 4 + 4, 1])
})

test("a cell that is no counter's has no increase, and loses it with its kind", () => {
  const cells = cellsOf([[9, 2, 4]])
  changeActualKind(cells, 0, lastKind)
  assert.equal(hasIncrease(cells, 0), false)
  assert.deepEqual([cells.actual[0], cells.actuals[0]], [4, 1])
  const gauge = new CellColumns(1)
  computeCell(Float64Array.of(9, 2, 4), 0, 3, gauge, 0)
  assert.equal(hasIncrease(gauge, 0), false)
})

test("a counter's cell of an earlier store counts from its first to its last value", () => {
  const f = (before: number, [first, last]: readonly [number, number], want: number) => {
    const cells = cellsOf([[first]])
    cells.last[0] = last
    assert.deepEqual(actualsOf(before, cells), [want])
  }
  f(100, [110, 130], 30)
  f(100, [110, 10], 10 + 10)
  f(100, [5, 120], 120)
})
