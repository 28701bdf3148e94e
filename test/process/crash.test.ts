import { test } from "node:test"
import { runSeed } from "../support/run/seed.ts"
import { sized } from "../support/run/sizes.ts"
import { crashRun } from "./crash-run.ts"

/** The last round ends in order; `npm run crash` takes their number. */
const rounds = sized({ quick: 2, long: 6 })

test("a killed server keeps each acknowledged sample as often as sent, nothing else", async (t) => {
  const nowMs = Date.now()
  const seed = runSeed
  t.diagnostic(`seed ${seed}`)
  await crashRun({ rounds, seed, nowMs, tell: (line) => t.diagnostic(line) })
})
