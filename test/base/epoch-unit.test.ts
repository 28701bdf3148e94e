import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { epochUnitProblem } from "../../src/base/epoch-unit.ts"

const at = (from: string, to: string) => fc.integer({ min: Date.parse(from), max: Date.parse(to) })

test("instants from 2002 to 2286 are accepted in milliseconds and detected in other units", () => {
  fc.assert(
    fc.property(at("2002-01-01", "2286-01-01"), (ms) => {
      assert.equal(epochUnitProblem(ms), null)
      assert.match(epochUnitProblem(Math.floor(ms / 1000))!, /in epoch seconds: multiply/)
      assert.match(epochUnitProblem(ms * 1000)!, /in epoch microseconds: divide/)
      assert.match(epochUnitProblem(ms * 1e6)!, /in epoch nanoseconds: divide/)
    }),
  )
})

test("numbers that are no plausible instant in any unit are ignored", () => {
  for (const value of [0, 1, -1, 20_231_114, 31_536_000_000, NaN, Infinity, 1e300]) {
    assert.equal(epochUnitProblem(value), null)
  }
})
