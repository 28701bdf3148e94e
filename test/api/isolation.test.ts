/**
 * No tenant sees another's anything (spec/accounts §1): for every operation of the route table, an
 * id of another account gets the same response as an unknown id; and nothing was changed by
 * it. A route that the table of support/route-fixtures.ts does not know fails this file.
 */

import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { after, before, test } from "node:test"
import { sendToOwner } from "../../src/control/control-socket.ts"
import { allRoutes } from "../../src/http/api/routes/route-table.ts"
import { methods, type DescribedRoute, type Method } from "../../src/http/shared/route.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import {
  bodyFor,
  examplesOf,
  ownNames,
  pathWith,
  storeIncidents,
  valuesFor,
  type Described,
  type Values,
  type Walker,
} from "../support/server/route-fixtures.ts"
import { apiKey, startServer, storyProgram, type TestServer } from "../support/server/server.ts"

const folder = makeFolder("tidegauge-isolation")
const marker = "belongs-to-the-first"
const incidents = Array.from({ length: 12 }, () => randomUUID())
let server: TestServer | null = null
let first: Walker | null = null
let second: Walker | null = null

function basic(email: string, password: string): string {
  return `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`
}

function walkerOf(authorization: string, more: Omit<Walker, "send">): Walker {
  const { client } = server!
  return {
    ...more,
    send: (path, { headers, ...send } = {}) =>
      client.send(path, { ...send, headers: { authorization, ...headers } }),
  }
}

before(async () => {
  await storeIncidents(folder, incidents)
  server = await startServer({ folder, program: storyProgram() })
  first = walkerOf(server.client.authorization, { apiKey, incidents, marker })
  const [email, password] = ["two@example.com", "the second password"]
  const words = ["account", "create", "--name", "Two", "--email", email, "--password", password]
  const made = await sendToOwner(folder, words)
  assert.equal(made?.status, 0, made?.text)
  const key = /API key +([0-9a-f]{32})/.exec(made.text)![1]!
  second = walkerOf(basic(email, password), { apiKey: key, incidents: [], marker: "second" })
})

after(async () => {
  await server?.stop()
  removeFolder(folder)
})

/** Unknown ids of the right form. */
function nobodys(values: Values, names: readonly string[]): Values {
  const strange = names.map((name) => {
    const value = values[name]!
    return [name, /^\d+$/.test(value) ? "987654" : randomUUID()]
  })
  return { ...values, ...Object.fromEntries(strange) }
}

/** A reply without what must differ: the instant, and the ids that were asked for. */
function essence(reply: { status: number; text: string }, values: Values): string {
  let text = reply.text
    .replace(/"serverTimestamp":\d+,"iso8601DateTime":"[^"]*"/, "")
    .replace(/"requestId":"[^"]*"/, "")
  for (const value of Object.values(values)) {
    text = text.replace(new RegExp(`(?<![\\w-])${value}(?![\\w-])`, "gi"), "…")
  }
  return `${reply.status} ${text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")}`
}

async function asSecond(
  route: DescribedRoute,
  method: Method,
  asked: { values: Values; operation: Described },
) {
  const { parameters = [] } = asked.operation
  const { query, headers } = examplesOf(parameters.filter(({ name }) => name !== "startTime"))
  const body = await bodyFor(asked.operation, second!)
  return second!.send(pathWith(route.path, asked.values) + query, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  })
}

async function assertForeign(
  route: DescribedRoute,
  method: Method,
  operation: Described,
): Promise<void> {
  const values = await valuesFor(route, operation.parameters ?? [], first!)
  const strange = nobodys(values, ownNames(route))
  const read = async () => (await first!.send(pathWith(route.path, values))).text
  const before = route.operations.GET === undefined ? null : await read()

  const foreign = await asSecond(route, method, { values, operation })
  const unknown = await asSecond(route, method, { values: strange, operation })
  const where = `${method} ${route.path}`
  assert.equal(essence(foreign, values), essence(unknown, strange), where)
  // The path itself may be repeated; the query may not.
  const told = Object.values(values).reduce(
    (text, value) => text.replaceAll(value, ""),
    foreign.text,
  )
  assert.ok(!told.includes(marker), `${where}: ${foreign.text}`)
  if (before !== null) assert.equal(await read(), before, where)
}

async function assertListsOwn(route: DescribedRoute, method: Method, operation: Described) {
  const reply = await asSecond(route, method, { values: {}, operation })
  const bare = method === "GET" ? await second!.send(route.path) : reply
  for (const text of [reply.text, bare.text]) {
    const where = `${method} ${route.path}`
    assert.ok(!text.includes(marker), `${where}: ${text}`)
    for (const id of incidents) assert.ok(!text.includes(id), `${where}: ${text}`)
  }
}

/** So that every list has something to keep to itself; the incidents are there already. */
test("the first account makes one of everything", async () => {
  for (const route of allRoutes) {
    const isMade = ownNames(route).length > 0 && !route.path.startsWith("/incidents/")
    if (isMade) await valuesFor(route, pathExamples(route), first!)
  }
})

function pathExamples({ operations }: DescribedRoute) {
  return Object.values(operations).flatMap(({ parameters = [] }) => parameters)
}

