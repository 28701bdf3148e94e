/** The figures of GET `/status` are read of the shard once a second, however many ask. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Config } from "../../src/config/config.ts"
import type { ShardFigures } from "../../src/engine/shard.ts"
import { CurrentStatus } from "../../src/server/watch/current-status.ts"
import { TestClock } from "../support/time/test-clock.ts"

test("figures are a second old at most, and a failure is not kept", async () => {
  let nowMs = 0
  let reads = 0
  let fails = false
  const figures = async () => {
    reads++
    if (fails) throw new Error("no shard")
    const counts = { tenantElements: [reads], tenantSeries: [2 * reads] }
    return { ...counts, refusals: [] } as unknown as ShardFigures
  }
  const services = {
    ingestQueue: { queueBytes: 0 },
    deliveryWorker: { figures: { failingQueues: 0 } },
    scheduler: { closedUpToMs: 0 },
  }
  const status = new CurrentStatus({
    config: { clock: null } as Config,
    clock: new TestClock(0),
    shard: { figures },
    services: { value: services },
    elapsedMs: () => nowMs,
  })
  const elements = async () => (await status.figures(0)).counts.elements
  assert.deepEqual(await Promise.all([elements(), elements(), elements()]), [1, 1, 1])
  nowMs = 999
  assert.equal(await elements(), 1)
  nowMs = 1_000
  assert.equal(await elements(), 2)
  nowMs = 2_000
  fails = true
  await assert.rejects(elements(), /no shard/)
  fails = false
  assert.equal(await elements(), 4)
})
