/** Tags on elements and metrics, and deleting elements (spec/queries §9). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { element, errorOf, statistics } from "../support/server/responses.ts"
import type { Client, Reply } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"

const nowMs = Date.now()
const client = useAccount({ prepare })

function post(id: string) {
  return {
    id,
    type: "SERVER",
    tags: [{ name: "env", value: "prod" }],
    metrics: [{ id: "cpu", unit: "percent", tags: [{ name: "core", value: "0" }] }],
    samples: [{ metricId: "cpu", timestamp: nowMs, val: 1 }],
  }
}

async function prepare(ready: Client): Promise<void> {
  await ingest(ready, "web-1", "web-2", "gone", "kept")
}

async function ingest(to: Client, ...ids: string[]): Promise<void> {
  const reply = await to.ingest(ids.map(post))
  assert.equal(reply.status, 202, reply.text)
}

function send(method: string, path: string, body?: unknown): Promise<Reply> {
  const headers = { authorization: client().authorization, "content-type": "application/json" }
  return client().send(path, { method, headers, ...(body === undefined ? {} : { body }) })
}

interface Tags {
  readonly serviceTags: Record<string, string>
  readonly netuitiveTags: Record<string, string>
  readonly sourceTags: Record<string, string>
}

async function tagsOf(path: string): Promise<Tags> {
  const reply = await client().get(`${path}/tags`)
  assert.equal(reply.status, 200, reply.text)
  const tags = reply.json<Tags>()
  assert.deepEqual(tags.serviceTags, tags.netuitiveTags)
  return tags
}

for (const [path, own, posted] of [
  ["/elements/web-1", {}, { env: "prod" }],
  ["/elements/web-1/metrics/cpu", { "n.statistic": "AVG", unit: "percent" }, { core: "0" }],
] as const) {
  test(`tags of ${path} are set, changed and removed, and outlive posts`, async () => {
    assert.deepEqual((await tagsOf(path)).serviceTags, own)
    const created = await send("POST", `${path}/tags`, { netuitiveTag: { on: true, n: 5 } })
    assert.equal(created.status, 200)
    const echo = { on: "true", n: "5" }
    assert.deepEqual(created.json(), { serviceTag: echo, netuitiveTag: echo })
    assert.deepEqual(await tagsOf(path), {
      serviceTags: { ...own, ...echo },
      netuitiveTags: { ...own, ...echo },
      sourceTags: posted,
    })
    const changed = await send("PUT", `${path}/tags/on`, { serviceTag: { on: "false" } })
    assert.deepEqual([changed.status, changed.text], [204, ""])
    const removed = await send("DELETE", `${path}/tags/n`)
    assert.deepEqual([removed.status, removed.text], [204, ""])
    await ingest(client(), "web-1")
    const { serviceTags, sourceTags } = await tagsOf(path)
    assert.deepEqual([serviceTags, sourceTags], [{ ...own, on: "false" }, posted])
    assert.equal((await send("DELETE", `${path}/tags/n`)).status, 404)
  })
}

test("tags that people set show in the element, under both names, and are found", async () => {
  await send("POST", "/elements/web-2/tags/", { netuitiveTag: { "n.state.maintenance": true } })
  await send("POST", "/elements/web-2/metrics/cpu/tags/", { netuitiveTag: { unit: "s" } })
  const web = (await element(client(), "web-2"))!
  assert.deepEqual(web.serviceTags, { "n.state.maintenance": "true" })
  assert.deepEqual(web.netuitiveTags, web.serviceTags)
  assert.deepEqual(web.metrics[0]!["serviceTags"], { "n.statistic": "AVG", unit: "s" })
  assert.equal(web.metrics[0]!.unit, "percent")
  const item = { key: "n.state.maintenance", value: "true", literal: true, contains: true }
  const elementTags = { and: true, items: [item] }
  const found = await client().post("/elements/elasticsearch/elementQuery", { elementTags })
  const { content } = found.json<{ page: { content: { fqn: string }[] } }>().page
  assert.deepEqual(
    content.map(({ fqn }) => fqn),
    ["web-2"],
  )
})

test("a tag body that has no meaning is a 400 that names it, and stores nothing", async () => {
  const path = "/elements/web-1/tags"
  const before = await tagsOf("/elements/web-1")
  const f = async (method: string, to: string, body: unknown, want: RegExp) => {
    const reply = await send(method, to, body)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors.join("\n"), want)
  }

  await f("POST", path, undefined, /serviceTag/)
  await f("POST", path, {}, /serviceTag/)
  await f("POST", path, { netuitiveTag: {} }, /serviceTag/)
  await f("POST", path, { netuitiveTag: { a: ["b"] } }, /netuitiveTag/)
  await f("POST", path, { netuitiveTag: ["a"] }, /netuitiveTag/)
  await f("POST", path, { netuitiveTag: "a=b" }, /netuitiveTag.*"a=b"/)
  await f("POST", path, { serviceTag: { " ": "b" } }, /serviceTag/)
  await f("POST", path, '{"serviceTag":{"__proto__":"b"}}', /__proto__/)
  await f("POST", path, { serviceTag: { a: "x".repeat(5000) } }, /4096/)
  const many = Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`t${i}`, "v"]))
  await f("POST", path, { serviceTag: many }, /256/)
  await f("PUT", `${path}/a`, { serviceTag: { b: "1" } }, /"a".*"b"/)
  await f("PUT", `${path}/a`, { serviceTag: { a: "1", b: "1" } }, /"a"/)
  assert.deepEqual(await tagsOf("/elements/web-1"), before)
})

test("tags of what does not exist are a 404", async () => {
  const body = { serviceTag: { a: "b" } }
  for (const path of ["/elements/nobody", "/elements/web-1/metrics/nothing"]) {
    for (const [method, to] of [
      ["GET", "/tags"],
      ["POST", "/tags"],
      ["PUT", "/tags/a"],
      ["DELETE", "/tags/a"],
    ] as const) {
      const send_ = method === "GET" || method === "DELETE" ? undefined : body
      const reply = await send(method, path + to, send_)
      assert.equal(reply.status, 404, `${method} ${path}${to}`)
      errorOf(reply)
    }
  }
})

test("a deleted element is nowhere, and is back with all its values once posted", async () => {
  const { id } = (await element(client(), "gone"))!
  const tag = { serviceTag: { owner: "ops" } }
  assert.equal((await send("POST", `/elements/${id}/tags`, tag)).status, 200)
  const query = { fqn: "cpu", rollup: "ZERO", duration: "PT1H" }
  const counts = async () => {
    const { metrics } = await statistics(client(), query)
    const list = await client().get("/elements", { fields: "fqn" })
    const { elements } = list.json<{ elements: { fqn: string }[] }>()
    const search = await client().post("/metrics/search/metricQuery", {})
    const { totalElements } = search.json<{ page: { totalElements: number } }>().page
    return [metrics.length, elements.map(({ fqn }) => fqn), totalElements] as const
  }
  assert.deepEqual(await counts(), [4, ["web-1", "web-2", "gone", "kept"], 4])

  const removed = await send("DELETE", `/elements/${id}`)
  assert.deepEqual([removed.status, removed.text], [204, ""])
  assert.deepEqual(await counts(), [3, ["web-1", "web-2", "kept"], 3])
  for (const path of ["", "/metrics", "/tags", "/relationships", "/metrics/cpu/samples"]) {
    assert.equal((await client().get(`/elements/${id}${path}`)).status, 404, path)
  }
  const fqns = await client().get("/metrics/fqns", { elementFqn: "gone" })
  assert.deepEqual(fqns.json(), { fqns: [] })
  const named = await client().post("/metrics/statistics", ["gone", id], query)
  assert.deepEqual(named.json<{ metrics: unknown[] }>().metrics, [])
  assert.equal((await send("DELETE", "/elements/gone")).status, 404)

  await ingest(client(), "gone")
  assert.deepEqual(await counts(), [4, ["web-1", "web-2", "gone", "kept"], 4])
  const back = (await element(client(), "gone"))!
  assert.equal(back.id, id)
  assert.deepEqual(back.serviceTags, { owner: "ops" })
  // The same sample once more is a re-delivery: the value of before is still there, once.
  const { metrics } = await statistics(client(), query)
  assert.equal(metrics.find(({ elementId }) => elementId === id)!.statistics["count"], 1)
})
