import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { BucketSlots } from "../../src/query/bucket-slots.ts"

test("slots of each series are those of its buckets, whatever series came before", () => {
  const gaps = fc.array(fc.constantFrom(1, 1, 1, 2, 5), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(gaps), (list) => {
      const slots = new BucketSlots(1000, 300)
      for (const steps of list) {
        let slot = -1
        const want = steps.map((step) => (slot += step))
        const timesMs = Float64Array.from(want, (one) => 1000 + one * 300)
        assert.deepEqual([...slots.of(timesMs)], want)
      }
    }),
  )
})
