/** Waits for the server's background work, by its own metrics. */

import { setTimeout as wait } from "node:timers/promises"
import type { Client } from "./client.ts"

const foldMsMax = 30_000

/** Resolves when every sample of a past cycle is rolled up: none may be of the cycle that runs. */
export async function untilFolded(client: Client): Promise<void> {
  const untilMs = performance.now() + foldMsMax
  while (performance.now() < untilMs) {
    const { text } = await client.get("/metrics/internal")
    if (/^tidegauge_open_samples 0$/m.test(text)) return
    await wait(20)
  }
  throw new Error(`Expected all samples to be rolled up within ${foldMsMax / 1000} s`)
}
