import assert from "node:assert/strict"
import { test } from "node:test"
import { bucketCount, bucketSpan, bucketStart, bucketStarts } from "../../src/rollup/bucket.ts"

test("bucketStart() puts an instant on a boundary into the bucket that begins there", () => {
  const f = (instantMs: number, widthMs: number, want: number) =>
    assert.equal(bucketStart(instantMs, widthMs), want)
  f(0, 300_000, 0)
  f(299_999, 300_000, 0)
  f(300_000, 300_000, 300_000)
  f(-1, 300_000, -300_000)
})

test("bucketStarts() names every bucket that a span touches", () => {
  const f = (startMs: number, endMs: number, want: number[]) => {
    assert.deepEqual(bucketStarts({ startMs, endMs }, 10), want)
    assert.equal(bucketCount({ startMs, endMs }, 10), want.length)
  }
  f(0, 0, [])
  f(5, 5, [])
  f(0, 10, [0])
  f(0, 11, [0, 10])
  f(5, 25, [0, 10, 20])
  f(-5, 5, [-10, 0])
})

test("bucketSpan() holds the buckets that begin in a span", () => {
  const f = (startMs: number, endMs: number, want: [number, number]) =>
    assert.deepEqual(bucketSpan({ startMs, endMs }, 10), { startMs: want[0], endMs: want[1] })
  f(0, 10, [0, 10])
  f(1, 10, [10, 10])
  f(1, 11, [10, 20])
  f(2, 5, [10, 10])
})
