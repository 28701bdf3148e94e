import { test } from "node:test"
import { simulateService } from "./service-story.ts"

/**
 * As many as fit into some seconds, and the same each time; `bench/faults/service.ts` runs others,
 * twenty of 200 hours. Known to differ: seed 279581590, where after a jump of the clock and an
 * outage the ticker stands eight cycles further than the model.
 */
const from = 1
const seeds = 3
const hours = 5

test("a service and a model of arrays find the same through every story", async (t) => {
  t.diagnostic(`seeds ${from} to ${from + seeds - 1}`)
  for (let seed = from; seed < from + seeds; seed++) await simulateService(seed, hours)
})
