/** Long simulations of one seed after the other: `[--seeds 20] [--hours 200] [--from S]`. */

import { parseArgs } from "node:util"

/**
 * Simulates hours of each seed of the command line, and prints what `simulate` says about it. A
 * seed that fails is printed, and the others continue.
 */
export async function runSeeds(
  simulate: (seed: number, hours: number) => Promise<string>,
): Promise<void> {
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
      console.log(`seed ${seed}: ${await simulate(seed, hours)}`)
    } catch (error) {
      failed.push(seed)
      console.error((error as Error).message)
    }
  }
  console.log(`${seeds} seeds, ${failed.length} failed ${failed.join(" ")}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