for (const route of allRoutes) {
  for (const method of methods) {
    const operation = route.operations[method]
    if (operation === undefined || ["anyone", "local", "key"].includes(operation.access)) continue
    const isOwn = ownNames(route).length > 0
    const what = isOwn ? "takes a foreign id for an unknown one" : "tells nothing foreign"
    test(`${method} ${route.path} ${what}`, () =>
      isOwn ? assertForeign(route, method, operation) : assertListsOwn(route, method, operation))
  }
}

/** Requests that name things in their bodies, which no route shows. */
interface NamedThings {
  readonly elementId: string
  readonly metricId: string
  readonly policyId: string
  readonly incidentId: string
}

const nowMs = Date.now()
const lately = { startTime: nowMs - 3_600_000, endTime: nowMs + 60_000 }
const yesterday = { startTime: String(nowMs - 90_000_000), endTime: String(nowMs - 3_600_000) }

function bodiesNaming({ elementId, metricId, policyId, incidentId }: NamedThings) {
  const always = { metric: "cpu.total", analytic: "actual", operator: ">", level: 0 }
  const policy = { name: "always", conditions: [always] }
  const bulk = "/elements/search/elementBulk"
  return [
    ["/series/query", { ...lately, queries: [seriesOf(elementId, metricId)] }],
    ["/series/query", { ...lately, queries: [seriesOf("own-one", metricId)] }],
    ["/series/query", { ...lately, queries: [{ id: "all", filter: {}, by: "element" }] }],
    ["/policies/evaluate", { policyId, ...yesterday }],
    ["/policies/evaluate", { policy, elements: [elementId], ...yesterday }],
    ["/policies/evaluate", { policy, elements: [elementId], detail: "cycles", ...yesterday }],
    ["/policies/evaluate", { policy, ...yesterday }],
    [bulk, { ids: [elementId], action: "setTags", tags: [{ name: "by", value: "second" }] }],
    [bulk, { ids: [elementId], action: "delete" }],
    ["/incidents/bulk", { ids: [incidentId], action: "close" }],
    ["/events", { title: "a note", message: "of the second", elementId }],
  ] as const
}

function seriesOf(elementId: string, metricId: string) {
  return { id: "named", series: [{ elementId, metricId }] }
}

test("ids of another account in a body are unknown ids, and tell and change nothing", async () => {
  const own = [{ id: "own-one", type: "SERVER", samples: [{ metricId: "cpu.total", val: 1 }] }]
  const headers = { "x-service-api-options": "INJECT_TIMESTAMP" }
  const posted = { method: "POST", body: own, headers } as const
  assert.equal((await second!.send(`/ingest/${second!.apiKey}`, posted)).status, 202)
  const foreign = await thingsOfFirst()
  const strange: NamedThings = {
    elementId: randomUUID(),
    metricId: randomUUID(),
    policyId: randomUUID(),
    incidentId: randomUUID(),
  }
  const shownToFirst = async () => {
    const paths = [`/elements/${foreign.elementId}`, `/incidents/${foreign.incidentId}`]
    return Promise.all(paths.map(async (path) => (await first!.send(path)).text))
  }
  const before = await shownToFirst()
  const unknown = bodiesNaming(strange)
  for (const [i, [path, body]] of bodiesNaming(foreign).entries()) {
    const reply = await second!.send(path, { method: "POST", body })
    const other = await second!.send(path, { method: "POST", body: unknown[i]![1] })
    const where = `POST ${path} ${JSON.stringify(body)}`
    const got = essence(reply, { ...foreign })
    assert.equal(timeless(got), timeless(essence(other, { ...strange })), where)
    const told = Object.values(foreign).reduce((text, id) => text.replaceAll(id, ""), reply.text)
    assert.ok(!told.includes(marker), `${where}: ${reply.text}`)
  }
  assert.deepEqual(await shownToFirst(), before)
})

function timeless(text: string): string {
  return text.replace(/"serverTime":\d+/, "")
}

async function thingsOfFirst(): Promise<NamedThings> {
  const id = `${marker}-in-a-body`
  const body = [{ id, type: "SERVER", samples: [{ metricId: "cpu.total", val: 1 }] }]
  const headers = { "x-service-api-options": "INJECT_TIMESTAMP" }
  const posted = await first!.send(`/ingest/${apiKey}`, { method: "POST", body, headers })
  assert.equal(posted.status, 202, posted.text)
  const found = (await first!.send(`/elements/${id}`)).json<{
    element: { id: string; metrics: { id: string }[] }
  }>()
  const policies = (await first!.send("/policies")).json<{ policies: { id: string }[] }>()
  const listed = (await first!.send("/incidents?limit=1")).json<{
    incidents: { incidentId: string }[]
  }>()
  return {
    elementId: found.element.id,
    metricId: found.element.metrics[0]!.id,
    policyId: policies.policies[0]!.id,
    incidentId: listed.incidents[0]!.incidentId,
  }
}

test("a key sends to its own account only", async () => {
  const element = { id: "told-by-the-second", type: "SERVER", samples: [] }
  const path = `/ingest/${second!.apiKey}`
  const reply = await second!.send(path, { method: "POST", body: [element] })
  assert.equal(reply.status, 202)
  assert.equal((await second!.send(`/elements/${element.id}`)).status, 200)
  assert.equal((await first!.send(`/elements/${element.id}`)).status, 404)
})
