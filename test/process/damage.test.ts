import { test } from "node:test"
import assert from "node:assert/strict"
import { damageRun } from "./damage-run.ts"
import { runSeed } from "../support/run/seed.ts"
import { isLongRun, sized } from "../support/run/sizes.ts"

/** `bench/faults/damage.ts` makes a thousand and more. */
const count = sized({ quick: 12, long: 120 })

test("a flipped bit or a cut file is reported, never a wrong answer, never the end", async (t) => {
  const seed = runSeed
  t.diagnostic(`seed ${seed}`)
  const figures = await damageRun({ count, seed, tell: (line) => t.diagnostic(line) })
  t.diagnostic(JSON.stringify(figures))
  if (isLongRun) assert.ok(figures.refused > 0)
})
