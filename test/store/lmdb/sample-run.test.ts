import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { SampleRun } from "../../../src/store/lmdb/encoding/sample-run.ts"
import {
  canonical,
  cramped,
  sampleRunOf,
  samplesOf,
  sampleText,
  spread,
} from "../../support/ingest/raw-samples.ts"

const lists = fc.array(fc.array(spread, { maxLength: 10 }), { maxLength: 10 })

test("a copy, and what is appended piece by piece, hold the same samples", () => {
  fc.assert(
    fc.property(lists, fc.nat(), (slots, cut) => {
      const raw = sampleRunOf(slots)
      const texts = samplesOf(raw).map(sampleText)
      assert.deepEqual(samplesOf(raw.copy()).map(sampleText), texts)
      const at = cut % (raw.count + 1)
      const pieces = new SampleRun(1)
      pieces.append(raw, 0, at)
      pieces.append(raw, at, raw.count)
      assert.deepEqual(samplesOf(pieces).map(sampleText), texts)
    }),
    { numRuns: 300 },
  )
})

test("columns that were reset forget aggregates too", () => {
  const raw = sampleRunOf([[{ timeMs: 1, value: 2, mask: 2, fields: [0, 9, 0, 0, 0, 0] }]])
  raw.reset()
  assert.deepEqual([raw.slotCount, raw.count, raw.aggregateCount], [0, 0, 0])
  raw.push(1, 2)
  raw.endSlot()
  assert.deepEqual(samplesOf(raw), [{ timeMs: 1, value: 2, mask: 0, fields: [] }])
})

test("a slot that was never ended has no samples", () => {
  const raw = sampleRunOf([[{ timeMs: 1, value: 2, mask: 0, fields: [] }], []])
  const ranges = [0, 1, 2, 255].map((slot) => raw.slotTo(slot) - raw.slotFrom(slot))
  assert.deepEqual(ranges, [1, 0, 0, 0])
})

test("lowerBound() finds the first sample at or after a time", () => {
  fc.assert(
    fc.property(fc.array(cramped), fc.integer({ min: -1, max: 5 }), (samples, timeMs) => {
      const raw = sampleRunOf([canonical(samples)])
      const found = [...raw.timesMs.subarray(0, raw.count)].findIndex((each) => each >= timeMs)
      assert.equal(raw.lowerBound(timeMs, 0, raw.count), found < 0 ? raw.count : found)
    }),
  )
})
