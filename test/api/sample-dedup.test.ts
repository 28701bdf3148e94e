/**
 * Deduplication of samples (spec/samples §1): multiset union, retries, late samples.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { samples, statistics } from "../support/server/responses.ts"
import type { MetricStatistics } from "../support/server/responses.ts"
import { untilFlushed } from "../support/server/until-flushed.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount()
/** Midnight of a day that is over, and its window. */
const dayStartMs = Math.floor(Date.now() / dayMs) * dayMs - 3 * dayMs
const window = { startTime: dayStartMs, endTime: dayStartMs + dayMs }
const tenMs = dayStartMs + 10 * hourMs

type Fields = Readonly<Record<string, number>>

/** One request with samples of the metric `fqn` of `host`, each at an instant. */
async function post(fqn: string, points: readonly (readonly [number, Fields])[], type = "") {
  const list = points.map(([timestamp, fields]) => ({ metricId: fqn, timestamp, ...fields }))
  const reply = await client().ingest([
    { id: "host", type: "SERVER", metrics: [{ id: fqn, type }], samples: list },
  ])
  assert.equal(reply.status, 202, reply.text)
}

async function read(fqn: string, rollup: string): Promise<MetricStatistics> {
  const params = { ...window, fqn, rollup, showValues: true, showTimestamps: true }
  const { metrics } = await statistics(client(), params)
  assert.equal(metrics.length, 1)
  return metrics[0]!
}

async function countOf(fqn: string): Promise<number> {
  return (await read(fqn, "ZERO")).statistics["count"]!
}

test("two samples of one request count twice, also with equal values", async () => {
  await post("twice", [
    [tenMs, { val: 5 }],
    [tenMs, { val: 5 }],
    [tenMs, { val: 7 }],
  ])
  const { statistics: figures, data } = await read("twice", "ZERO")
  assert.equal(figures["count"], 3)
  assert.equal(figures["sum"], 17)
  assert.deepEqual(data, [5, 5, 7])
})

test("the same request again changes nothing, also after the flush", async () => {
  const points = [
    [tenMs, { val: 5 }],
    [tenMs, { val: 5 }],
    [tenMs + 1, { min: 1, max: 3, avg: 2, cnt: 2, sum: 4 }],
  ] as const
  await post("again", points)
  const rollups = ["ZERO", "PT5M", "PT1H", "PT24H"]
  const before = await Promise.all(rollups.map((rollup) => read("again", rollup)))
  await post("again", points)
  assert.deepEqual(await Promise.all(rollups.map((rollup) => read("again", rollup))), before)
  await untilFlushed(client())
  await post("again", points)
  await post("again", points.slice(1))
  assert.deepEqual(await Promise.all(rollups.map((rollup) => read("again", rollup))), before)
})

test("requests merge as a multiset union: the larger multiplicity counts", async () => {
  const five = [tenMs, { val: 5 }] as const
  await post("union", [five])
  await post("union", [five, five])
  assert.equal(await countOf("union"), 2)
  await post("union", [five, five, five])
  await post("union", [five])
  assert.equal(await countOf("union"), 3)
  await post("union", [[tenMs, { val: 6 }]])
  assert.equal(await countOf("union"), 4)
})

test("two elements of one request with one id are one multiset", async () => {
  const one = { id: "twin", type: "T", samples: [{ metricId: "m", timestamp: tenMs, val: 1 }] }
  assert.equal((await client().ingest([one, one])).status, 202)
  const of = { element: "twin", metric: "m" }
  assert.equal((await samples(client(), of, { ...window, rollup: "ZERO" })).length, 2)
})

