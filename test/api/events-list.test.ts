/** GET /events with every parameter; removal; webhooks (spec/events §3, spec/events §5). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import type { QueryParams } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"

const nowMs = Date.now()
const hourMs = 3_600_000

function event(title: string, elementId: string, change: object = {}) {
  return { type: "INFO", title, timestamp: nowMs - 60_000, data: { elementId }, ...change }
}

const client = useAccount({
  prepare: async (one) => {
    const element = (id: string, type: string, env: string) => {
      const tags = [{ name: "env", value: env }]
      const samples = [{ metricId: "m", timestamp: nowMs, val: 1 }]
      return { id, name: `The ${id}`, type, tags, samples }
    }
    const elements = [element("web", "SERVER", "prod"), element("db", "DATABASE", "test")]
    assert.equal((await one.ingest(elements)).status, 202)
    const body = [
      event("up, now", "web", { timestamp: nowMs - 50_000 }),
      event("slow", "web", { type: "WARNING", tags: [{ name: "a", value: "b" }] }),
      event("full", "db", { type: "CRITICAL" }),
      event("old", "db", { timestamp: nowMs - 3 * hourMs }),
      event("unknown", "postbox"),
    ]
    const path = `/ingest/events/${client().apiKey}`
    assert.equal((await one.send(path, { method: "POST", body })).status, 202)
  },
})

interface Listed {
  readonly id: string
  readonly title: string
  readonly elementId: string
  readonly type: string
  readonly data: Record<string, unknown>
  readonly source: string
}

async function listed(params: QueryParams): Promise<Listed[]> {
  const reply = await client().get("/events", params)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ events: Listed[] }>().events
}

test("each parameter keeps what it names, several of one take any, of two take both", async () => {
  const f = async (params: QueryParams, want: string[]) => {
    const titles = (await listed(params)).map(({ title }) => title)
    assert.deepEqual(titles.sort(), want.sort(), JSON.stringify(params))
  }
  await f({}, ["up, now", "slow", "full", "unknown"])
  await f({ duration: "PT4H" }, ["up, now", "slow", "full", "old", "unknown"])
  const window = { startTime: nowMs - 4 * hourMs, endTime: nowMs - 2 * hourMs }
  await f(window, ["old"])
  await f({ startTime: nowMs - 10 * hourMs, endTime: nowMs - 9 * hourMs }, [])
  await f({ category: "warning" }, ["slow"])
  await f({ category: ["WARNING", "CRITICAL"] }, ["slow", "full"])
  await f({ elementId: "web" }, ["up, now", "slow"])
  const [slow] = await listed({ title: "slow" })
  await f({ elementId: slow!.elementId }, ["up, now", "slow"])
  await f({ elementName: "The db" }, ["full"])
  await f({ elementName: "postbox" }, ["unknown"])
  await f({ elementType: "SERVER" }, ["up, now", "slow"])
  await f({ elementType: ["SERVER", "DATABASE"] }, ["up, now", "slow", "full"])
  await f({ elementTags: '[{"name":"env","value":"prod"}]' }, ["up, now", "slow"])
  await f({ tags: '{"env":["test"]}' }, ["full"])
  await f({ eventTags: '[{"name":"a","value":"b"}]' }, ["slow"])
  await f({ title: "up, now" }, ["up, now"])
  await f({ title: ["up, now", "full"] }, ["up, now", "full"])
  await f({ type: "warning,critical" }, ["slow", "full"])
  await f({ isExternal: true }, ["up, now", "slow", "full", "unknown"])
  await f({ isExternal: false }, [])
  await f({ policy: "00000000-0000-4000-8000-000000000000" }, [])
  await f({ category: "WARNING", elementType: "DATABASE" }, [])
})

test("events are listed oldest first", async () => {
  const reply = await client().get("/events", { duration: "PT4H" })
  const times = reply.json<{ events: { timestamp: string }[] }>().events.map((one) => one.timestamp)
  assert.deepEqual(times, [...times].sort())
})

test("what has no meaning is refused, naming the parameter", async () => {
  const f = async (path: string, status: number, want: RegExp) => {
    const error = errorOf(await client().get(path))
    assert.equal(error.status, status, path)
    assert.match(error.errors.join("\n"), want)
  }
  await f("/events?category=LOUD", 400, /category: expected one of INFO, WARNING, CRITICAL/)
  await f("/events?duration=P15D", 400, /two weeks/)
  await f("/events?duration=soon", 400, /duration/)
  await f("/events?startTime=soon", 400, /startTime/)
  await f("/events?isExternal=perhaps", 400, /isExternal: expected true or false/)
  await f("/events?elementTags=a", 400, /elementTags: expected JSON/)
  await f("/events/4711", 400, /UUID/)
  await f("/events/00000000-0000-4000-8000-000000000000", 404, /event/)
  await f("/elements/nobody/events", 404, /nobody/)
})

test("events of an element that never sent a sample are found under its name", async () => {
  const reply = await client().get("/elements/postbox/events")
  const { events } = reply.json<{ events: Listed[] }>()
  assert.deepEqual(
    events.map(({ title }) => title),
    ["unknown"],
  )
})

test("a removed event is not found", async () => {
  const path = `/ingest/events/${client().apiKey}`
  await client().send(path, { method: "POST", body: [event("brief", "web")] })
  const [brief] = await listed({ title: "brief" })
  const headers = { authorization: client().authorization }
  const remove = () => client().send(`/events/${brief!.id}`, { method: "DELETE", headers })
  assert.equal((await remove()).status, 204)
  assert.equal((await remove()).status, 404)
  assert.deepEqual(await listed({ title: "brief" }), [])
})

test("removing the events of a policy leaves the others", async () => {
  const headers = { authorization: client().authorization }
  const path = "/events/delete/policy/00000000-0000-4000-8000-000000000000"
  assert.equal((await client().send(path, { method: "DELETE", headers })).status, 204)
  assert.equal((await listed({})).length, 4)
})

test("any text posted to a webhook becomes an event of its integration's element", async () => {
  const body = "Disk sda1 is failing\nreplace it"
  for (const path of [
    `/ingest/webhook/${client().apiKey}`,
    `/ingest/webhook/nagios/${client().apiKey}/`,
  ]) {
    const reply = await client().send(path, { method: "POST", body })
    assert.equal(reply.status, 202, reply.text)
    assert.equal(reply.text, "")
  }
  const found = await listed({ type: "WEBHOOK" })
  assert.equal(found.length, 2)
  const { title, data, source } = found[0]!
  const want = { elementId: "Custom", message: body }
  assert.deepEqual(
    { title, data, source },
    { title: "Disk sda1 is failing", data: want, source: "Custom" },
  )
  const empty = await client().send(`/ingest/webhook/${client().apiKey}`, {
    method: "POST",
    body: " ",
  })
  assert.equal(errorOf(empty).status, 400)
})

test("there are no incidents until a policy opens one", async () => {
  const reply = await client().get("/incidents", { isClosed: false, limit: 10 })
  assert.deepEqual(reply.json(), { incidents: [] })
  const id = "00000000-0000-4000-8000-000000000000"
  assert.equal((await client().get(`/incidents/${id}`)).status, 404)
  const headers = { authorization: client().authorization }
  const close = await client().send(`/incidents/${id}`, { method: "PUT", headers })
  assert.equal(close.status, 404)
  const wrong = errorOf(await client().get("/incidents?limit=many&startDate=soon"))
  assert.match(wrong.errors.join("\n"), /startDate[^]*limit/)
})
