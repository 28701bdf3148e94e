import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { dayMs, hourMs } from "../../../src/model/resolution.ts"
import { partitionByBlock } from "../../../src/store/lmdb/read/partition.ts"

const blockOf = (series: number): number => Math.floor(series / 256)

function partitionsOf(
  series: readonly number[],
  windowMs: number,
  partitionMs: number,
  withValues = false,
) {
  return partitionByBlock(blockOf, {
    series: Int32Array.from(series),
    span: { startMs: 0, endMs: windowMs },
    resolution: "PT5M",
    withValues,
    partitionMs,
  })
}

const seriesOfBlocks = fc
  .uniqueArray(fc.nat(50 * 256), { maxLength: 2_000 })
  .map((series) => series.sort((a, b) => a - b))

test("each series is in one partition, with all others of its block", () => {
  const windows = fc.integer({ min: hourMs, max: 30 * dayMs })
  fc.assert(
    fc.property(seriesOfBlocks, windows, fc.nat(20), (series, windowMs, partitionMs) => {
      const partitions = partitionsOf(series, windowMs, partitionMs)
      assert.deepEqual(
        partitions.flatMap((one) => [...one]).sort((a, b) => a - b),
        series,
      )
      const blocks = partitions.flatMap((one) => [...new Set(Array.from(one, blockOf))])
      assert.equal(new Set(blocks).size, blocks.length)
    }),
  )
})

test("a longer window is not in fewer partitions, and one of no length is in one", () => {
  fc.assert(
    fc.property(seriesOfBlocks, fc.integer({ min: 1, max: 20 }), (series, partitionMs) => {
      const counts = [1, 2, 5, 14].map((days) => {
        return partitionsOf(series, days * dayMs, partitionMs).length
      })
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => a - b),
      )
      assert.equal(partitionsOf(series.slice(0, 100), 0, 1).length, 1)
    }),
  )
})

test("1,000 series: a day in one partition of 8 ms, two with values in two, 14 in four", () => {
  const series = Array.from({ length: 1_000 }, (_, i) => i)
  assert.equal(partitionsOf(series, dayMs, 8, true).length, 1)
  assert.equal(partitionsOf(series, 2 * dayMs, 8, true).length, 2)
  assert.equal(partitionsOf(series, 14 * dayMs, 8).length, 4)
})
