/** Search, tree of names and saved views over HTTP (spec/search §1, spec/search §2, spec/search §5). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { callerOf, newUser, type TestCaller } from "../support/server/caller.ts"
import type { Client } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"

interface Found {
  readonly total: number
  readonly isPartial: boolean
  readonly items: readonly { readonly id: string; readonly title: string }[]
}
interface View {
  readonly id: string
  readonly name: string
  readonly shared: boolean
  readonly creatorEmail: string
}

let admin: TestCaller
let readOnly: TestCaller
let power: TestCaller
useAccount({
  prepare: async (ready) => {
    await prepare(ready)
    admin = callerOf(ready)
    readOnly = await newUser(ready, "reader", "Read Only")
    power = await newUser(ready, "power", "Power User")
  },
})
/** Of an account that knows the same words. */
const foreign = useAccount({ prepare })

async function prepare(ready: Client): Promise<void> {
  const samples = ["cpu.total", "cpu.user", "mem"].map((metricId) => ({
    metricId,
    timestamp: Date.now(),
    val: 1,
  }))
  const own = ready.user.replace(/\W/g, "-")
  const tags = [{ name: "account", value: own }]
  const element = { id: `web-${own}`, type: "SERVER", tags, samples }
  const posted = await ready.ingest([element, { id: "web", type: "SERVER", samples: [] }])
  assert.equal(posted.status, 202, posted.text)
  const made = await ready.post("/dashboards", { dashboard: { name: `Web of ${own}` } })
  assert.equal(made.status, 200, made.text)
}

async function search(
  params: Record<string, string>,
  caller = admin,
): Promise<Record<string, Found>> {
  const reply = await caller.get(`/search?${new URLSearchParams(params)}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json()
}

const titles = (found: Found | undefined) => found!.items.map(({ title }) => title)

async function newView(caller: TestCaller, fields: object): Promise<View> {
  const view = { name: "Shop", page: "inventory", query: "f=type%3ASERVER", ...fields }
  const reply = await caller.post("/views", { view })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ view: View }>().view
}

async function viewsOf(caller: TestCaller): Promise<readonly View[]> {
  const reply = await caller.get("/views")
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ views: View[] }>().views
}

test("a search finds things of every kind, and only those of the account", async () => {
  for (const caller of [admin, readOnly, power]) {
    const found = await search({ q: "web" }, caller)
    const kinds = ["elements", "metrics", "tags", "dashboards", "policies", "packages", "views"]
    assert.deepEqual(Object.keys(found), kinds)
    assert.equal(found["elements"]!.total, 2)
    assert.equal(titles(found["elements"])[0], "web")
    assert.equal(found["dashboards"]!.total, 1)
    const strange = foreign().user.replace(/\W/g, "-")
    assert.ok(!JSON.stringify(found).includes(strange))
    assert.equal((await search({ q: strange }, caller))["elements"]!.total, 0)
  }
  assert.deepEqual(titles((await search({ q: "CPU" }))["metrics"]), ["cpu.user", "cpu.total"])
  const none = await search({ q: "nothing has this name", kinds: "elements,views" })
  assert.deepEqual(none, {
    elements: { total: 0, isPartial: false, items: [] },
    views: { total: 0, isPartial: false, items: [] },
  })
})

test("a search without a text, and parameters that it does not have, are refused", async () => {
  const f = async (query: string, problem: RegExp) => {
    const refused = errorOf(await admin.get(`/search?${query}`))
    assert.equal(refused.status, 400)
    assert.match(refused.errors.join("\n"), problem)
  }
  await f("", /^q: expected 1 to 200 characters, got ""/)
  await f("q=a&limit=x", /^limit: expected a whole number from 1 to 50, got "x"/)
  await f("q=a&kinds=element", /^kinds: expected some of .*got "element"/)
  await f("query=a", /"query" is no parameter here/)
})

test("values of a field are those of the account", async () => {
  const valuesOf = async (query: string, caller = readOnly) => {
    const reply = await caller.get(`/search/values?${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.json<{ total: number; values: { value: string; count: number }[] }>()
  }
  assert.deepEqual(await valuesOf("field=type"), {
    total: 1,
    values: [{ value: "SERVER", count: 2 }],
  })
  const strange = foreign().user.replace(/\W/g, "-")
  const other = await valuesOf("field=tag.account", callerOf(foreign()))
  assert.deepEqual(other.values, [{ value: strange, count: 1 }])
  const [own, ...more] = (await valuesOf("field=tag.account")).values
  assert.deepEqual([own!.count, more], [1, []])
  assert.notEqual(own!.value, strange)
  const f = async (query: string, expected: RegExp) => {
    const refused = errorOf(await admin.get(`/search/values?${query}`))
    assert.match(refused.errors.join("\n"), expected)
  }
  await f("", /^field: expected one of type, .*tag\.NAME, attr\.NAME, got ""/)
  await f("field=tags", /^field: expected one of .*got "tags"/)
  await f(`field=tag&q=${"x".repeat(201)}`, /^q: expected at most 200 characters/)
  await f("field=tag&limit=51", /^limit: expected a whole number from 1 to 50/)
})

