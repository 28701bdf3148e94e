/** Streams of what happens: topics, resumption, ends (spec/status §2). */

import assert from "node:assert/strict"
import { after, test } from "node:test"
import { callerOf } from "../support/server/caller.ts"
import { eventually } from "../support/time/eventually.ts"
import { EventStreamClient } from "../support/server/event-stream.ts"
import { errorOf } from "../support/server/responses.ts"
import {
  adminEmail,
  adminPassword,
  startServer,
  storyProgram,
  useServer,
} from "../support/server/server.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"

const client = useServer()
const opened: EventStreamClient[] = []

after(() => opened.forEach((one) => one.close()))

function open(topics: string, headers: Record<string, string> = {}): EventStreamClient {
  const { url, authorization } = client()
  const address = new URL(`/stream?topics=${topics}`, url)
  const stream = new EventStreamClient(address, { authorization, ...headers })
  opened.push(stream)
  return stream
}

async function newPolicy(name: string): Promise<string> {
  const policy = {
    name,
    scope: { fqnIncludes: [name] },
    eventConditions: [{ messageRegex: "failing", level: "CRITICAL" }],
    actions: [{ type: "event", category: 3 }],
  }
  const reply = await client().post("/policies", { policy })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ policy: { id: string } }>().policy.id
}

async function postEvent(elementId: string, title: string): Promise<void> {
  const data = { elementId, level: "CRITICAL", message: `${title} is failing` }
  const body = [{ type: "INFO", title, source: "nagios", timestamp: Date.now(), data }]
  const path = `/ingest/events/${client().apiKey}`
  const reply = await client().send(path, { method: "POST", body })
  assert.equal(reply.status, 202, reply.text)
}

test("an event, its incident and its end are reported as they happen", async () => {
  const policyId = await newPolicy("stream-store")
  const stream = open("incident,event")
  const time = await stream.next("time")
  assert.equal(time.data["speed"], 1)
  await postEvent("stream-store", "sda1")
  const event = await stream.next("event", ({ title }) => title === "sda1")
  assert.equal(event.data["level"], "CRITICAL")
  const incident = await stream.next("incident", ({ step }) => step === "opened")
  assert.equal(incident.data["policyId"], policyId)
  assert.equal(incident.data["elementFqn"], "stream-store")
  const path = `/incidents/${String(incident.data["incidentId"])}`
  assert.equal((await callerOf(client()).put(path)).status, 204)
  await stream.next("incident", ({ step, closed }) => step === "closed" && closed === true)

  const resumed = open("incident", { "last-event-id": String(event.id) })
  await resumed.next("incident", ({ step }) => step === "closed")
  const strange = open("incident", { "last-event-id": "17" })
  await strange.next("reset")
})

test("figures of ingest have the id of the key, never the key", async () => {
  const stream = open("ingest")
  await stream.next("time")
  const samples = [{ metricId: "cpu", timestamp: Date.now(), val: 1 }]
  assert.equal((await client().ingest([{ id: "streamed", samples }])).status, 202)
  const { data } = await stream.next("ingest", (one) => Number(one["samples"]) >= 1)
  assert.match(String(data["keyId"]), /^[0-9a-f]{64}$/)
  assert.ok(!JSON.stringify(stream.messages).includes(client().apiKey))
})

test("a check that expires and one that comes back are reported", async () => {
  const stream = open("check")
  await stream.next("time")
  const post = (ttl: number) =>
    client().send(`/check/${client().apiKey}/stream-heartbeat/web-1/${ttl}`, { method: "POST" })
  assert.equal((await post(0.2)).status, 202)
  await stream.next("check", ({ state }) => state === "expired")
  assert.equal((await post(600)).status, 202)
  await stream.next("check", ({ state }) => state === "armed")
})

test("topics that are missing or unknown are refused by name", async () => {
  const { authorization } = client()
  for (const query of ["", "?topics=", "?topics=incident,gossip"]) {
    const reply = await client().send(`/stream${query}`, { headers: { authorization } })
    assert.equal(reply.status, 400, query)
    assert.match(errorOf(reply).errors[0]!, /^topics: expected some of cycle, incident/)
  }
  const head = await client().send("/stream?topics=cycle", {
    method: "HEAD",
    headers: { authorization },
  })
  assert.equal(head.status, 200)
})

test("the stream of a login session ends with the session", async () => {
  const headers = { "x-tidegauge-request": "1", "content-type": "application/json" }
  const body = { email: adminEmail, password: adminPassword }
  const signedIn = await client().send("/sessions", { method: "POST", headers, body })
  const cookie = signedIn.headers["set-cookie"]![0]!.split(";")[0]!
  const stream = new EventStreamClient(new URL("/stream?topics=cycle", client().url), { cookie })
  opened.push(stream)
  await stream.next("time")
  const other = open("cycle")
  await other.next("time")
  const out = { method: "DELETE", headers: { ...headers, cookie } }
  assert.equal((await client().send("/sessions/current", out)).status, 204)
  const bye = await stream.next("bye")
  assert.equal(bye.data["reason"], "signedOut")
  await eventually(() => stream.isEnded)
  assert.equal(other.isEnded, false)
})

test("a stop says bye to every stream", async () => {
  const folder = makeFolder("tidegauge-stream-stop")
  const server = await startServer({ folder, program: storyProgram() })
  const { authorization } = server.client
  const stream = new EventStreamClient(new URL("/stream?topics=cycle", server.url), {
    authorization,
  })
  await stream.next("time")
  assert.equal(await server.stop(), 0)
  assert.equal(stream.messages.at(-1)?.event, "bye")
  removeFolder(folder)
})
