/** The sample limiter against a model that keeps every accepted sample. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { seriesPerBlock } from "../../../src/base/limits.ts"
import { IntColumn } from "../../../src/catalogue/int-column.ts"
import { cycleMs } from "../../../src/model/resolution.ts"
import { SampleBatchBuilder } from "../../../src/model/sample-batch.ts"
import { SampleLimiter } from "../../../src/store/lmdb/compaction/sample-limiter.ts"
import { cyclesPerWindow } from "../../../src/store/lmdb/disk/tables.ts"

const limits = { partitionSamples: 100, seriesSamples: 3 }
/** Series 0 and 1 are in block 0, series 2 is in block 1. */
const locations = new IntColumn()
for (const [series, location] of [0, 1, seriesPerBlock].entries()) locations.set(series, location)
const firstCycle = 4 * cyclesPerWindow

interface Sent {
  readonly series: number
  readonly cycle: number
}

/** Columns of one request, after another request that is not checked. */
function requestOf(samples: readonly Sent[]): { columns: SampleBatchBuilder; from: number } {
  const columns = new SampleBatchBuilder()
  columns.startRequest()
  columns.push(0, firstCycle * cycleMs, 1)
  columns.startRequest()
  for (const { series, cycle } of samples) columns.push(series, cycle * cycleMs + 1, 1)
  return { columns, from: 1 }
}

const sent = fc.record({
  series: fc.integer({ min: -1, max: 2 }),
  cycle: fc.integer({ min: firstCycle - 1, max: firstCycle + 1 }),
})

test("a series of a block over the limit may have seriesSamples per cycle, by request", () => {
  const requests = fc.array(fc.array(sent, { maxLength: 8 }), { maxLength: 12 })
  fc.assert(
    fc.property(requests, (bodies) => {
      const limiter = new SampleLimiter(limits)
      assert.equal(limiter.countFlushed(firstCycle, 0, limits.partitionSamples), true)
      const taken = new Map<string, number>()
      for (const body of bodies) {
        const after = new Map(taken)
        let first: Sent | undefined
        for (const one of body) {
          // The cycle before is of another window, and block 1 has few samples.
          if (one.series < 0 || one.series > 1 || one.cycle < firstCycle) continue
          const key = `${one.series} ${one.cycle}`
          after.set(key, (after.get(key) ?? 0) + 1)
          if (after.get(key)! > limits.seriesSamples) first ??= one
        }
        const { columns, from } = requestOf(body)
        const violation = limiter.check(columns, from, locations)
        const expected = first && { ...first, samplesMax: limits.seriesSamples }
        assert.deepEqual(violation, expected ?? null)
        if (violation === null) for (const [key, count] of after) taken.set(key, count)
      }
    }),
  )
})

test("a block is over the limit when its flushes reach it in one window", () => {
  const limiter = new SampleLimiter(limits)
  assert.equal(limiter.countFlushed(firstCycle, 0, 60), false)
  assert.equal(limiter.countFlushed(firstCycle - 1, 0, 60), false, "another window")
  assert.equal(limiter.countFlushed(firstCycle, 1, 60), false, "another block")
  const many = Array.from({ length: 50 }, () => ({ series: 0, cycle: firstCycle }))
  const { columns, from } = requestOf(many)
  assert.equal(limiter.check(columns, from, locations), null)
  assert.equal(limiter.countFlushed(firstCycle + 1, 0, 40), true)
  assert.equal(limiter.countFlushed(firstCycle + 1, 0, 40), false, "reported once")
  assert.deepEqual(limiter.check(columns, from, locations), {
    series: 0,
    cycle: firstCycle,
    samplesMax: 3,
  })
})
