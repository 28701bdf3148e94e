/** Finding elements: elementQuery and elementAgg under both names. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import type { Client } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"
import { answerOnce } from "../support/time/eventually.ts"

const nowMs = Date.now()
/** In a past cycle, so that it is flushed soon. */
const pastMs = nowMs - 900_000
const client = useAccount({ prepare })
const hourMs = 3_600_000

async function prepare(ready: Client): Promise<void> {
  const tag = (name: string, value: string) => ({ name, value })
  const points = (ids: string[], timestamp: number) =>
    ids.map((metricId) => ({ metricId, timestamp, val: 1 }))
  const reply = await ready.ingest([
    {
      id: "web-1",
      name: "Web One",
      type: "SERVER",
      location: "Bern",
      tags: [tag("env", "prod"), tag("team", "a")],
      attributes: [tag("cpus", "4")],
      relations: [{ fqn: "lb-1" }],
      samples: points(["cpu.total", "mem"], pastMs),
    },
    { id: "web-2", type: "SERVER", tags: [tag("env", "test")], samples: points(["mem"], nowMs) },
    { id: "lb-1", name: "Balancer", type: "ALB", samples: points(["reqs"], nowMs - 30 * hourMs) },
    { id: "bare", type: "RDS", tags: [tag("env", "test")] },
  ])
  assert.equal(reply.status, 202, reply.text)
}

interface Element {
  readonly id: string
  readonly fqn: string
  readonly [field: string]: unknown
}
interface Page {
  readonly content: readonly Element[]
  readonly [field: string]: unknown
}

async function query(body: unknown, word = "search"): Promise<Page> {
  const reply = await client().post(`/elements/${word}/elementQuery`, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ page: Page }>().page
}

const item = (text: string, more: object = {}) => ({ item: text, ...more })
const either = (...items: object[]) => ({ and: false, items })
const all = ["bare", "lb-1", "web-1", "web-2"]

test("elements are found by groups about them and about their metrics", async () => {
  const f = async (body: object, want: string[]) => {
    for (const word of ["search", "elasticsearch"]) {
      const { content, totalElements } = await query({ sort: { field: "fqn" }, ...body }, word)
      assert.deepEqual(
        content.map(({ fqn }) => fqn),
        want,
        JSON.stringify(body),
      )
      assert.equal(totalElements, want.length)
    }
  }
  await f({}, all)
  await f({ elementTypes: either(item("SERVER")) }, ["web-1", "web-2"])
  await f({ elementNames: either(item("web", { literal: false })) }, ["web-1", "web-2"])
  await f({ elementTags: either({ key: "env", value: "te", literal: false }) }, ["bare", "web-2"])
  await f({ attributes: either({ key: "cpus" }) }, ["web-1"])
  await f({ metricFqns: either(item("mem")) }, ["web-1", "web-2"])
  await f({ metricFqns: either(item("mem", { contains: false })) }, ["lb-1", "web-1"])
  await f({ elementTypes: either(item("nothing")) }, [])
  await f({ startDate: nowMs - hourMs, endDate: nowMs + 1_000 }, ["web-1", "web-2"])
  await f({ startDate: nowMs - 31 * hourMs, endDate: nowMs - 29 * hourMs }, ["lb-1"])
})

test("elements are sorted by any field, missing ones first or last as requested", async () => {
  const f = async (sort: object, want: string[]) =>
    assert.deepEqual(
      (await query({ sort })).content.map(({ fqn }) => fqn),
      want,
    )
  await f({ field: "fqn", order: "desc" }, all.toReversed())
  await f({ field: "name" }, ["lb-1", "web-1", "bare", "web-2"])
  await f({ field: "location" }, ["web-1", "lb-1", "bare", "web-2"])
  await f({ field: "location", missing: "_first" }, ["lb-1", "bare", "web-2", "web-1"])
  await f({ field: "sourceTags.env", order: "desc" }, ["bare", "web-2", "web-1", "lb-1"])
})

test("a page reports its position correctly", async () => {
  const { content, ...rest } = await query({ page: 1, pageSize: 3, sort: { field: "fqn" } })
  assert.deepEqual(
    content.map(({ fqn }) => fqn),
    ["web-2"],
  )
  const counts = { totalElements: 4, totalPages: 2, numberOfElements: 1, size: 3, number: 1 }
  assert.deepEqual(rest, { last: true, first: false, sort: null, ...counts })
})