test("the tree of names has one level at a time", async () => {
  const tree = async (query: string) => {
    const reply = await readOnly.get(`/metrics/tree?${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.json<{ nodes: { fqn: string; isLeaf: boolean; children: number }[] }>().nodes
  }
  assert.deepEqual(
    (await tree("")).map(({ fqn, isLeaf, children }) => [fqn, isLeaf, children]),
    [
      ["cpu", false, 2],
      ["mem", true, 0],
    ],
  )
  const below = (await tree("prefix=cpu")).map(({ fqn }) => fqn)
  assert.deepEqual(below, ["cpu.total", "cpu.user"])
  assert.deepEqual(await tree("prefix=cpu&elementFqn=web"), [])
  assert.deepEqual(await tree("prefix=nothing"), [])
  const refused = errorOf(await admin.get("/metrics/tree?elementTag=prod"))
  assert.match(refused.errors.join("\n"), /^elementTag: expected a JSON object/)
})

test("a view is seen by its creator, and by all if it is shared", async () => {
  const own = await newView(power, { name: "Own" })
  const shared = await newView(admin, { name: "Everyone's", shared: true })
  assert.deepEqual([own.shared, own.creatorEmail.startsWith("power@")], [false, true])
  const names = async (caller: TestCaller) => (await viewsOf(caller)).map(({ name }) => name)
  assert.deepEqual(await names(power), ["Everyone's", "Own"])
  assert.deepEqual(await names(admin), ["Everyone's"])
  assert.equal((await admin.get(`/views/${own.id}`)).status, 404)
  assert.deepEqual(titles((await search({ q: "own" }, power))["views"]), ["Own"])
  assert.deepEqual(titles((await search({ q: "own" }))["views"]), [])

  const changed = await power.put(`/views/${own.id}`, { view: { name: "Mine", shared: true } })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(await names(readOnly), ["Everyone's", "Mine"])
  assert.equal((await power.put(`/views/${shared.id}`, { view: { name: "x" } })).status, 403)
  assert.equal((await power.delete(`/views/${shared.id}`)).status, 403)
  assert.equal((await admin.delete(`/views/${own.id}`)).status, 204)
  assert.equal((await power.get(`/views/${own.id}`)).status, 404)
  assert.equal((await admin.delete(`/views/${shared.id}`)).status, 204)
})

test("a Read Only user saves views, and shares none", async () => {
  const own = await newView(readOnly, { name: "Reader's" })
  const refused = await readOnly.put(`/views/${own.id}`, { view: { shared: true } })
  assert.equal(refused.status, 403)
  const view = { name: "a", page: "inventory", shared: true }
  assert.equal((await readOnly.post("/views", { view })).status, 403)
  assert.deepEqual(
    (await viewsOf(readOnly)).map(({ name }) => name),
    ["Reader's"],
  )
  assert.equal((await readOnly.delete(`/views/${own.id}`)).status, 204)
})

test("a view needs a name and a page", async () => {
  const f = async (view: object, problem: RegExp) => {
    const refused = errorOf(await admin.post("/views", { view }))
    assert.equal(refused.status, 400)
    assert.match(refused.errors.join("\n"), problem)
  }
  await f({ page: "inventory" }, /^view.name: expected a value/)
  await f({ name: "a", page: "../x" }, /^view.page: expected the name of a page/)
  await f({ name: "a", page: "x", query: "a".repeat(8_001) }, /^view.query: expected a text of/)
  await f({ name: "a".repeat(201), page: "x" }, /^view.name: expected a text of at most 200/)
  await f({ name: "a", pages: "x" }, /"pages" is no field here; did you mean "page"/)
})
