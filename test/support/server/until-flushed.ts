/** Waits for the server's background work, by its own metrics. */

import { setTimeout as wait } from "node:timers/promises"
import type { Client } from "./client.ts"

const flushMsMax = 30_000

/** Resolves when every sample of a past cycle is rolled up: none may be of the cycle that runs. */
export async function untilFlushed(client: Client): Promise<void> {
  const untilMs = performance.now() + flushMsMax
  while (performance.now() < untilMs) {
    const { text } = await client.get("/metrics/internal")
    if (/^tidegauge_unflushed_samples 0$/m.test(text)) return
    await wait(20)
  }
  throw new Error(`Expected all samples to be rolled up within ${flushMsMax / 1000} s`)
}