test("a record has the documented fields, relations and processing included", async () => {
  const body = { elementFqns: either(item("web-1")) }
  const [web] = await untilFound(body)
  const { id, tenantId, metrics, attributes, relations, lastProcessed, ...rest } = web!
  assert.match(id, /^[0-9a-f-]{14}3/)
  assert.match(String(tenantId), /^[0-9a-f-]{36}$/)
  assert.equal(Date.parse(String(lastProcessed)), Math.floor(pastMs / 300_000) * 300_000)
  assert.deepEqual(
    (metrics as Element[]).map(({ fqn }) => fqn),
    ["cpu.total", "mem"],
  )
  const known = { dataSourceId: 1 }
  const [attribute] = attributes as Element[]
  const cpus = { ...known, name: "cpus", value: "4", attributeType: "TEXT" }
  assert.deepEqual(attribute, { id: attribute!.id, ...cpus })
  const [relation] = relations as Element[]
  assert.deepEqual(relation, { id: relation!.id, ...known, fqn: "lb-1" })
  assert.deepEqual(rest, {
    fqn: "web-1",
    name: "Web One",
    type: "SERVER",
    location: "Bern",
    serviceTags: {},
    netuitiveTags: {},
    sourceTags: { env: "prod", team: "a" },
    state: { "netuitive.metrics.collected.percent": 0 },
    eventCount: { total: 0, topCategory: null },
    tags: [
      { name: "env", value: "prod" },
      { name: "team", value: "a" },
    ],
  })
  const [bare] = (await query({ elementFqns: either(item("bare")) })).content
  assert.ok(!("lastProcessed" in bare!))
  assert.deepEqual(bare["state"], { "netuitive.metrics.collected.percent": null })
})

/** Polls until the element has been processed: an idle server flushes past cycles immediately. */
async function untilFound(body: object): Promise<readonly Element[]> {
  const { content } = await answerOnce(
    () => query(body),
    (answer) => answer.content[0]?.["lastProcessed"] !== undefined,
  )
  return content
}

test("sourceFilter chooses fields; the id always remains", async () => {
  const f = async (sourceFilter: object, want: string[]) => {
    const [one] = (await query({ elementFqns: either(item("web-2")), sourceFilter })).content
    assert.deepEqual(Object.keys(one!), want)
  }
  await f({ includes: ["fqn", "type"] }, ["id", "fqn", "type"])
  await f({ includes: ["netuitiveTags", "id"], excludes: ["id"] }, [
    "id",
    "serviceTags",
    "netuitiveTags",
  ])
})

test("elements are counted by type, tag, attribute and collector", async () => {
  const f = async (term: string, body: object, want: unknown) => {
    for (const word of ["search", "elasticsearch"]) {
      const reply = await client().post(`/elements/${word}/elementAgg/${term}`, body)
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(reply.json(), { aggregations: want })
    }
  }
  const count = (fieldValue: string, count: number, values?: unknown) => ({
    fieldValue,
    count,
    ...(values === undefined ? {} : { values }),
  })
  await f("elementType", {}, [count("SERVER", 2), count("ALB", 1), count("RDS", 1)])
  await f("collectors.name", {}, [count("Custom", 4)])
  await f("attributes", {}, [count("cpus", 1, [count("4", 1)])])
  const env = count("env", 3, [count("test", 2), count("prod", 1)])
  await f("tags", {}, [env, count("team", 1, [count("a", 1)])])
  const nestedAggregationFilters = either({ key: "env", value: "test" })
  await f("tags", { nestedAggregationFilters }, [count("env", 2, [count("test", 2)])])
  await f("elementType", { elementFqns: either(item("nothing")) }, [])
})

test("what cannot be read is a 400 that names the field", async () => {
  const f = async (path: string, body: unknown, want: RegExp) => {
    const reply = await client().post(`/elements/search/${path}`, body)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors[0]!, want)
  }
  await f("elementQuery", [], /^body/)
  await f("elementQuery", { sort: { field: "colour" } }, /^sort\.field: .*"colour"/)
  await f("elementQuery", { pageSize: 0 }, /^pageSize/)
  await f("elementQuery", { startDate: "soon" }, /^startDate/)
  await f("elementAgg/colour", {}, /^term: expected one of elementType, .*"colour"/)
  await f("elementAgg/tags", { elementTypes: 3 }, /^elementTypes/)
})
