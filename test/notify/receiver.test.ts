import { test } from "node:test"
import { runSeed } from "../support/run/seed.ts"
import { sized } from "../support/run/sizes.ts"
import { simulateReceiver } from "./simulate-receiver.ts"

/** `bench/faults/notifications.ts` runs more. */
const seeds = sized({ quick: 2, long: 10 })
const hours = sized({ quick: 24, long: 100 })

test("a receiver that never accepts one message in ten gets all others, in order", async (t) => {
  const from = runSeed % 1_000_000_000
  const replay = `bench/faults/notifications.ts --seeds ${seeds} --from ${from} --hours ${hours}`
  t.diagnostic(`seeds ${from} to ${from + seeds - 1}; again with ${replay}`)
  for (let seed = from; seed < from + seeds; seed++) await simulateReceiver(seed, hours)
})
