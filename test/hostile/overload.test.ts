/** The suite runs tests side by side; what is promised in time is held by bench/faults/overload.ts. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { brokenLaws, overloadText } from "./overload-judge.ts"
import { overloadRun } from "./overload-run.ts"

test("ten times the capacity, 2,000 connections: all is answered, memory is bounded", async (t) => {
  const seed = Date.now() >>> 0
  t.diagnostic(`seed ${seed}`)
  const result = await overloadRun({
    seed,
    nowMs: Date.now(),
    capacityMs: 1_500,
    overloadMs: 3_000,
  })
  for (const line of overloadText(result).split("\n")) t.diagnostic(line)
  assert.deepEqual(brokenLaws(result), [])
})
