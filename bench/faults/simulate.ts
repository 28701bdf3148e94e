/**
 * A long simulation: `node --import tsx bench/faults/simulate.ts [--seeds 1000000] [--from S]`. The
 * same as the test of the suite. A seed that fails is printed, and the others continue.
 */

import { parseArgs } from "node:util"
import { simulate } from "../../test/simulation/simulate.ts"

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "1000000" }, from: { type: "string" } },
})
const seeds = Number(values.seeds)
const from = Number(values.from ?? Date.now() % 1_000_000_000)
const seedsPerLine = 1_000

console.log(`seeds ${from} to ${from + seeds - 1}`)
const failed: number[] = []
for (let seed = from; seed < from + seeds; seed++) {
  try {
    await simulate(seed)
  } catch (error) {
    failed.push(seed)
    console.error((error as Error).message)
  }
  if ((seed - from + 1) % seedsPerLine === 0) console.log(`${seed - from + 1} seeds`)
}
console.log(`${seeds} seeds, ${failed.length} failed ${failed.slice(0, 20).join(" ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
