/**
 * Policies over HTTP: records, defaults, silence, and which elements they watch (spec/policies §1).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import type { Reply } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

const client = useAccount({
  prepare: async (one) => {
    const element = (id: string, type: string, env: string) => {
      const samples = [{ metricId: "m", timestamp: Date.now(), val: 1 }]
      return { id, type, tags: [{ name: "env", value: env }], samples }
    }
    const elements = [element("web-1", "SERVER", "prod"), element("web-2", "SERVER", "test")]
    assert.equal((await one.ingest(elements)).status, 202)
  },
})

interface PolicyAnswer {
  readonly id: string
  readonly [field: string]: unknown
}

const nobody = "00000000-0000-4000-8000-000000000000"

function send(method: string, path: string, body?: unknown): Promise<Reply> {
  const headers = { authorization: client().authorization, "content-type": "application/json" }
  return client().send(path, { method, headers, ...(body !== undefined && { body }) })
}

async function created(policy: object): Promise<PolicyAnswer> {
  const reply = await client().post("/policies", { policy })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ policy: PolicyAnswer }>().policy
}

const condition = { metric: "cpu", analytic: "actual", operator: ">", level: 90 }
const conditions = [condition]

test("a policy of a name and a condition gets a default for every field", async () => {
  const checkCondition = { checkName: "heartbeat" }
  const plain = { name: "Plain", description: null, checkCondition }
  const { id, lastUpdated, ...rest } = await created(plain)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  assert.match(String(lastUpdated), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual(rest, {
    name: "Plain",
    description: null,
    scope: {
      elementName: null,
      elementNameRegex: false,
      elementNameExclude: null,
      elementNameExcludeRegex: false,
      fqnIncludes: [],
      fqnExcludes: [],
      elementType: null,
      elementTypes: [],
      elementTags: [],
      elementTagsAll: true,
      excludedElementTags: [],
      elementAttributes: [],
      elementAttributesAll: true,
      excludedElementAttributes: [],
    },
    duration: 300,
    anyCondition: false,
    conditions: [],
    eventConditions: [],
    checkCondition,
    actions: [],
    enabled: true,
    deleted: false,
    creatorEmail: client().user,
  })
})

test("a policy as the documentation shows it comes back with all of its fields", async () => {
  const policy = await created({
    name: "WINSRV Example",
    scope: { elementTypes: ["WINSRV"], elementTags: { env: "^prod$" } },
    duration: "900",
    conditions: [
      condition,
      { wildcard: "aws\\.elb.*", analytic: "baselineDeviation", operator: "defined" },
    ],
    eventConditions: [{ messageRegex: "fail|broken", level: "warning" }],
    checkCondition: { checkName: "heartbeat" },
    actions: [
      { type: "event", category: "2" },
      { type: "notification", id: 26649, sendOnClear: true },
    ],
    creatorEmail: "someone@else.example",
  })
  const missing = { metricScopeTags: {}, level2: null, metricThresholdLevel: null }
  const rest = { ...missing, metricThresholdAnalytic: null }
  assert.equal(policy["duration"], 900)
  assert.deepEqual((policy["scope"] as { elementTags: unknown }).elementTags, [
    { name: "env", value: "^prod$" },
  ])
  assert.deepEqual(policy["conditions"], [
    { ...condition, wildcard: null, ...rest },
    {
      metric: null,
      wildcard: "aws\\.elb.*",
      analytic: "baselineDeviation",
      operator: "defined",
      level: null,
      ...rest,
    },
  ])
  assert.deepEqual(policy["eventConditions"], [
    { messageRegex: "fail|broken", titleRegex: null, sourceRegex: null, level: "WARNING" },
  ])
  const again = { notifyFrequencyMin: 2147483647, sendOnClear: true }
  assert.deepEqual(policy["actions"], [
    { type: "event", category: 2 },
    { type: "notification", id: 26649, enabled: true, ...again },
  ])
  assert.equal(policy["creatorEmail"], client().user)
})

test("a policy is read, changed in part, listed and deleted", async () => {
  const policy = await created({ name: "Life", conditions: [condition] })
  const path = `/policies/${policy.id}`
  assert.deepEqual((await client().get(path)).json(), { policy })

  const off = await send("PUT", path, { policy: { enabled: false } })
  const changed = off.json<{ policy: PolicyAnswer }>().policy
  assert.equal(off.status, 200)
  const { lastUpdated } = changed
  assert.deepEqual(changed, { ...policy, enabled: false, lastUpdated })
  const eventConditions = [{ titleRegex: "fail" }]
  const other = { policy: { ...changed, conditions: null, eventConditions } }
  const cleared = (await send("PUT", path, other)).json<{ policy: PolicyAnswer }>().policy
  assert.deepEqual(cleared["conditions"], [])
  const none = await send("PUT", path, { policy: { eventConditions: [] } })
  assert.match(errorOf(none).errors.join(), /policy\.conditions: expected a condition/)

  const listed = await client().get("/policies/")
  const names = listed.json<{ policies: PolicyAnswer[] }>().policies.map((one) => one["name"])
  assert.ok(names.includes("Life"))
  assert.equal((await send("DELETE", path)).status, 204)
  for (const method of ["GET", "PUT", "DELETE"]) {
    const body = method === "PUT" ? { policy: { name: "Back" } } : undefined
    assert.equal(errorOf(await send(method, path, body)).status, 404, method)
  }
})

test("a field that is not known is refused with the nearest one, at every depth (B6)", async () => {
  const f = async (policy: object, want: RegExp) => {
    const error = errorOf(await client().post("/policies", { policy: { name: "x", ...policy } }))
    assert.match(error.errors.join("\n"), want)
  }
  await f({ conditons: [condition] }, /^policy: "conditons" is no.*did you mean "conditions"\?/)
  await f({ conditions: [{ ...condition, levle: 1 }] }, /conditions\[0\]: "levle".*"level"\?$/)
  await f({ conditions, scope: { elementTyp: "A" } }, /^policy\.scope: .*did you mean "elementType/)
  const action = { type: "event", category: 1, categry: 2 }
  await f({ conditions, actions: [action] }, /^policy\.actions\[0\]: "categry" .*"category"\?$/)
  const tags = [{ name: "a", vale: "b", id: 4, dataSourceId: 1 }]
  await f({ conditions, scope: { elementTags: tags } }, /elementTags\[0\]: "vale".*"value"\?$/)
  const outer = await client().post("/policies", { policy: { name: "x", conditions }, zzz: 1 })
  assert.match(
    errorOf(outer).errors.join(),
    /^body: "zzz" is no field here; expected one of policy/,
  )
})

test("all problems of a policy are reported together, and nothing is stored", async () => {
  const count = async () =>
    (await client().get("/policies")).json<{ policies: unknown[] }>().policies.length
  const before = await count()
  const f = async (policy: unknown, want: RegExp) => {
    const error = errorOf(await client().post("/policies", { policy }))
    assert.equal(error.status, 400)
    assert.match(error.errors.join("\n"), want)
  }
  const withCondition = (change: object) => {
    return { name: "x", conditions: [{ ...condition, ...change }] }
  }
  await f("text", /policy: expected an object, got "text"/)
  await f({}, /policy\.name/)
  await f({ name: "x", duration: 301 }, /policy\.duration: expected whole cycles of 300 seconds/)
  await f({ name: "x", duration: -300 }, /policy\.duration/)
  await f(withCondition({ analytic: "forecast" }), /analytic: expected one of actual, baseline/)
  await f(withCondition({ operator: "defined" }), /operator: expected one of >, >=, <, .*actual/)
  await f(withCondition({ level: null }), /conditions\[0\]\.level: expected a number with actual/)
  await f(withCondition({ level: "high" }), /conditions\[0\]\.level/)
  await f(withCondition({ wildcard: "cpu" }), /either metric or wildcard/)
  await f(withCondition({ metric: null, wildcard: "a(?!b)" }), /wildcard: .*without look-around/)
  await f(
    { name: "x", actions: [{ type: "event", category: 4 }] },
    /category: expected one of 1, 2, 3/,
  )
  await f({ name: "x", actions: [{ type: "pigeon" }] }, /actions\[0\]/)
  await f({ name: "x", eventConditions: [{ level: "LOUD" }] }, /level: expected one of INFO/)
  await f({ name: "x", scope: { elementName: "(", elementNameRegex: true } }, /elementName/)
  await f({ name: "x", scope: { elementTags: [{ name: "(", value: "" }] } }, /elementTags/)
  await f({ name: "x", enabled: "perhaps" }, /enabled: expected true or false/)
  await f({ duration: 301, enabled: "perhaps", actions: 7 }, /actions[^]*enabled/)
  assert.equal(await count(), before)
  const error = errorOf(await client().get("/policies/4711"))
  assert.equal(error.status, 400)
  assert.equal(errorOf(await client().get(`/policies/${nobody}`)).status, 404)
})

test("a policy counts the elements in its scope, and an element lists its policies", async () => {
  const all = await created({ name: "all", conditions })
  // Lists are in the order of creation, to the millisecond.
  const createdMs = Date.now()
  await eventually(() => Date.now() > createdMs)
  const prod = await created({
    name: "prod",
    conditions,
    scope: { elementTypes: ["SERVER"], elementTags: [{ name: "^ENV$", value: "prod" }] },
  })
  const none = await created({ name: "none", conditions, scope: { elementNameExclude: "WEB" } })
  const counts = (await client().get("/policies/elements")).json<Record<string, number>>()
  assert.deepEqual([counts[all.id], counts[prod.id], counts[none.id]], [2, 1, 0])

  const f = async (element: string, want: string[]) => {
    const reply = await client().get(`/elements/${element}/policies`)
    assert.equal(reply.status, 200, reply.text)
    const names = reply.json<{ policies: PolicyAnswer[] }>().policies.map((one) => one["name"])
    const created = names.filter((name) => ["all", "prod", "none"].includes(String(name)))
    assert.deepEqual(created, want)
  }
  await f("web-1", ["all", "prod"])
  await f("web-2", ["all"])
  assert.equal(errorOf(await client().get("/elements/nobody/policies")).status, 404)
})

test("a muted policy shows when its silence ends, until it is unmuted", async () => {
  const { id } = await created({ name: "noisy", conditions })
  const beforeMs = Date.now()
  const muted = await send("POST", `/policies/${id}/mute/3600000`)
  assert.equal(muted.status, 200)
  assert.equal(muted.text, "")
  const mutes = (await client().get("/policies/mute")).json<Record<string, number>>()
  assert.ok(mutes[id]! >= beforeMs + 3_600_000 && mutes[id]! <= Date.now() + 3_600_000)
  assert.equal((await send("DELETE", `/policies/${id}/mute`)).status, 200)
  assert.deepEqual((await client().get("/policies/mute")).json(), {})
  for (const bad of ["0", "-5", "soon"]) {
    const error = errorOf(await send("POST", `/policies/${id}/mute/${bad}`))
    assert.match(error.errors.join(), /muteMs: expected milliseconds/)
  }
  assert.equal((await send("POST", `/policies/${nobody}/mute/1000`)).status, 404)
  await send("POST", `/policies/${id}/mute/3600000`)
  await send("DELETE", `/policies/${id}`)
  assert.deepEqual((await client().get("/policies/mute")).json(), {})
})

test("policies without events count none", async () => {
  const { id } = await created({ name: "quiet", conditions })
  assert.equal((await client().get(`/policies/${id}/events`)).text, "0")
  assert.equal((await client().get("/policies/events")).json<Record<string, number>>()[id], 0)
  assert.equal(errorOf(await client().get(`/policies/${nobody}/events`)).status, 404)
  assert.equal(errorOf(await client().get("/policies/events?duration=P15D")).status, 400)
})
