import assert from "node:assert/strict"
import { test } from "node:test"
import { DurationHistogram } from "../../../src/store/lmdb/wal/duration-histogram.ts"

test("observe() counts a duration in the first bucket whose bound is not below it", () => {
  const histogram = new DurationHistogram([0.001, 0.01])
  for (const durationMs of [0, 1, 1.5, 10, 11]) histogram.observe(durationMs)
  const figures = histogram.figures()
  assert.deepEqual(figures.counts, [2, 2, 1])
  assert.ok(Math.abs(figures.sumSeconds - 0.0235) < 1e-12)
  histogram.observe(1)
  assert.deepEqual(figures.counts, [2, 2, 1], "a copy")
})
