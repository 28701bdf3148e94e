/**
 * A long crash run: `node --import tsx bench/faults/crash.ts [rounds] [seed]`. The same as the test
 * of the suite, for as many rounds as one likes.
 */

import { removeFolder } from "../../test/support/folder.ts"
import { buildBundle } from "../../test/support/server.ts"
import { crashRun } from "../../test/process/crash-run.ts"

const [roundsText = "300", seedText] = process.argv.slice(2)
const nowMs = Date.now()
const seed = Number(seedText ?? nowMs) >>> 0
const bundle = buildBundle()

console.log(`${roundsText} rounds, seed ${seed}`)
try {
  await crashRun({
    program: bundle.program,
    rounds: Number(roundsText),
    seed,
    nowMs,
    tell: (line) => console.log(line),
  })
} finally {
  removeFolder(bundle.folder)
}
