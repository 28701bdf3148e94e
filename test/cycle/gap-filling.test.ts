import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { gapFillValue } from "../../src/cycle/gap-filling.ts"
import { sparseStrategies } from "../../src/model/sparse-strategy.ts"

const none = { min: NaN, max: NaN, last: NaN }

test("a filling is zero, or what the metric's own past gives", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true }), { minLength: 1 }), (actuals) => {
      const sorted = Float64Array.from(actuals).sort()
      const history = { min: sorted[0]!, max: sorted.at(-1)!, last: actuals.at(-1)! }
      assert.deepEqual(
        Object.fromEntries(sparseStrategies.map((one) => [one, gapFillValue(one, history)])),
        {
          None: NaN,
          ReplaceWithZero: 0,
          ReplaceWithHistoricalMin: history.min,
          ReplaceWithHistoricalMax: history.max,
          ReplaceWithLast: history.last,
        },
      )
    }),
  )
})

test("without a past there is zero, or nothing", () => {
  const filled = sparseStrategies.filter((strategy) => !Number.isNaN(gapFillValue(strategy, none)))
  assert.deepEqual(filled, ["ReplaceWithZero"])
})
