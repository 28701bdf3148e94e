/** POST /series/query: values of many series in columns (spec/series §1). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { cycleMs, hourMs } from "../../src/model/resolution.ts"
import type { Client } from "../support/server/client.ts"
import { errorOf } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"

const nowMs = Date.now()
const startMs = Math.floor(nowMs / hourMs) * hourMs - 3 * hourMs
const client = useAccount({ prepare })

async function prepare(ready: Client): Promise<void> {
  const at = (minutes: number, val: number, metricId = "cpu") => {
    return { metricId, timestamp: startMs + minutes * 60_000, val }
  }
  const element = (id: string, type: string, samples: object[], location = "") => ({
    id,
    name: `${id} of the shop`,
    type,
    samples,
    ...(location !== "" && { location }),
    tags: [{ name: "env", value: id.endsWith("1") ? "prod" : "test" }],
    metrics: [{ id: "cpu", unit: "percent" }],
  })
  const reply = await ready.ingest([
    element("web-1", "SERVER", [at(0, 1), at(1, 3), at(5, 10), at(5, 7, "mem")], "Berlin, 2nd"),
    element("web-2", "SERVER", [at(0, 4), at(10, 6)]),
    element("db-1", "DB", [at(0, 7)]),
  ])
  assert.equal(reply.status, 202, reply.text)
}

const window = { startTime: startMs, endTime: startMs + 15 * 60_000 }
const exact = (item: string) => ({ items: [{ item, queryType: "EXACT" }] })
const part = (item: string) => ({ items: [{ item, literal: false }] })
const cpu = { metricFqns: exact("cpu") }

interface Line {
  readonly elementFqn: string | null
  readonly metricFqn: string | null
  readonly summary: Record<string, number>
  readonly values: Record<string, (number | null)[]>
}

async function lines(query: object, body: object = { ...window, rollup: "PT5M" }) {
  const queries = [{ id: "a", ...query }]
  const reply = await client().post("/series/query", { ...body, queries })
  assert.equal(reply.status, 200, reply.text)
  const [answer] = reply.json<{ queries: (object & { series: Line[]; errors: string[] })[] }>()
    .queries
  assert.deepEqual(answer!.errors, [])
  return answer!.series
}

const names = (found: readonly Line[]) => found.map(({ elementFqn }) => elementFqn).sort()

test("each series has a value a column, and a summary", async () => {
  const queries = [{ id: "cpu", filter: cpu, order: { by: "max" }, limit: 2 }]
  const reply = await client().post("/series/query", { ...window, rollup: "PT5M", queries })
  const { startTime, endTime, queries: answers } = reply.json<Record<string, never>>()
  assert.deepEqual({ startTime, endTime }, window)
  const [{ series, ...rest }] = answers as [{ series: (Line & Record<string, unknown>)[] }]
  assert.deepEqual(rest, {
    id: "cpu",
    status: "ok",
    errors: [],
    rollup: "PT5M",
    columns: { start: startMs, step: cycleMs, count: 3 },
    matched: 3,
    shown: 2,
    isPartial: false,
    unit: "percent",
  })
  const [first, second] = series
  const { elementId: _, metricId: __, ...shown } = first!
  assert.deepEqual(shown, {
    elementFqn: "web-1",
    elementName: "web-1 of the shop",
    elementType: "SERVER",
    metricFqn: "cpu",
    unit: "percent",
    group: null,
    isCounter: false,
    summary: {
      min: 2,
      avg: 6,
      max: 10,
      last: 10,
      lastTime: startMs + cycleMs,
      sum: 12,
      count: 2,
      p95: 10,
    },
    values: { actual: [2, 10, null], low: [2, 10, null], high: [2, 10, null] },
  })
  assert.equal(second!.elementFqn, "db-1")
})

test("one wide column keeps the least and the greatest of its buckets", async () => {
  const [line] = await lines(
    { filter: { ...cpu, elementFqns: exact("web-1") } },
    {
      startTime: startMs,
      endTime: startMs + hourMs,
      width: 1,
      rollup: "PT5M",
    },
  )
  assert.deepEqual(line!.values, { actual: [6], low: [2], high: [10] })
})

test("filters have part of name or FQN, place, tag, collector and unit", async () => {
  const f = async (filter: object, want: string[]) => {
    const found = await lines({ filter: { ...cpu, ...filter } })
    assert.deepEqual(names(found), want, JSON.stringify(filter))
  }
  await f({ elementTexts: part("WEB") }, ["web-1", "web-2"])
  await f({ elementTexts: part("1 of the SHOP") }, ["db-1", "web-1"])
  const excluded = { items: [{ item: "web", literal: false, contains: false }] }
  await f({ elementTexts: excluded }, ["db-1"])
  await f({ elementTexts: { items: [{ item: "^(web-2|db-1 of)", queryType: "REGEX" }] } }, [
    "db-1",
    "web-2",
  ])
  await f({ elementLocations: exact("Berlin, 2nd") }, ["web-1"])
  await f({ elementLocations: part("berlin") }, ["web-1"])
  await f({ elementTags: { items: [{ key: "env", value: "" }] } }, ["db-1", "web-1", "web-2"])
  await f({ elementTags: { items: [{ key: "other", value: "" }] } }, [])
  await f({ collectorNames: part("custom") }, ["db-1", "web-1", "web-2"])
  await f({ metricUnits: exact("percent") }, ["db-1", "web-1", "web-2"])
  await f({ metricUnits: exact("s") }, [])
})

test("groups are one line each", async () => {
  const query = { filter: cpu, by: "type", aggregation: "sum", fields: ["actual"] }
  const found = await lines(query)
  const values = found.map((line) => [(line as Line & { group: string }).group, line.values])
  assert.deepEqual(Object.fromEntries(values), {
    SERVER: { actual: [6, 10, 6] },
    DB: { actual: [7, null, null] },
  })
})

test("a bad query is an error besides the answers of the others; a bad body is 400", async () => {
  const queries = [
    { id: "bad", filter: cpu, fields: ["p200"] },
    { id: "good", filter: cpu },
  ]
  const reply = await client().post("/series/query", { ...window, queries })
  const answers = reply.json<{ queries: { status: string; errors: string[] }[] }>().queries
  assert.deepEqual(
    answers.map(({ status }) => status),
    ["error", "ok"],
  )
  assert.match(answers[0]!.errors[0]!, /fields\[0\]: expected one of actual, /)
  const refused = await client().post("/series/query", { ...window, queries: [] })
  assert.equal(refused.status, 400)
  assert.match(errorOf(refused).errors[0]!, /queries: expected 1 to 64 queries/)
})

test("samples are there as soon as they were accepted, raw ones up to now", async () => {
  const timestamp = Date.now() - 1000
  const sample = { metricId: "fresh", timestamp, val: 3 }
  await client().ingest([{ id: "web-3", samples: [sample] }])
  const [line] = await lines({ filter: { metricFqns: exact("fresh") } }, { duration: "PT5M" })
  assert.deepEqual([line!.summary["last"], line!.summary["lastTime"]], [3, timestamp])
})

test("with Accept: text/csv the same comes as CSV", async () => {
  const send = (query: object, accept = "text/csv") => {
    const queries = [{ id: "cpu", filter: { ...cpu, elementFqns: exact("web-1") }, ...query }]
    const body = { ...window, rollup: "PT5M", queries }
    const { authorization } = client()
    return client().send("/series/query", {
      method: "POST",
      headers: { accept, authorization, "content-type": "application/json" },
      body,
    })
  }
  const reply = await send({ fields: ["actual", "p50", "cnt"] })
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.headers["content-type"], "text/csv; charset=utf-8; header=present")
  const time = (cycle: number) => new Date(startMs + cycle * cycleMs).toISOString()
  assert.deepEqual(reply.text.split("\r\n"), [
    "time,element,metric,actual,p50,cnt",
    `${time(0)},web-1,cpu,2,2,2`,
    `${time(1)},web-1,cpu,10,10,1`,
    "",
  ])
  const refused = await send({ fields: ["p200"] })
  assert.equal(refused.status, 400)
  assert.match(errorOf(refused).errors[0]!, /queries: "cpu": fields\[0\]: expected one of/)
  const json = await send({}, "application/json, text/csv;q=0.5")
  assert.equal(json.json<{ queries: object[] }>().queries.length, 1)
})
