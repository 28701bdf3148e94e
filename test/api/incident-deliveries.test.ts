/** Deliveries of an incident over HTTP and through a restart (spec/events §7). */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { listen, type Listener } from "../outbound/listener.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { callerOf, newUser } from "../support/server/caller.ts"
import { startServer, storyProgram, type TestServer } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

interface DeliveryAnswer {
  readonly notificationId: number
  readonly notificationName: string | null
  readonly notificationType: string | null
  readonly time: string
  readonly step: string
  readonly state: string
  readonly endTime: string | null
  readonly retryTime: string | null
  readonly reason: string | null
}

interface IncidentAnswer {
  readonly incident: { readonly incidentId: string }
  readonly deliveries: readonly DeliveryAnswer[]
}

const flags = ["--allow-private-addresses", "127.0.0.0/8", "--base-url", "https://tide.example/t"]
const folder = makeFolder("tidegauge-deliveries")
let server: TestServer
let good: Listener
let bad: Listener
let incidentId = ""

const admin = () => callerOf(server.client)

async function read(caller = admin()): Promise<IncidentAnswer> {
  const reply = await caller.get(`/incidents/${incidentId}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<IncidentAnswer>()
}

async function newHook(name: string, port: number): Promise<number> {
  const properties = { name, url: `http://127.0.0.1:${port}/hook` }
  const made = await admin().post("/notifications", {
    notification: { type: "webhook", properties },
  })
  return made.json<{ notification: { id: number } }>().notification.id
}

before(async () => {
  server = await startServer({ folder, flags, program: storyProgram() })
  good = await listen()
  bad = await listen(() => ({ status: 503 }))
  const ids = [await newHook("mail ops", good.port), await newHook("Slack", bad.port)]
  const actions = ids.map((id) => {
    return { type: "notification", id, enabled: true, notifyFrequencyMin: 5, sendOnClear: true }
  })
  const policy = { name: "Disk", eventConditions: [{ messageRegex: "fails" }], actions }
  assert.equal((await admin().post("/policies", { policy })).status, 200)
  const data = { elementId: "web-1", message: "sda1 fails" }
  const body = [{ type: "INFO", title: "sda1", source: "ci", timestamp: Date.now(), data }]
  const path = `/ingest/events/${server.client.apiKey}`
  assert.equal((await server.client.send(path, { method: "POST", body })).status, 202)
  const { incidents } = (await admin().get("/incidents")).json<{
    incidents: readonly { readonly incidentId: string }[]
  }>()
  incidentId = incidents[0]!.incidentId
})

after(async () => {
  await server.stop()
  await Promise.all([good.close(), bad.close()])
  removeFolder(folder)
})

test("one is delivered, the other waits and says why; messages link to the incident", async () => {
  await eventually(async () => {
    const { deliveries } = await read()
    return deliveries.some(({ state }) => state === "delivered") && bad.received.length > 0
  })
  await eventually(async () => (await read()).deliveries[1]!.reason !== null)
  const [mail, slack] = (await read()).deliveries
  assert.equal(mail!.notificationName, "mail ops")
  assert.equal(mail!.notificationType, "webhook")
  assert.deepEqual([mail!.step, mail!.state, mail!.reason], ["fired", "delivered", null])
  assert.ok(Date.parse(mail!.endTime!) >= Date.parse(mail!.time))
  assert.deepEqual([slack!.step, slack!.state, slack!.endTime], ["fired", "waiting", null])
  assert.match(slack!.reason!, /got 503/)
  assert.ok(Date.parse(slack!.retryTime!) > Date.parse(slack!.time))
  const { incidentUrl } = JSON.parse(good.received[0]!.body) as { incidentUrl: string }
  assert.equal(incidentUrl, `https://tide.example/t/app/incidents/${incidentId}`)
})

test("Read Only users see the state, not the reason, which may name an address", async () => {
  const reader = await newUser(server.client, "delivery-reader", "Read Only")
  const [mail, slack] = (await read(reader)).deliveries
  assert.deepEqual([mail!.state, slack!.state, slack!.reason], ["delivered", "waiting", null])
})

test("deliveries are there after a restart; a removed notification has no name", async () => {
  const former = (await read()).deliveries
  await server.stop()
  server = await startServer({ folder, flags, program: storyProgram() })
  assert.deepEqual((await read()).deliveries, former)
  const removed = await admin().delete(`/notifications/${former[1]!.notificationId}`)
  assert.equal(removed.status, 204)
  const [, slack] = (await read()).deliveries
  assert.deepEqual([slack!.notificationName, slack!.notificationType], [null, null])
})

test("the end of an incident is a message of its own", async () => {
  assert.equal((await admin().put(`/incidents/${incidentId}`)).status, 204)
  await eventually(async () => {
    const cleared = (await read()).deliveries.filter(({ step }) => step === "cleared")
    return cleared.length === 2 && cleared.some(({ state }) => state === "delivered")
  })
})
