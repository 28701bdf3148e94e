/** External events: posted with a key, durable, and read back (spec/events §1, spec/events §5). */

import assert from "node:assert/strict"
import { gzipSync } from "node:zlib"
import { test } from "node:test"
import type { Reply } from "../support/server/client.ts"
import { errorOf } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount({
  prepare: async (one) => {
    const tags = [{ name: "env", value: "prod" }]
    const sample = { metricId: "m", timestamp: Date.now(), val: 1 }
    const web = { id: "web-1", name: "Web One", type: "SERVER", location: "Paris", tags }
    assert.equal((await one.ingest([{ ...web, samples: [sample] }])).status, 202)
  },
})

interface EventAnswer {
  readonly id: string
  readonly [field: string]: unknown
}

const path = () => `/ingest/events/${client().apiKey}`
const detailed = { "X-Service-Api-Options": "SEND_RESPONSE_BODY" }

function post(body: unknown, headers = {}, to = path()): Promise<Reply> {
  return client().send(to, { method: "POST", body, headers })
}

async function events(params: Record<string, string | string[]> = {}): Promise<EventAnswer[]> {
  const reply = await client().get("/events", params)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ events: EventAnswer[] }>().events
}

const deployment = {
  type: "INFO",
  title: "Deployment",
  source: "ci",
  tags: [{ name: "stage", value: "production" }],
  data: { elementId: "web-1", level: "Warning", message: "1.2 is out", run: 7 },
}

test("an event is a 202 without a body, and reads back as its record", async () => {
  const timestamp = new Date(Date.now() - 60_000).toISOString()
  const reply = await post([{ ...deployment, timestamp }])
  assert.equal(reply.status, 202)
  assert.equal(reply.text, "")

  const [event, ...others] = await events({ title: "Deployment" })
  assert.equal(others.length, 0)
  const { id, elementId, processedTime, ...rest } = event!
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-3/)
  assert.equal(typeof elementId, "string")
  assert.ok(Date.parse(String(processedTime)) > Date.parse(timestamp))
  assert.deepEqual(rest, {
    timestamp,
    category: { id: "2", name: "WARNING", color: "#FFFF00" },
    data: deployment.data,
    elementFqn: "web-1",
    elementType: "SERVER",
    elementName: "Web One",
    elementLocation: "Paris",
    elementTags: { env: "prod" },
    policy: null,
    source: "ci",
    title: "Deployment",
    tags: [{ name: "stage", value: "production" }],
    type: "INFO",
    isExternal: true,
    eventTags: { stage: "production" },
  })
  const one = await client().get(`/events/${id}`)
  assert.deepEqual(one.json(), { event })
  const ofElement = await client().get("/elements/web-1/events")
  assert.deepEqual(ofElement.json(), { events: [event] })
})

test("the same event sent again, alone or in another batch, is the same event", async () => {
  const timestamp = Date.now() - 5_000
  const event = { ...deployment, title: "Again", timestamp }
  assert.equal((await post([event])).status, 202)
  assert.equal((await post([event, { ...event, title: "Other" }])).status, 202)
  assert.equal((await events({ title: "Again" })).length, 1)
  assert.equal((await events({ title: "Other" })).length, 1)
})

test("an event without data.elementId is accepted, not stored, and counted", async () => {
  const { data, ...nameless } = { ...deployment, title: "Nameless" }
  const body = [nameless, { ...nameless, data: { level: "INFO" } }, { ...nameless, data }]
  const reply = await post(body, detailed)
  assert.equal(reply.status, 202)
  const { detail, message, status } = reply.json<Record<string, unknown>>()
  const want = "3 events received, 2 of them not stored: no data.elementId"
  assert.deepEqual({ detail, message, status }, { detail: want, message: "ACCEPTED", status: 202 })
  assert.equal((await events({ title: "Nameless" })).length, 1)
  const figures = await client().send("/metrics/internal")
  assert.match(figures.text, /tidegauge_events_total\{outcome="discarded"\} 2\n/)
})

test("every form that collectors send is taken", async () => {
  const f = async (title: string, change: object, want: object) => {
    const reply = await post([{ ...deployment, title, ...change }])
    assert.equal(reply.status, 202, reply.text)
    const [event] = await events({ title })
    assert.ok(event !== undefined, title)
    for (const [field, value] of Object.entries(want)) assert.deepEqual(event[field], value, title)
  }
  const named = (elementId: string | number, level?: string | null) => {
    return { data: { elementId, ...(level !== undefined && { level }) } }
  }
  await f("cleaned", named("Post box/7"), { elementFqn: "Post_box7", elementName: "Post_box7" })
  await f("number", named(42), { elementFqn: "42" })
  const critical = { id: "3", name: "CRITICAL", color: "#FF0000" }
  const info = { id: "1", name: "INFO", color: "#0000FF" }
  await f("crit", named("a", "CRIT"), { category: critical })
  await f("nagios", { ...named("a", "UNREACHABLE"), type: "critical" }, { category: critical })
  await f("ok", named("a", "OK"), { category: info })
  await f("no level", named("a", null), { category: info })
  await f("no source", { source: null }, { source: "Custom" })
  await f(
    "tag map",
    { tags: { a: 1 } },
    { eventTags: { a: "1" }, tags: [{ name: "a", value: "1" }] },
  )
  await f("null tags", { tags: null, timestamp: null }, { tags: [] })
  const atMs = Date.now() - 1_000
  await f("text ms", { timestamp: String(atMs) }, { timestamp: new Date(atMs).toISOString() })
})

