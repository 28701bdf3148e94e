/**
 * A long run of kills at points: `node --import tsx bench/faults/kill-points.ts [--rounds 2000]
 * [--from S]`. The same as the test of the suite; `crash.ts` kills at random times.
 */

import { parseArgs } from "node:util"
import { killAtPoints } from "../../test/process/kill-points-run.ts"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "2000" }, from: { type: "string" } },
})
const roundsPerSeed = 50
const seeds = Math.ceil(Number(values.rounds) / roundsPerSeed)
const from = Number(values.from ?? Date.now() % 1_000_000_000)

console.log(`${seeds * roundsPerSeed} rounds, seeds ${from} to ${from + seeds - 1}`)
const reached = new Set<string>()
for (let seed = from; seed < from + seeds; seed++) {
  const tell = (): void => {}
  for (const point of await killAtPoints({ rounds: roundsPerSeed, seed, tell })) reached.add(point)
  console.log(`seed ${seed}: nothing lost, ${reached.size} points so far`)
}
