/**
 * A long crash run: `node --import tsx bench/faults/crash.ts [rounds] [seed]`. The same as the test
 * of the suite, for any number of rounds.
 */

import { crashRun } from "../../test/process/crash-run.ts"

const [roundsText = "300", seedText] = process.argv.slice(2)
const nowMs = Date.now()
const seed = Number(seedText ?? nowMs) >>> 0

console.log(`${roundsText} rounds, seed ${seed}`)
const tell = (line: string): void => console.log(line)
await crashRun({ rounds: Number(roundsText), seed, nowMs, tell })
