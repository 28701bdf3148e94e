import { test } from "node:test"
import { runSeed } from "../support/run/seed.ts"
import { sized } from "../support/run/sizes.ts"
import { simulate } from "./simulate.ts"

/** `bench/faults/simulate.ts` runs a million. */
const seeds = sized({ quick: 15, long: 100 })

test("the store and a model of a hundred lines agree for every seed", async (t) => {
  const from = runSeed % 1_000_000_000
  t.diagnostic(`seeds ${from} to ${from + seeds - 1}`)
  for (let seed = from; seed < from + seeds; seed++) await simulate(seed)
})
