/** Read your writes: after a 202 the next request reads the sample, during any maintenance. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { dayMs } from "../../src/model/resolution.ts"
import { samples, statistics } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"
import { sized } from "../support/run/sizes.ts"

const client = useAccount()
const nowMs = Date.now()
const rounds = sized({ quick: 40, long: 400 })

test("a read after a 202 holds the sample, of today and of days before", async () => {
  const sent: number[] = []
  for (let i = 0; i < rounds; i++) {
    // Every third is of a past day, so flushes and compactions run between the requests.
    const timestamp = nowMs - (i % 3 === 0 ? 2 * dayMs : 0) - i * 1000
    const reply = await client().ingest([
      { id: "own", type: "T", samples: [{ metricId: "m", timestamp, val: i }] },
    ])
    assert.equal(reply.status, 202)
    sent.push(i)
    const window = { startTime: nowMs - 4 * dayMs, endTime: nowMs + 1 }
    const { metrics } = await statistics(client(), { ...window, fqn: "m", rollup: "ZERO" })
    const figures = metrics[0]!.statistics
    assert.equal(figures["count"], sent.length)
    assert.equal(figures["sum"], (i * (i + 1)) / 2)
  }
})

test("concurrent writers of many elements each read their own samples", async () => {
  const worker = async (name: number) => {
    for (let i = 0; i < 25; i++) {
      const timestamp = nowMs - (i % 2) * 3 * dayMs - i * 300_000
      const id = `worker-${name}`
      const point = { metricId: `worker.m${i % 5}`, timestamp, val: i }
      assert.equal((await client().ingest([{ id, type: "T", samples: [point] }])).status, 202)
      const of = { element: id, metric: point.metricId }
      const around = { startTime: timestamp, endTime: timestamp + 1 }
      const raw = await samples(client(), of, { rollup: "ZERO", ...around })
      assert.deepEqual(
        raw.map(({ data }) => data["val"]),
        [i],
      )
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, name) => worker(name)))
})