test("a late sample corrects PT5M, PT1H and PT24H, before and after the flush", async () => {
  const first = [
    [tenMs, { val: 10 }],
    [tenMs + hourMs, { val: 30 }],
  ] as const
  const f = async (wantCycles: number[], wantHours: number[], wantDay: number) => {
    assert.deepEqual((await read("late", "PT5M")).data, wantCycles)
    assert.deepEqual((await read("late", "PT1H")).data, wantHours)
    assert.deepEqual((await read("late", "PT24H")).data, [wantDay])
  }

  await post("late", first)
  await f([10, 30], [10, 30], 20)
  await untilFlushed(client())
  await f([10, 30], [10, 30], 20)
  await post("late", [[tenMs + 1, { val: 20 }]])
  await f([15, 30], [15, 30], 22.5)
  await untilFlushed(client())
  await f([15, 30], [15, 30], 22.5)
  await post("late", [[tenMs + 300_000, { val: 45 }]])
  await f([15, 45, 30], [30, 30], 30)
})

test("buckets are labelled by their start and hold [start, start + width)", async () => {
  await post("grid", [
    [tenMs - 1, { val: 1 }],
    [tenMs, { val: 2 }],
    [tenMs + 299_999, { val: 4 }],
    [tenMs + 300_000, { val: 8 }],
  ])
  const iso = (ms: number) => new Date(ms).toISOString()
  const { data, timestamps } = await read("grid", "PT5M")
  assert.deepEqual(data, [1, 3, 8])
  assert.deepEqual(timestamps, [tenMs - 300_000, tenMs, tenMs + 300_000].map(iso))
  assert.deepEqual((await read("grid", "PT1H")).timestamps, [tenMs - hourMs, tenMs].map(iso))
  assert.deepEqual((await read("grid", "PT24H")).timestamps, [iso(dayStartMs)])
})

test("an aggregate contributes its count, sum, min and max, in each of its forms", async () => {
  const f = async (fields: Fields, want: Fields) => {
    const fqn = `aggregate.${Object.entries(fields).flat().join(".")}`
    await post(fqn, [[tenMs, fields]])
    const { statistics: figures } = await read(fqn, "ZERO")
    for (const [name, value] of Object.entries(want))
      assert.equal(figures[name], value, `${fqn} ${name}`)
  }

  await f(
    { min: 1, max: 9, avg: 4, cnt: 3, sum: 12 },
    { count: 3, sum: 12, min: 1, max: 9, avg: 4 },
  )
  await f({ val: 99, min: 1, max: 9, avg: 4, cnt: 3, sum: 12 }, { count: 3, sum: 12, max: 9 })
  await f({ avg: 4, cnt: 3 }, { count: 3, sum: 12, min: 4, max: 4 })
  await f({ val: 5, cnt: 2 }, { count: 2, sum: 10 })
  await f({ val: 5, min: 1, max: 9 }, { count: 1, sum: 5, min: 1, max: 9 })
  await f({ avg: 4 }, { count: 1, sum: 4 })
  await f({ sum: 12 }, { count: 1, sum: 12 })
})

test("a counter is recorded as such, and its raw values stay as they were sent", async () => {
  const cycles = [100, 130, 190, 20, 25]
  const points = cycles.map((val, i) => [tenMs + i * 300_000, { val }] as const)
  await post("counter", points, "COUNTER")
  assert.deepEqual((await read("counter", "ZERO")).data, cycles)
  await untilFlushed(client())
  assert.deepEqual((await read("counter", "ZERO")).data, cycles)
})

test("any order and grouping of requests gives the same answers", async () => {
  const points = Array.from({ length: 60 }, (_, i) => {
    return [tenMs + ((i * 7919) % 60) * 61_000, { val: (i * 31) % 17 }] as const
  })
  await post("order-a", points)
  for (const point of points.toReversed()) await post("order-b", [point])
  for (const rollup of ["ZERO", "PT5M", "PT1H", "PT24H"]) {
    const [a, b] = [await read("order-a", rollup), await read("order-b", rollup)]
    assert.deepEqual(a.statistics, b.statistics)
    assert.deepEqual(a.data, b.data)
  }
})
