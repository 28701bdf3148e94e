/** GET and POST /metrics/statistics (spec/statistics §2): every parameter and every rollup. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { cycleMs, cyclesPerDay, dayMs } from "../../src/model/resolution.ts"
import { element, errorOf, statistics } from "../support/server/responses.ts"
import type { Client, QueryParams } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount({ prepare })
const nowMs = Date.now()
const dayStartMs = Math.floor(nowMs / dayMs) * dayMs - 2 * dayMs
const dayWindow = { startTime: dayStartMs, endTime: dayStartMs + dayMs }

/** 288 values of which the 95th percentile is documented: 0.45 · 1/20 + 0.55 · 2/21. */
const documented = Array.from({ length: cyclesPerDay }, (_, i) => {
  if (i < 273) return 0
  if (i === 273) return 1 / 20
  return i === 274 ? 2 / 21 : 1
})

async function prepare(ready: Client): Promise<void> {
  const points = (metricId: string, values: readonly number[], stepMs: number) =>
    values.map((val, i) => ({ metricId, timestamp: dayStartMs + i * stepMs, val }))
  const elements = [
    { id: "web-1", samples: points("cpu", [...documented].reverse(), cycleMs) },
    { id: "web-2", samples: points("cpu", [1, 2, 3, 4], 60_000) },
    { id: "web-3", samples: points("one", [7], 1) },
  ]
  const reply = await ready.ingest(elements.map((one) => ({ type: "SERVER", ...one })))
  assert.equal(reply.status, 202, reply.text)
}

async function one(params: QueryParams, id = "web-1") {
  const { metrics } = await statistics(client(), { ...dayWindow, fqn: "cpu", ...params })
  const { id: elementId } = (await element(client(), id))!
  return metrics.find((metric) => metric.elementId === elementId)
}

test("a full day of PT5M counts 288, and its 95th percentile is the documented one", async () => {
  const figures = (await one({}))!.statistics
  assert.equal(figures["count"], cyclesPerDay)
  assert.equal(figures["percentile95"], 0.0748809523809529)
  assert.equal(figures["min"], 0)
  assert.equal(figures["max"], 1)
  const names = "avg count max median min percentile25 percentile5 percentile75 percentile95"
  assert.deepEqual(Object.keys(figures).sort(), `${names} stddev sum`.split(" "))
})

test("each rollup is a population of its own; the default is PT5M", async () => {
  const f = async (rollup: QueryParams[string], count: number, sum: number) => {
    const figures = (await one({ rollup }, "web-2"))!.statistics
    assert.equal(figures["count"], count)
    assert.equal(figures["sum"], sum)
    assert.equal(figures["avg"], sum / count)
  }

  await f("ZERO", 4, 10)
  await f("PT5M", 1, 2.5)
  await f("PT1H", 1, 2.5)
  await f("PT24H", 1, 2.5)
  await f(["ZERO", "PT5M"], 4, 10)
  await f("zero", 4, 10)
  await f("", 1, 2.5)
})

test("the deviation is that of a sample, and 0 of a single value", async () => {
  const raw = (await one({ rollup: "ZERO" }, "web-2"))!.statistics
  assert.ok(Math.abs(raw["stddev"]! - Math.sqrt(5 / 3)) < 1e-12)
  assert.equal(raw["median"], 2.5)
  assert.equal(raw["percentile25"], 1.25)
  const single = (await one({ rollup: "ZERO", fqn: "one" }, "web-3"))!.statistics
  for (const name of ["avg", "min", "max", "median", "percentile5", "percentile95"]) {
    assert.equal(single[name], 7, name)
  }
  assert.equal(single["stddev"], 0)
})

test("showValues adds the values in time order, showTimestamps their instants", async () => {
  const bare = await one({ rollup: "ZERO" }, "web-2")
  assert.deepEqual(Object.keys(bare!).sort(), ["elementId", "metricId", "statistics"])
  const full = await one({ rollup: "ZERO", showValues: true, showTimestamps: true }, "web-2")
  assert.deepEqual(full!.data, [1, 2, 3, 4])
  assert.deepEqual(
    full!.timestamps,
    [0, 1, 2, 3].map((i) => new Date(dayStartMs + i * 60_000).toISOString()),
  )
  assert.equal((await one({ showValues: "false" }, "web-2"))!.data, undefined)
})

test("the window is half-open: its start belongs to it, its end does not", async () => {
  const f = async (startTime: number, endTime: number, want: number[]) => {
    const found = await one({ rollup: "ZERO", startTime, endTime, showValues: true }, "web-2")
    assert.deepEqual(found?.data ?? [], want)
  }

  await f(dayStartMs, dayStartMs + 60_000, [1])
  await f(dayStartMs, dayStartMs + 60_001, [1, 2])
  await f(dayStartMs + 1, dayStartMs + 120_000, [2])
  await f(dayStartMs, dayStartMs, [])
})

test("invalid input is a 400 that names the parameter", async () => {
  const f = async (params: QueryParams, want: RegExp) => {
    const reply = await client().get("/metrics/statistics", params)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors.join("\n"), want)
  }

  await f({}, /fqn/)
  await f({ fqn: "cpu", rollup: "PT7M" }, /rollup.*PT7M/)
  await f({ fqn: "cpu", startTime: "2026-11-20T10:00:00" }, /startTime/)
  await f({ fqn: "cpu", startTime: nowMs, endTime: nowMs - 1 }, /startTime/)
  await f({ fqn: "cpu", showValues: "perhaps" }, /showValues/)
  const reply = await client().post("/metrics/statistics", { not: "an array" }, { fqn: "cpu" })
  assert.equal(reply.status, 400)
})
