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
let refusing: Listener
let incidentId = ""
let policyId = ""

const admin = () => callerOf(server.client)

async function read(caller = admin()): Promise<IncidentAnswer> {
  const reply = await caller.get(`/incidents/${incidentId}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<IncidentAnswer>()
}

async function newHook(name: string, port: number, type = "webhook"): Promise<number> {
  const key = type === "pagerduty" ? { serviceKey: "k" } : {}
  const properties = { name, url: `http://127.0.0.1:${port}/hook`, ...key }
  const made = await admin().post("/notifications", { notification: { type, properties } })
  return made.json<{ notification: { id: number } }>().notification.id
}

before(async () => {
  server = await startServer({ folder, flags, program: storyProgram() })
  good = await listen()
  bad = await listen(() => ({ status: 503 }))
  refusing = await listen(({ body }) => ({ status: body.includes("web-1") ? 400 : 200 }))
  const ids = [
    await newHook("mail ops", good.port),
    await newHook("Slack", bad.port),
    await newHook("strict", refusing.port),
    await newHook("on call", good.port, "pagerduty"),
  ]
  const actions = ids.map((id, i) => {
    const sendOnClear = i < 3
    return { type: "notification", id, enabled: true, notifyFrequencyMin: 5, sendOnClear }
  })
  const policy = { name: "Disk", eventConditions: [{ messageRegex: "fails" }], actions }
  const made = await admin().post("/policies", { policy })
  policyId = made.json<{ policy: { id: string } }>().policy.id
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
  await Promise.all([good, bad, refusing].map((one) => one.close()))
  removeFolder(folder)
})

test("one is delivered, the other waits and says why; messages link to the incident", async () => {
  await eventually(async () => {
    const { deliveries } = await read()
    const delivered = deliveries.filter(({ state }) => state === "delivered")
    return delivered.length === 2 && bad.received.length > 0
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
  const posted = good.received.map(({ body }) => JSON.parse(body) as { incidentUrl?: string })
  const { incidentUrl } = posted.find((one) => one.incidentUrl !== undefined)!
  assert.equal(incidentUrl, `https://tide.example/t/app/incidents/${incidentId}`)
})

test("a message about an external event has the event's texts (R16)", () => {
  const posted = good.received.map(({ body }) => JSON.parse(body) as { event?: object })
  const { event } = posted.find((one) => one.event !== undefined)!
  const { message, title, source } = event as Record<string, unknown>
  assert.deepEqual([message, title, source], ["sda1 fails", "sda1", "ci"])
})

test("a message that its receiver refuses has failed, and the next one is sent (R2)", async () => {
  await eventually(async () => (await read()).deliveries[2]!.state !== "waiting")
  const strict = (await read()).deliveries[2]!
  assert.deepEqual([strict.state, strict.retryTime], ["failed", null])
  assert.match(strict.reason!, /got 400/)
  const data = { elementId: "web-2", message: "sdb1 fails" }
  const body = [{ type: "INFO", title: "sdb1", source: "ci", timestamp: Date.now(), data }]
  const path = `/ingest/events/${server.client.apiKey}`
  assert.equal((await server.client.send(path, { method: "POST", body })).status, 202)
  await eventually(() => refusing.received.some((one) => one.body.includes("web-2")))
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

test("the end of an incident reaches all that got its start, though muted (R11)", async () => {
  assert.equal((await admin().post(`/policies/${policyId}/mute/3600000`)).status, 200)
  assert.equal((await admin().put(`/incidents/${incidentId}`)).status, 204)
  await eventually(async () => {
    const cleared = (await read()).deliveries.filter(({ step }) => step === "cleared")
    const delivered = cleared.filter(({ state }) => state === "delivered")
    return cleared.length === 4 && delivered.length === 2
  })
  interface Alert {
    readonly event_action?: string
    readonly payload?: { readonly source: string }
  }
  // PagerDuty gets it though its action does not ask for it.
  const alerts = good.received.map(({ body }) => JSON.parse(body) as Alert)
  assert.deepEqual(
    alerts.filter(({ payload }) => payload?.source === "web-1").map((one) => one.event_action),
    ["trigger", "resolve"],
  )
})
