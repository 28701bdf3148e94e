/** Waits for a condition by asking again and again. */

import { setTimeout as wait } from "node:timers/promises"

/** A machine that runs many tests concurrently is slow. */
const turnsMax = 3_000

export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < turnsMax; turn++) {
    if (await condition()) return
    await wait(10)
  }
  throw new Error("Expected the condition to come true")
}
