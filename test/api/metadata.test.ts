/** Metadata of elements and metrics: /elements/{id}, samples, metricQuery, fqns. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { element, errorOf, samples } from "../support/server/responses.ts"
import type { MetricAnswer } from "../support/server/responses.ts"
import type { Client, QueryParams } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"

const nowMs = Date.now()
const client = useAccount({ prepare })

async function prepare(ready: Client): Promise<void> {
  const tag = (name: string, value: string) => ({ name, value })
  const points = (ids: string[]) => ids.map((metricId) => ({ metricId, timestamp: nowMs, val: 1 }))
  const reply = await ready.ingest([
    {
      id: "web-1",
      name: "Web One",
      type: "SERVER",
      location: "Zürich",
      tags: [tag("env", "prod")],
      attributes: [tag("ram bytes", "1024")],
      relations: [{ fqn: "lb 1" }],
      metrics: [{ id: "cpu.total", unit: "percent", tags: [tag("utilization", "true")] }],
      samples: points(["cpu.total", "disk.used"]),
    },
    { id: "web-2", type: "SERVER", tags: [tag("env", "test")], samples: points(["cpu.total"]) },
    { id: "lb-1", type: "ALB", samples: points(["requests", "cpu.total"]) },
  ])
  assert.equal(reply.status, 202, reply.text)
}

interface Page {
  readonly content: readonly MetricAnswer[]
  readonly [field: string]: unknown
}

async function query(body: unknown, path = "/metrics/search/metricQuery"): Promise<Page> {
  const reply = await client().post(path, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ page: Page }>().page
}

const item = (text: string, more = {}) => ({ literal: true, contains: true, item: text, ...more })
const group = (...items: unknown[]) => ({ and: false, items })

test("an element is found by its FQN and by its id, which is name-based", async () => {
  const byFqn = await element(client(), "web-1")
  assert.match(byFqn!.id, /^[0-9a-f]{8}-[0-9a-f]{4}-3[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(await element(client(), byFqn!.id), byFqn)
  assert.deepEqual(await element(client(), `${byFqn!.id.toUpperCase()}/`), byFqn)
  assert.equal(byFqn!.name, "Web One")
  assert.equal(byFqn!.type, "SERVER")
  assert.equal(byFqn!.location, "Zürich")
  assert.deepEqual(byFqn!.tags, [{ name: "env", value: "prod" }])
  assert.deepEqual(byFqn!.metrics.map(({ fqn }) => fqn).sort(), ["cpu.total", "disk.used"])
  assert.deepEqual(byFqn!.serviceTags, byFqn!.netuitiveTags)
})

test("an element that was never posted is a 404", async () => {
  const reply = await client().get("/elements/nobody")
  assert.equal(reply.status, 404)
  assert.match(errorOf(reply).errors[0]!, /nobody/)
})

test("samples are read by ids or FQNs, with the fields that were sent", async () => {
  const { id, metrics } = (await element(client(), "web-1"))!
  const metricId = metrics.find(({ fqn }) => fqn === "cpu.total")!.id
  const params = { rollup: "ZERO", duration: "PT1H" }
  const timestamp = new Date(nowMs).toISOString()
  const want = [{ metricId, timestamp, rollup: "ZERO", data: { val: 1 } }]
  for (const of of [
    { element: id, metric: metricId },
    { element: "web-1", metric: "cpu.total" },
    { element: id, metric: "cpu.total" },
  ]) {
    assert.deepEqual(await samples(client(), of, params), want)
  }
  const [bucket] = await samples(
    client(),
    { element: "web-1", metric: "cpu.total" },
    { duration: "PT1H", aggregations: "ACTUAL" },
  )
  assert.deepEqual(bucket?.data, { actual: 1 })
})

test("samples of an unknown element or metric are a 404", async () => {
  for (const path of ["/elements/nobody/metrics/cpu.total", "/elements/web-1/metrics/nothing"]) {
    const reply = await client().get(`${path}/samples`)
    assert.equal(reply.status, 404, path)
    errorOf(reply)
  }
})

test("a metric query finds by type, name and element, under both its paths", async () => {
  const f = async (body: unknown, want: number) => {
    for (const path of ["search", "elasticsearch"]) {
      const page = await query(body, `/metrics/${path}/metricQuery`)
      assert.equal(page["totalElements"], want, JSON.stringify(body))
    }
  }

  await f({}, 5)
  await f({ elementTypes: group(item("SERVER")) }, 3)
  await f({ elementTypes: group(item("server")) }, 0)
  await f({ elementTypes: group(item("SERVER"), item("ALB")) }, 5)
  await f({ metricFqns: group(item("cpu.total", { queryType: "EXACT" })) }, 3)
  await f({ elementTypes: group(item("SERVER")), metricFqns: group(item("cpu.total")) }, 2)
  await f({ metricFqns: group(item("CPU", { literal: false })) }, 3)
  await f({ metricFqns: { and: true, items: [item("cpu.total", { contains: false })] } }, 2)
  await f({ elementFqns: group(item("web-2")) }, 1)
  await f({ elementNames: group(item("Web One")) }, 2)
})

test("dates keep the metrics with data in the window", async () => {
  const iso = (ms: number) => new Date(ms).toISOString()
  const f = async (startMs: number, endMs: number, want: number) => {
    const page = await query({ startDate: iso(startMs), endDate: iso(endMs) })
    assert.equal(page["totalElements"], want)
  }

  await f(nowMs - 3_600_000, nowMs + 1000, 5)
  await f(nowMs - 7_200_000, nowMs - 3_600_000, 0)
})

test("a page reports its position correctly", async () => {
  const f = async (page: number, pageSize: number, want: Record<string, unknown>) => {
    const sort = { field: "fqn", order: "asc", missing: "_last" }
    const { content, ...rest } = await query({ page, pageSize, sort })
    assert.equal(content.length, want["numberOfElements"])
    const all = { totalElements: 5, sort: null, size: pageSize, number: page }
    assert.deepEqual(rest, { ...all, totalPages: Math.ceil(5 / pageSize), ...want })
  }

  await f(0, 2, { first: true, last: false, numberOfElements: 2 })
  await f(1, 2, { first: false, last: false, numberOfElements: 2 })
  await f(2, 2, { first: false, last: true, numberOfElements: 1 })
  await f(3, 2, { first: false, last: true, numberOfElements: 0 })
  await f(0, 10, { first: true, last: true, numberOfElements: 5 })
  assert.equal((await query({}))["size"], 10)
})

test("a document holds the documented fields; excluded ones are left out", async () => {
  const body = { metricFqns: group(item("cpu.total")), elementFqns: group(item("web-1")) }
  const [whole] = (await query(body)).content
  assert.equal(whole!.unit, "percent")
  assert.deepEqual(whole!["sourceTags"], { utilization: "true" })
  assert.deepEqual(whole!["serviceTags"], whole!["netuitiveTags"])
  for (const field of ["id", "elementId", "fqn", "name", "dataSourceId", "processingFlags"]) {
    assert.ok(field in whole!, field)
  }
  const excludes = ["fqn", "name", "unit", "serviceTags", "processingFlags"]
  const [part] = (await query({ ...body, sourceFilter: { excludes } })).content
  for (const field of excludes) assert.ok(!(field in part!), field)
  assert.equal(part!.id, whole!.id)
})

test("a query that cannot be read is a 400", async () => {
  const f = async (body: unknown, want: RegExp) => {
    const reply = await client().post("/metrics/search/metricQuery", body)
    assert.equal(reply.status, 400, reply.text)
    assert.match(JSON.stringify(errorOf(reply)), want)
  }

  await f("no JSON", /Error Parsing JSON Request/)
  await f([], /body/)
  await f({ pageSize: 10_001 }, /pageSize/)
  await f({ page: -1 }, /page/)
  await f({ startDate: "yesterday" }, /startDate/)
  await f({ metricFqns: group({ literal: true }) }, /metricFqns/)
})

test("fqns are those of whatever matches any condition, in order", async () => {
  const f = async (params: QueryParams, want: string[]) => {
    const reply = await client().get("/metrics/fqns", params)
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.json(), { fqns: want })
  }
  const { id } = (await element(client(), "web-1"))!

  await f({}, ["cpu.total", "disk.used", "requests"])
  await f({ elementFqn: "web-1" }, ["cpu.total", "disk.used"])
  await f({ elementId: id }, ["cpu.total", "disk.used"])
  await f({ elementFqn: ["web-2", "lb-1"] }, ["cpu.total", "requests"])
  await f({ elementType: "ALB" }, ["cpu.total", "requests"])
  await f({ elementType: "alb" }, [])
  await f({ elementName: "Web One" }, ["cpu.total", "disk.used"])
  await f({ elementTag: '{"env":["prod","stage"]}' }, ["cpu.total", "disk.used"])
  await f({ elementAttribute: '{"ram bytes":["1024"]}' }, ["cpu.total", "disk.used"])
  await f({ metricTag: '{"utilization":["true"]}' }, ["cpu.total"])
  await f({ metricFqn: "requests" }, ["requests"])
  await f({ metricFqn: "nothing" }, [])
})
