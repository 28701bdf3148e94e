import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { BucketIndex } from "../../src/query/statistics/bucket-index.ts"

test("indexes are those of the buckets, and form a run if no bucket is missing", () => {
  const gaps = fc.array(fc.constantFrom(1, 1, 1, 2, 5), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(gaps, (steps) => {
      const slots = new BucketIndex(1000, 300)
      let slot = -1
      const want = steps.map((step) => (slot += step))
      const timesMs = Float64Array.from(want, (one) => 1000 + one * 300)
      assert.deepEqual([...slots.indexesOf(timesMs)], want)
      const isRun = steps.slice(1).every((step) => step === 1)
      assert.equal(slots.firstOfRun(timesMs), isRun ? want[0] : -1)
    }),
  )
})
