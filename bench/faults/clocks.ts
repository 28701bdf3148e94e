/**
 * Clocks that are wrong for a while: `node --import tsx bench/faults/clocks.ts [--rounds 1]`. Two
 * hours, a day and a year, ahead and back, while the service runs and across restarts. The same as
 * the test of the suite. Steps that fail are printed, and the others continue.
 */

import { parseArgs } from "node:util"
import { allClockSteps, runClockSteps } from "../../test/simulation/clock-steps.ts"

const { values } = parseArgs({ options: { rounds: { type: "string", default: "1" } } })
const rounds = Number(values.rounds)

let failed = 0
for (let round = 0; round < rounds; round++) {
  for (const steps of allClockSteps) {
    try {
      await runClockSteps(steps)
      console.log(JSON.stringify(steps))
    } catch (error) {
      failed++
      console.error((error as Error).message)
    }
  }
}
console.log(`${rounds * allClockSteps.length} runs, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
