import { after, before, test } from "node:test"
import { removeFolder } from "../support/folder.ts"
import { buildBundle } from "../support/server.ts"
import type { Bundle } from "../support/server.ts"
import { crashRun } from "./crash-run.ts"

/** With the kills at named points a hundred; `npm run crash` makes as many as it is told. */
const rounds = 4
let bundle: Bundle

before(() => {
  bundle = buildBundle()
})

after(() => removeFolder(bundle.folder))

test("a killed server keeps each acknowledged sample as often as sent, nothing else", async (t) => {
  const nowMs = Date.now()
  const seed = nowMs >>> 0
  t.diagnostic(`seed ${seed}`)
  await crashRun({
    program: bundle.program,
    rounds,
    seed,
    nowMs,
    tell: (line) => t.diagnostic(line),
  })
})
