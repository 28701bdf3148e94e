import { test } from "node:test"
import { simulate } from "./simulate.ts"

/** As many as fit into some seconds; `bench/faults/simulate.ts` runs a million. */
const seeds = 60

test("the store and a model of a hundred lines agree for every seed", async (t) => {
  const from = Date.now() % 1_000_000_000
  t.diagnostic(`seeds ${from} to ${from + seeds - 1}`)
  for (let seed = from; seed < from + seeds; seed++) await simulate(seed)
})
