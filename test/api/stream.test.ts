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

test("figures of ingest have the newest element, and neither key nor id of the key", async () => {
  const stream = open("ingest")
  await stream.next("time")
  const timestamp = Date.now()
  const samples = [{ metricId: "cpu", timestamp, val: 1 }]
  assert.equal((await client().ingest([{ id: "streamed", samples }])).status, 202)
  const { data } = await stream.next("ingest", (one) => Number(one["samples"]) >= 1)
  const newest = data["newestElement"] as Record<string, unknown>
  assert.equal(newest["fqn"], "streamed")
  assert.deepEqual(Object.keys(newest), ["id", "fqn", "name", "type"])
  assert.equal(data["newestSample"], new Date(timestamp).toISOString())
  const told = JSON.stringify(stream.messages)
  assert.ok(!told.includes(client().apiKey) && !/[0-9a-f]{64}/.test(told), told)
  assert.ok("keyName" in data)
})

async function idsOf(fqn: string, metric: string): Promise<string> {
  const reply = await callerOf(client()).get(`/elements/${fqn}`)
  const { element } = reply.json<{
    element: { id: string; metrics: { id: string; fqn: string }[] }
  }>()
  return `${element.id}.${element.metrics.find(({ fqn: own }) => own === metric)!.id}`
}

test("raw points of followed series come as they are stored, those of others do not", async () => {
  const post = async (val: number): Promise<number> => {
    const timestamp = Date.now()
    const samples = ["cpu", "disk"].map((metricId) => ({ metricId, timestamp, val }))
    assert.equal((await client().ingest([{ id: "followed", samples }])).status, 202)
    return timestamp
  }
  const before = await post(1)
  const name = await idsOf("followed", "cpu")
  const unknown = name.replaceAll(/[0-9a-f]/g, "0")
  const stream = open(`series&series=${name},${unknown}`)
  const points = () =>
    stream.messages.flatMap(({ event, data }) =>
      event === "series" ? (data["series"] as { points: [number, number][] }[]) : [],
    )
  await stream.next("series")
  const later = await post(2)
  await eventually(() => points().length === 2)
  assert.deepEqual(
    points().map((one) => one.points),
    [[[before, 1]], [[later, 2]]],
  )
})

test("series that are too many or misspelt are refused", async () => {
  const { authorization } = client()
  const name = "6a7fb1f8-5b9c-3f0e-9d0a-0f3a5c2f1d11.0d9a3f86-8d2e-3c66-8f5e-3f9f8f0b7a21"
  const refused = {
    [`topics=series&series=${"x,".repeat(201)}`]: /^series: expected at most 200 series, got 201/,
    [`topics=series&series=${name}.x`]: /^series: expected ids as elementId.metricId, got "6a7f/,
    "topics=series&series=web-1.cpu":
      /^series: expected ids as elementId.metricId, got "web-1.cpu"/,
  }
  for (const [query, sentence] of Object.entries(refused)) {
    const reply = await client().send(`/stream?${query}`, { headers: { authorization } })
    assert.equal(reply.status, 400, query)
    assert.match(errorOf(reply).errors[0]!, sentence)
  }
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
