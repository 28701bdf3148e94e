/**
 * The suite runs tests side by side; what is promised in time is held by bench/faults/overload.ts.
 * Seconds are needed to say anything: flood.test.ts and fair.test.ts are the quick size.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { brokenLaws, overloadText, tooSlowToMeasure } from "./overload-laws.ts"
import { overloadRun } from "./overload-run.ts"
import { runSeed } from "../support/run/seed.ts"
import { isLongRun } from "../support/run/sizes.ts"

const title = "ten times the capacity, 2,000 connections: all is answered, memory is bounded"
test(title, { skip: !isLongRun && "in the long size only" }, async (t) => {
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
