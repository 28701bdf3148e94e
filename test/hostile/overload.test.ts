import assert from "node:assert/strict"
import { test } from "node:test"
import { brokenPromises, overloadRun, overloadText } from "./overload-run.ts"

/** The suite runs tests side by side; the promises themselves are held by bench/faults/overload.ts. */
const crowded = 4

test("ten times the capacity, 2,000 connections: taken as before, refused at once", async (t) => {
  const seed = Date.now() >>> 0
  t.diagnostic(`seed ${seed}`)
  const result = await overloadRun({ seed, capacityMs: 1_500, overloadMs: 3_000 })
  t.diagnostic(overloadText(result))
  assert.deepEqual(brokenPromises(result, crowded), [])
})
