import assert from "node:assert/strict"
import { test } from "node:test"
import { bucketStart } from "../../src/rollup/bucket.ts"

test("bucketStart() puts an instant on a boundary into the bucket that begins there", () => {
  const f = (instantMs: number, widthMs: number, want: number) =>
    assert.equal(bucketStart(instantMs, widthMs), want)
  f(0, 300_000, 0)
  f(299_999, 300_000, 0)
  f(300_000, 300_000, 300_000)
  f(-1, 300_000, -300_000)
})
