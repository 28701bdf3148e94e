/** Finding metrics: metricQuery and metricAgg under both names, /metrics/fqns, /metrics. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import type { Client } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"

const nowMs = Date.now()
const client = useAccount({ prepare })
const hourMs = 3_600_000

async function prepare(ready: Client): Promise<void> {
  const tag = (name: string, value: string) => ({ name, value })
  const points = (ids: string[], timestamp = nowMs) =>
    ids.map((metricId) => ({ metricId, timestamp, val: 1 }))
  const reply = await ready.ingest([
    {
      id: "web-1",
      name: "Web One",
      type: "SERVER",
      tags: [tag("env", "prod")],
      attributes: [tag("cpus", "4")],
      metrics: [
        { id: "cpu.total", unit: "percent", tags: [tag("utilization", "true")] },
        { id: "reqs", type: "COUNTER", sparseDataStrategy: "ReplaceWithZero" },
      ],
      samples: points(["cpu.total", "reqs", "disk.sda.used"]),
    },
    {
      id: "web-2",
      name: "Web Two",
      type: "SERVER",
      tags: [tag("env", "test")],
      samples: points(["cpu.total", "disk.sdb.used"]),
    },
    { id: "lb-1", type: "ALB", samples: points(["requests"], nowMs - 30 * hourMs) },
    { id: "bare", type: "SERVER" },
  ])
  assert.equal(reply.status, 202, reply.text)
}

interface Metric {
  readonly id: string
  readonly elementId: string
  readonly fqn: string
  readonly [field: string]: unknown
}
interface Page {
  readonly content: readonly Metric[]
  readonly totalElements: number
}

async function query(body: unknown, word = "search"): Promise<Page> {
  const reply = await client().post(`/metrics/${word}/metricQuery`, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ page: Page }>().page
}

const item = (text: string, more: object = {}) => ({ item: text, ...more })
const either = (...items: object[]) => ({ and: false, items })
const pair = (key: string, value: string, more: object = {}) => ({ key, value, ...more })

const everything = 6

test("every list group and every map group narrows what is found", async () => {
  const f = async (body: object, want: number) =>
    assert.equal((await query(body)).totalElements, want, JSON.stringify(body))

  await f({}, everything)
  await f({ metricFqns: either(item("cpu.total")) }, 2)
  await f({ metricNames: either(item("disk", { queryType: "PREFIX" })) }, 2)
  await f({ metricTypes: either(item("COUNTER")) }, 1)
  await f({ metricUnits: either(item("percent")) }, 1)
  await f({ metricSparseDataStrategies: either(item("ReplaceWithZero")) }, 1)
  await f({ elementTypes: either(item("SERVER")) }, 5)
  await f({ elementFqns: either(item("web-1"), item("lb-1")) }, 4)
  await f({ elementNames: either(item("web", { literal: false })) }, 5)
  await f({ datasourceIds: either({ item: 1 }) }, everything)
  await f({ datasourceIds: either({ item: 2 }) }, 0)
  await f({ collectorNames: either(item("Custom")) }, everything)
  await f({ checkNames: either(item("nothing")) }, 0)
  await f({ checkIds: either(item("00000000-0000-4000-8000-000000000000")) }, 0)
  await f({ elementTags: either(pair("env", "prod")) }, 3)
  await f({ elementTags: either(pair("env", "")) }, 5)
  await f({ elementTags: either(pair("env", "prod", { contains: false })) }, 3)
  await f({ metricTags: either(pair("utilization", "true")) }, 1)
  await f({ attributes: either(pair("cpus", "4")) }, 3)
  const [one] = (await query({ metricFqns: either(item("reqs")) })).content
  await f({ metricIds: either(item(one!.id.toUpperCase())) }, 1)
  await f({ elementIds: either(item(one!.elementId)) }, 3)
})

test("both paths of a query answer alike; nothing found is an empty page", async () => {
  const body = { elementTypes: either(item("SERVER")), sort: { field: "fqn", order: "desc" } }
  assert.deepEqual(await query(body, "elasticsearch"), await query(body))
  const empty = await query({ metricFqns: either(item("nothing")) })
  assert.deepEqual(empty, {
    content: [],
    last: true,
    first: true,
    totalElements: 0,
    totalPages: 0,
    sort: null,
    numberOfElements: 0,
    size: 10,
    number: 0,
  })
})

test("metrics are counted by FQN, in order of names or of counts", async () => {
  const f = async (body: object, want: [string, number][], word = "search") => {
    const reply = await client().post(`/metrics/${word}/metricAgg/fqn`, body)
    assert.equal(reply.status, 200, reply.text)
    const aggregations = want.map(([fieldValue, count]) => ({ fieldValue, count }))
    assert.deepEqual(reply.json(), { aggregations })
  }
  const ofServers: [string, number][] = [
    ["cpu.total", 2],
    ["disk.sda.used", 1],
    ["disk.sdb.used", 1],
    ["reqs", 1],
  ]
  for (const word of ["search", "elasticsearch"]) {
    await f({ elementTypes: either(item("SERVER")) }, ofServers, word)
  }
  const sort = { field: "name", order: "desc", missing: "_last" }
  await f({ elementTypes: either(item("SERVER")), sort }, ofServers.toReversed())
  await f({ startDate: nowMs - hourMs }, ofServers)
  await f({ metricFqns: either(item("nothing")) }, [])
})

test("another term than fqn is a 400 that names the only option", async () => {
  const reply = await client().post("/metrics/search/metricAgg/unit", {})
  assert.equal(reply.status, 400)
  assert.match(errorOf(reply).errors[0]!, /^term: expected fqn, the only option, got "unit"$/)
})

test("fqns takes its parameters repeated, with commas and as JSON arrays", async () => {
  const f = async (params: Record<string, string | string[]>, want: string[]) => {
    const reply = await client().get("/metrics/fqns", params)
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.json(), { fqns: want })
  }
  const both = ["cpu.total", "disk.sdb.used", "requests"]
  await f({ elementFqn: ["web-2", "lb-1"] }, both)
  await f({ elementFqn: "web-2,lb-1" }, both)
  await f({ elementFqn: '["web-2","lb-1"]' }, both)
  await f({ elementType: "ALB" }, ["requests"])
  await f({ elementType: "alb" }, [])
  await f({ elementName: "Web Two" }, ["cpu.total", "disk.sdb.used"])
  await f({ elementName: "web two" }, [])
  await f({ elementTag: '{"env":["test","stage"],"team":["x"]}' }, ["cpu.total", "disk.sdb.used"])
  await f({ elementAttribute: '[{"name":"cpus","value":"4"}]' }, [
    "cpu.total",
    "disk.sda.used",
    "reqs",
  ])
  await f({ metricTag: '{"utilization":["true"]}', metricFqn: "reqs" }, ["cpu.total", "reqs"])
  await f({ elementId: "nothing" }, [])
})

test("GET /metrics lists what had data since midnight, or in the window", async () => {
  const f = async (params: Record<string, string | number>, want: number) => {
    const reply = await client().get("/metrics", params)
    assert.equal(reply.status, 200, reply.text)
    const { metrics } = reply.json<{ metrics: Metric[] }>()
    assert.equal(metrics.length, want)
    for (const metric of metrics) assert.match(metric.elementId, /^[0-9a-f-]{36}$/)
  }
  await f({ endTime: nowMs + 1_000 }, 5)
  await f({ startTime: nowMs - 31 * hourMs, endTime: nowMs + 1_000 }, everything)
  await f({ startTime: nowMs - 31 * hourMs, endTime: nowMs - 29 * hourMs }, 1)
  await f({ startTime: nowMs - 20 * hourMs, endTime: nowMs - 19 * hourMs }, 0)
})

test("what cannot be read is a 400 that names the field", async () => {
  const f = async (body: unknown, want: RegExp) => {
    const reply = await client().post("/metrics/search/metricQuery", body)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors[0]!, want)
  }
  await f(
    { metricFqns: either(item("[a", { queryType: "REGEX" })) },
    /^metricFqns\.items\[0\]: .*"\[a"/,
  )
  await f(
    { metricFqns: either(item("a", { queryType: "FUZZY" })) },
    /queryType: .*REGEX, got "FUZZY"/,
  )
  await f({ elementTags: either({}) }, /^elementTags\.items\[0\]: expected a key/)
  await f({ sort: { field: "colour" } }, /^sort\.field: .*"colour"/)
  await f({ endDate: "tomorrow" }, /^endDate: .*"tomorrow"/)
  for (const [path, want] of [
    ["/metrics?startTime=yesterday", /startTime/],
    ["/metrics?duration=P15D", /two weeks/],
    ["/metrics/fqns?elementTag=env", /elementTag/],
  ] as const) {
    const reply = await client().get(path)
    assert.equal(reply.status, 400, path)
    assert.match(errorOf(reply).errors[0]!, want)
  }
})
