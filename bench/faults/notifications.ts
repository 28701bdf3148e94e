/**
 * Long simulations of a receiver that never accepts one message in ten (4xx and 5xx), is down for
 * hours, and of a clock that jumps: `node --import tsx bench/faults/notifications.ts [--seeds 20]
 * [--hours 200] [--from S]`. The same as the test of the suite.
 */

import { simulateReceiver } from "../../test/notify/simulate-receiver.ts"
import { runSeeds } from "./seeds.ts"

await runSeeds(async (seed, hours) => {
  const { messages, refused, failing, attempts } = await simulateReceiver(seed, hours)
  const bad = `${refused} refused, ${failing} that always fail`
  return `${messages} messages, ${bad}, ${attempts} attempts`
})
