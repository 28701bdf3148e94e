import assert from "node:assert/strict"
import { test } from "node:test"
import { fuzz, resultText } from "./fuzz-run.ts"
import { runSeed } from "../support/run/seed.ts"
import { sized } from "../support/run/sizes.ts"

/** The quick size takes 3 s of CPU. */
const casesMax = sized({ quick: 6_000, long: 50_000 })
/** As many as fit: two free cores need a third of it for the long size. */
const msMax = 30_000

test("damaged bodies, queries, times and names are taken or refused, never a crash", async (t) => {
  const seed = runSeed
  t.diagnostic(`seed ${seed}`)
  const elapsedMs = () => performance.now()
  const result = await fuzz({ seed, casesMax, untilMs: elapsedMs() + msMax, elapsedMs })
  t.diagnostic(resultText(result))
  for (const key of ["ingest 202", "ingest 400", "query 202", "query 400", "parameters 400"]) {
    assert.ok((result.verdicts.get(key) ?? 0) > 10, `Expected more of ${key}`)
  }
})