test("kinds, encodings and trailing slashes do not matter", async () => {
  const body = JSON.stringify([{ ...deployment, title: "Gzip é" }])
  const to = `/ingest/events/infrastructure/${client().apiKey}/`
  const headers = { "content-encoding": "gzip", "content-type": "text/plain" }
  assert.equal((await post(gzipSync(body), headers, to)).status, 202)
  const latin = Buffer.from(body.replace("Gzip", "Latin"), "latin1")
  assert.equal((await post(latin, {}, to)).status, 202)
  assert.equal((await events({ title: "Gzip é" })).length, 1)
  assert.equal((await events({ title: "Latin é" })).length, 1)
  const none = await post([], detailed)
  assert.equal(none.json<{ detail: string }>().detail, "0 events received")
})

test("INJECT_TIMESTAMP wins over what was sent", async () => {
  const timestamp = Date.now() - 3_600_000
  const beforeMs = Date.now()
  const options = { "X-Netuitive-Api-Options": "INJECT_TIMESTAMP" }
  assert.equal((await post([{ ...deployment, title: "Now", timestamp }], options)).status, 202)
  const [event] = await events({ title: "Now" })
  assert.ok(Date.parse(String(event!["timestamp"])) >= beforeMs)
})

test("equal events are one if they bring their time, several if the server gives it", async () => {
  const timestamp = Date.now() - 60_000
  const injected = { "X-Netuitive-Api-Options": "INJECT_TIMESTAMP" }
  const f = async (title: string, more: object, options: Record<string, string>, want: number) => {
    const body = [{ ...deployment, title, ...more }]
    const posts = await Promise.all([1, 2, 3].map(() => post(body, options)))
    assert.deepEqual(
      posts.map(({ status }) => status),
      [202, 202, 202],
    )
    assert.equal((await events({ title })).length, want, title)
  }
  await f("Timed", { timestamp }, {}, 1)
  await f("Untimed", { timestamp: undefined }, {}, 3)
  await f("Injected", { timestamp }, injected, 3)
})

test("a body that means nothing is refused whole, with what is wrong with it", async () => {
  const good = { ...deployment, title: "Half" }
  const f = async (body: unknown, want: RegExp, detail = "Input Validation Failed") => {
    const error = errorOf(await post(body))
    assert.equal(error.status, 400)
    assert.equal(error.detail, detail)
    assert.match(error.errors.join("\n"), want)
  }
  await f("{", /Could not read JSON/, "Error Parsing JSON Request")
  await f("", /Could not read JSON/, "Error Parsing JSON Request")
  await f(good, /expected an array of events/)
  await f([good, { ...good, title: "" }], /\[1\]\.title: expected a text that is not empty, got ""/)
  await f([good, { ...good, type: undefined }], /\[1\]\.type/)
  await f([{ ...good, data: "text" }], /\[0\]\.data: expected an object, got "text"/)
  await f([good, { ...good, timestamp: "2020-01-01T00:00:00Z" }], /\[1\].*accepted period/)
  await f([{ ...good, timestamp: Math.floor(Date.now() / 1000) }], /multiply it by 1000/)
  await f([{ ...good, timestamp: "yesterday" }], /\[0\]\.timestamp: cannot read "yesterday"/)
  await f([{ ...good, tags: [{ value: "a" }] }], /\[0\]\.tags/)
  await f("[".repeat(40), /nested at most 32 deep/)
  assert.equal((await events({ title: "Half" })).length, 0)
})

test("an unknown key is a 403, a body too large a 413", async () => {
  const unknown = await post([deployment], {}, "/ingest/events/0123456789abcdef0123456789abcdef")
  assert.equal(errorOf(unknown).status, 403)
  const large = await post([{ ...deployment, data: { elementId: "a", text: "x".repeat(2 ** 20) } }])
  assert.equal(errorOf(large).status, 413)
})

test("100 concurrent posts are all stored", async () => {
  const posts = Array.from({ length: 100 }, (_, i) =>
    post([{ ...deployment, title: "Burst", data: { elementId: `burst-${i}` } }]),
  )
  for (const reply of await Promise.all(posts)) assert.equal(reply.status, 202)
  assert.equal((await events({ title: "Burst" })).length, 100)
})
