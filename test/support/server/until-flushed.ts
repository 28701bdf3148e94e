/** Waits for the server's background work, by its own metrics. */

import { eventually } from "../time/eventually.ts"
import type { Client } from "./client.ts"

/** Resolves when every sample of a past cycle is rolled up: none may be of the cycle that runs. */
export async function untilFlushed(client: Client): Promise<void> {
  const figures = async () => (await client.get("/metrics/internal")).text
  await eventually(async () => /^tidegauge_unflushed_samples 0$/m.test(await figures()))
}
