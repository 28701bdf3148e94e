import assert from "node:assert/strict"
import { test } from "node:test"
import { killAtPoints } from "./kill-points-run.ts"
import { killPoints } from "./kill-points-plan.ts"
import { runSeed } from "../support/run/seed.ts"
import { isLongRun, sized } from "../support/run/sizes.ts"

/** Each round is at the next point; `npm run faults` makes more. Two stores at a time. */
const roundsEach = sized({ quick: 4, long: 20 })
const stores = 2

test("killed at any named point, a store keeps what was acknowledged, nothing else", async (t) => {
  const seed = runSeed % 1_000_000_000
  t.diagnostic(`seeds ${seed} to ${seed + stores - 1}`)
  const runs = Array.from({ length: stores }, (_, i) => {
    const tell = (line: string): void => t.diagnostic(`${seed + i * 10} ${line}`)
    return killAtPoints({ rounds: roundsEach, seed: seed + i * 10, tell })
  })
  const reached = new Set((await Promise.all(runs)).flatMap((points) => [...points]))
  const missed = killPoints.filter((point) => !reached.has(point))
  if (isLongRun) assert.deepEqual(missed, [])
  else assert.equal(reached.size, stores * roundsEach)
})
