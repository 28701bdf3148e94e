/** Laws of watched cycles, against a list of all cycles. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { WatchedCycles } from "../../src/cycle/watched-cycles.ts"

const cycle = 100

/** Spans in any order, which may touch and overlap, and go beyond the closing cycle. */
const spans = fc.array(
  fc
    .tuple(fc.integer({ min: 40, max: 110 }), fc.integer({ min: 1, max: 15 }))
    .map(([from, length]) => ({ from, to: from + length })),
  { maxLength: 4 },
)

test("distances pass over unwatched cycles", () => {
  fc.assert(
    fc.property(spans, (unwatched) => {
      const isUnwatched = (one: number) => unwatched.some(({ from, to }) => from <= one && one < to)
      const watched = new WatchedCycles(cycle, unwatched)
      assert.equal(watched.isUnwatched, isUnwatched(cycle))
      const before = Array.from({ length: cycle }, (_, i) => cycle - 1 - i)
      const want = [cycle, ...before.filter((one) => !isUnwatched(one))].slice(0, 30)
      assert.deepEqual(
        want.map((_, back) => cycle - watched.distance(back)),
        want,
      )
    }),
  )
})

test("unwatched cycles are counted between a cycle and the closing one", () => {
  const unwatched = [
    { from: 60, to: 70 },
    { from: 90, to: 105 },
  ]
  const watched = new WatchedCycles(cycle, unwatched)
  const counts = [50, 59, 60, 69, 80, 99, 100].map((one) => watched.unwatchedAfter(one))
  assert.deepEqual(counts, [20, 20, 19, 10, 10, 0, 0])
  assert.ok(Number.isNaN(watched.unwatchedAfter(NaN)))
})
