/** A counter over HTTP: its increases are served, through a restart of it and a late sample. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { hourMs } from "../../src/model/resolution.ts"
import { samples, statistics } from "../support/server/responses.ts"
import type { Client } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount({ prepare })
const cycleMs = 300_000
const hourStartMs = Math.floor(Date.now() / hourMs) * hourMs - 5 * hourMs
const window = { startTime: hourStartMs, endTime: hourStartMs + hourMs }

/** Values per cycle; the counter restarts before the fourth and twice within the last. */
const sent = [
  [100, 110],
  [120, 150],
  [150, 150],
  [5, 30],
  [31, 42, 0, 10, 4],
]

async function prepare(ready: Client): Promise<void> {
  await post(
    ready,
    sent.flatMap((values, cycle) =>
      values.map((val, i) => ({ timestamp: hourStartMs + cycle * cycleMs + i * 60_000, val })),
    ),
  )
}

async function post(to: Client, samples: readonly { timestamp: number; val: number }[]) {
  const metrics = ["requests", "load"].map((id) => ({
    id,
    type: id === "requests" ? "Counter" : "GAUGE",
  }))
  const all = metrics.flatMap(({ id }) => samples.map((one) => ({ metricId: id, ...one })))
  const reply = await to.ingest([{ id: "router", type: "SERVER", metrics, samples: all }])
  assert.equal(reply.status, 202, reply.text)
}

async function increases(fqn = "requests"): Promise<readonly number[]> {
  const { metrics } = await statistics(client(), { ...window, fqn, showValues: true })
  return metrics[0]!.data!
}

function records(rollup: string) {
  return samples(client(), { element: "router", metric: "requests" }, { ...window, rollup })
}

test("the actual of a counter is its increase over the cycle; a fall is a restart", async () => {
  assert.deepEqual(await increases(), [40, 0, 30, 26])
  const { metrics } = await statistics(client(), { ...window, fqn: "requests" })
  const { count, sum, avg, max } = metrics[0]!.statistics
  assert.deepEqual({ count, sum, avg, max }, { count: 4, sum: 96, avg: 24, max: 40 })
})

test("samples show the increase and the sent value; the first cycle has no increase", async () => {
  const cycles = await records("PT5M")
  assert.deepEqual(
    cycles.map(({ data }) => data["actual"]),
    [undefined, 40, 0, 30, 26],
  )
  assert.deepEqual(
    cycles.map(({ data }) => data["max"]),
    [110, 150, 150, 30, 42],
  )
  assert.deepEqual(
    (await records("ZERO")).map(({ data }) => data["val"]),
    sent.flat(),
  )
  assert.deepEqual(
    (await records("PT1H")).map(({ data }) => data["actual"]),
    [24],
  )
})

test("a metric that is no counter has its average", async () => {
  assert.deepEqual(await increases("load"), [105, 135, 150, 17.5, 17.4])
})

test("a late sample corrects its cycle and the one after it", async () => {
  await post(client(), [{ timestamp: hourStartMs + cycleMs + 120_000, val: 170 }])
  assert.deepEqual(await increases(), [60, 150, 30, 26])
  await post(client(), [{ timestamp: hourStartMs + 2 * cycleMs + 120_000, val: 180 }])
  assert.deepEqual(await increases(), [60, 180, 30, 26])
})
