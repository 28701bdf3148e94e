import { test } from "node:test"
import { crashRun } from "./crash-run.ts"

/** With the kills at named points a hundred; `npm run crash` takes their number. */
const rounds = 4

test("a killed server keeps each acknowledged sample as often as sent, nothing else", async (t) => {
  const nowMs = Date.now()
  const seed = nowMs >>> 0
  t.diagnostic(`seed ${seed}`)
  await crashRun({ rounds, seed, nowMs, tell: (line) => t.diagnostic(line) })
})
