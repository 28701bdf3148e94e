import { test } from "node:test"
import { runSeed } from "../support/run/seed.ts"
import { sized } from "../support/run/sizes.ts"
import { simulateService } from "./simulate-service.ts"

/** `bench/faults/service.ts` runs twenty of 200 hours. */
const seeds = sized({ quick: 1, long: 4 })
const hours = 5

test("a service and a model of arrays agree for every seed", async (t) => {
  const from = runSeed % 1_000_000_000
  const replay = `bench/faults/service.ts --seeds ${seeds} --from ${from} --hours ${hours}`
  t.diagnostic(`seeds ${from} to ${from + seeds - 1}; again with ${replay}`)
  for (let seed = from; seed < from + seeds; seed++) await simulateService(seed, hours)
})
