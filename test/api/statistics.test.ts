/** GET and POST /metrics/statistics (spec/statistics §2): every parameter and every rollup. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { cycleMs, cyclesPerDay, dayMs, hourMs } from "../../src/model/resolution.ts"
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
    { id: "web-4", samples: [{ metricId: "recent", timestamp: nowMs - 90_000, val: 4 }] },
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

test("times are read as milliseconds, ISO 8601 with a zone, or a day", async () => {
  const f = async (startTime: string, endTime: string) => {
    const { timeSpan } = await statistics(client(), { fqn: "cpu", startTime, endTime })
    assert.equal(Date.parse(timeSpan.startTime), dayStartMs)
    assert.equal(timeSpan.duration["seconds"], dayMs / 1000)
    assert.deepEqual(timeSpan.duration["units"], ["SECONDS", "NANOS"])
  }
  const [start, end] = [dayStartMs, dayStartMs + dayMs].map((ms) => new Date(ms).toISOString())

  await f(String(dayStartMs), String(dayStartMs + dayMs))
  await f(start!, end!)
  await f(start!.replace(".000Z", "+0000"), end!.replace(":00.000Z", "Z"))
  await f(start!.slice(0, 10).replaceAll("-", ""), end!.slice(0, 10).replaceAll("-", ""))
})

test("duration wins over start and end, ends now, and reaches back two weeks at most", async () => {
  const both = { fqn: "recent", duration: "PT1H", rollup: "ZERO" }
  const { metrics, timeSpan } = await statistics(client(), { ...dayWindow, ...both })
  assert.equal(metrics.length, 1)
  assert.equal(timeSpan.duration["seconds"], 3600)
  assert.ok(Math.abs(Date.parse(timeSpan.endTime) - Date.now()) < 60_000)
  const f = async (duration: string, status: number) => {
    const reply = await client().get("/metrics/statistics", { fqn: "recent", duration })
    assert.equal(reply.status, status, duration)
  }

  await f("P14D", 200)
  await f("P2W", 200)
  await f("pt30m", 200)
  await f("PT336H", 200)
  await f("P14DT1S", 400)
  await f("P15D", 400)
  await f("an hour", 400)
})

test("without a window it is the last hour, and its ends are cut to seconds", async () => {
  const { metrics, timeSpan } = await statistics(client(), { fqn: "recent", rollup: "ZERO" })
  assert.equal(metrics.length, 1)
  assert.equal(timeSpan.duration["seconds"], hourMs / 1000)
  assert.match(timeSpan.startTime, /:\d\dZ$/)
})

test("an unknown name gives no metrics, and a metric without values is left out", async () => {
  const unknown = await statistics(client(), { ...dayWindow, fqn: "nobody.has.this" })
  assert.deepEqual(unknown.metrics, [])
  assert.equal(unknown.metricFqn, "nobody.has.this")
  assert.deepEqual((await statistics(client(), { ...dayWindow, fqn: "recent" })).metrics, [])
})

test("a POST names the elements, by id or FQN; unknown ones are left out", async () => {
  const { id } = (await element(client(), "web-2"))!
  const f = async (body: unknown, want: number) => {
    const reply = await client().post("/metrics/statistics", body, { ...dayWindow, fqn: "cpu" })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.json<{ metrics: unknown[] }>().metrics.length, want)
  }

  await f([id], 1)
  await f([id.toUpperCase(), id], 1)
  await f(["web-1", id], 2)
  await f(["web-1", "web-9", "00000000-0000-3000-8000-000000000000"], 1)
  await f([], 0)
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
