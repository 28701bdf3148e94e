/**
 * Long simulations of a service against a model: `node --import tsx bench/faults/service.ts
 * [--seeds 20] [--hours 200] [--from S]`. The same as the test of the suite.
 */

import { simulateService } from "../../test/simulation/simulate-service.ts"
import { runSeeds } from "./seeds.ts"

await runSeeds(async (seed, hours) => {
  const { cycles, restarts, events, incidents } = await simulateService(seed, hours)
  return `${cycles} cycles, ${restarts} restarts, ${events} events, ${incidents} incidents`
})
