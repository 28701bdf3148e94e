/** The suite runs tests side by side; what is promised in time is held by bench/faults/overload.ts. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { brokenLaws, overloadText, tooSlowToMeasure } from "./overload-laws.ts"
import { overloadRun } from "./overload-run.ts"
import { runSeed } from "../support/seed.ts"

test("ten times the capacity, 2,000 connections: all is answered, memory is bounded", async (t) => {
  const seed = runSeed
  t.diagnostic(`seed ${seed}`)
  const result = await overloadRun({
    seed,
    nowMs: Date.now(),
    capacityMs: 1_500,
    overloadMs: 3_000,
  })
  for (const line of overloadText(result).split("\n")) t.diagnostic(line)
  const tooSlow = tooSlowToMeasure(result)
  if (tooSlow !== null) return t.skip(tooSlow)
  assert.deepEqual(brokenLaws(result), [])
})
