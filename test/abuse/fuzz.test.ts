import assert from "node:assert/strict"
import { test } from "node:test"
import { fuzz, resultText } from "./fuzz-run.ts"
import { runSeed } from "../support/seed.ts"

/** As many of 50,000 as fit; a machine with two free cores does them all. */
const casesMax = 50_000
const msMax = 9_000

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
