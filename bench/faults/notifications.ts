/**
 * Long simulations of a receiver that never accepts one message in ten (4xx and 5xx), is down for
 * hours, and of a clock that jumps: `node --import tsx bench/faults/notifications.ts [--seeds 20]
 * [--hours 200] [--from S]`. The same as the test of the suite; a seed that fails is printed, and
 * the others continue.
 */

import { parseArgs } from "node:util"
import { simulateReceiver } from "../../test/notify/simulate-receiver.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    hours: { type: "string", default: "200" },
    from: { type: "string" },
  },
})
const seeds = Number(values.seeds)
const hours = Number(values.hours)
const from = Number(values.from ?? Date.now() % 1_000_000_000)

console.log(`seeds ${from} to ${from + seeds - 1}, ${hours} hours each`)
const failed: number[] = []
for (let seed = from; seed < from + seeds; seed++) {
  try {
    const { messages, refused, failing, attempts } = await simulateReceiver(seed, hours)
    const bad = `${refused} refused, ${failing} that always fail`
    console.log(`seed ${seed}: ${messages} messages, ${bad}, ${attempts} attempts`)
  } catch (error) {
    failed.push(seed)
    console.error((error as Error).message)
  }
}
console.log(`${seeds} seeds, ${failed.length} failed ${failed.join(" ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
