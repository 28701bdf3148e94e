/** Deliveries of an incident: delivered, waiting and why, given up and why. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { NotificationMessage } from "../../src/model/records/notification-message.ts"
import { Deliveries } from "../../src/notify/deliveries.ts"
import type { Recipient } from "../../src/notify/notification-sender.ts"
import { outboxChanges } from "../../src/notify/outbox.ts"
import { listen } from "../outbound/listener.ts"
import { incidentWith, messageAt, startMs, workerOf } from "./test-delivery.ts"

const incidentId = "0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10"
const dayMs = 86_400_000

const hookTo = (port: number): Recipient => ({
  type: "webhook",
  properties: { name: "hook", url: `http://127.0.0.1:${port}/hook` },
})

const messageOf = (timeMs: number, notificationId: number): NotificationMessage => ({
  ...messageAt(timeMs, notificationId),
  incidentId,
})

test("a message is delivered, waits with a reason, or is given up with one", async (t) => {
  const good = await listen()
  const bad = await listen(() => ({ status: 503 }))
  t.after(() => Promise.all([good.close(), bad.close()]))
  const recipients = new Map([
    [1, hookTo(good.port)],
    [2, hookTo(bad.port)],
  ])
  const fixture = workerOf(recipients)
  const { documents, clock } = fixture
  const messages = [1, 2, 3].map((id) => messageOf(startMs, id))
  const incident = incidentWith(messages)
  const told = async () => {
    const found = await new Deliveries(documents).of(0, incident)
    return found.map(({ state, reason, endMs, retryMs }) => ({ state, reason, endMs, retryMs }))
  }
  await documents.putAll(outboxChanges(messages))
  const waiting = { state: "waiting", reason: null, endMs: null, retryMs: null }
  assert.deepEqual(await told(), [waiting, waiting, waiting])
  await fixture.run()
  const [first, second, third] = await told()
  const endMs = clock.nowMs()
  assert.deepEqual(first, { state: "delivered", reason: null, endMs, retryMs: null })
  assert.equal(second!.state, "waiting")
  assert.match(second!.reason!, /got 503/)
  assert.ok(second!.retryMs! > clock.nowMs())
  const reason = "the notification is disabled or removed"
  assert.deepEqual(third, { state: "failed", reason, endMs, retryMs: null })
  for (let hours = 0; hours <= 24; hours++) {
    clock.advance(dayMs / 24)
    await fixture.run()
  }
  const [, given] = await told()
  assert.equal(given!.state, "failed")
  assert.match(given!.reason!, /it failed for a day: .*got 503/)
  assert.deepEqual(fixture.disabled, [])
})

test("a message about no incident, as of earlier versions, leaves no outcome", async (t) => {
  const good = await listen()
  t.after(() => good.close())
  const fixture = workerOf(new Map([[1, hookTo(good.port)]]))
  await fixture.documents.putAll(outboxChanges([messageAt(startMs)]))
  await fixture.run()
  assert.equal(good.received.length, 1)
  assert.deepEqual(await fixture.documents.list("delivery:0"), [])
})
