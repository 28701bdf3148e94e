/** A message that cannot be delivered holds no other up; a receiver that is down is spared. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { invalid } from "../../src/base/errors.ts"
import type { NotificationMessage } from "../../src/model/records/notification-message.ts"
import { firstRetryMs, retryMsMax } from "../../src/notify/backoff.ts"
import { Deliveries } from "../../src/notify/deliveries.ts"
import { MessageRefused } from "../../src/notify/message-refused.ts"
import type { Recipient } from "../../src/notify/notification-sender.ts"
import { outboxChanges } from "../../src/notify/outbox.ts"
import { incidentMessage, incidentWith, startMs, workerOf } from "./test-delivery.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const recipient: Recipient = { type: "webhook", properties: { name: "hook" } }

type Answer = "ok" | "refuse" | "fail"

/** A worker whose receiver answers by message; it may change its mind. */
async function workerFor(messages: readonly NotificationMessage[]) {
  const receiver = {
    answer: ((): Answer => "ok") as (message: NotificationMessage) => Answer,
    tried: [] as string[],
    delivered: [] as string[],
  }
  const deliver = async (_: Recipient, message: NotificationMessage): Promise<undefined> => {
    receiver.tried.push(message.id)
    const answer = receiver.answer(message)
    if (answer === "refuse") throw new MessageRefused("got 400")
    if (answer === "fail") throw invalid("got 500")
    receiver.delivered.push(message.id)
  }
  const recipients = new Map([[1, recipient]])
  const fixture = workerOf(recipients, { sender: { deliver } })
  const add = (more: readonly NotificationMessage[]) =>
    fixture.documents.putAll(outboxChanges(more))
  await add(messages)
  /** States and reasons of the messages. */
  const states = async (some: readonly NotificationMessage[] = messages) => {
    const found = await Promise.all(
      some.map((one) => new Deliveries(fixture.documents).of(0, incidentWith([one]))),
    )
    return found.map(([one]) => [one!.state, one!.reason])
  }
  const after = async (ms: number) => {
    fixture.clock.advance(ms)
    await fixture.run()
  }
  const restarted = () => workerOf(recipients, { ...fixture, sender: { deliver } })
  return { ...fixture, recipients, receiver, states, after, add, restarted }
}

/** Messages about as many incidents, a minute apart. */
const aboutIncidents = (count: number, fromMs = startMs) =>
  Array.from({ length: count }, (_, i) => {
    return incidentMessage(`host-${i}-${fromMs}`, fromMs + i * 60_000)
  })

const idsOf = (messages: readonly NotificationMessage[]) => messages.map(({ id }) => id)

test("a refused message has failed, the next one is delivered (R2)", async () => {
  const [a, b] = aboutIncidents(2)
  const { receiver, run, states, worker, after, disabled } = await workerFor([a!, b!])
  receiver.answer = ({ id }) => (id === a!.id ? "refuse" : "ok")
  await run()
  assert.deepEqual(receiver.delivered, [b!.id])
  assert.deepEqual(await states([a!, b!]), [
    ["failed", "got 400"],
    ["delivered", null],
  ])
  const { delivered, failed, dropped } = worker.figures
  assert.deepEqual([delivered, failed, dropped], [1, 1, 1])
  for (let hours = 0; hours < 50; hours++) await after(hourMs)
  assert.equal(receiver.tried.length, 2)
  assert.deepEqual(disabled, [])
})

test("all messages around one that fails are delivered in order, and it after them", async () => {
  const messages = aboutIncidents(10)
  const bad = messages[3]!
  const { receiver, run, after, states } = await workerFor(messages)
  receiver.answer = ({ id }) => (id === bad.id ? "fail" : "ok")
  await run()
  const others = messages.filter((one) => one !== bad)
  assert.deepEqual(receiver.delivered, idsOf(others))
  assert.deepEqual(await states([bad]), [["waiting", "got 500"]])
  receiver.answer = () => "ok"
  await after(2 * firstRetryMs)
  assert.deepEqual(receiver.delivered, idsOf([...others, bad]))
})

test("messages of one incident keep their order; those of others do not wait", async () => {
  const fired = incidentMessage("a", startMs)
  const repeated = incidentMessage("a", startMs + 60_000)
  const other = incidentMessage("b", startMs + 90_000)
  const cleared = incidentMessage("a", startMs + 120_000, { payloadType: "event_cleared" })
  const { receiver, run, after, states, add } = await workerFor([fired, repeated, other])
  receiver.answer = ({ id }) => (id === fired.id ? "fail" : "ok")
  await run()
  await add([cleared])
  await run()
  assert.deepEqual(receiver.tried, [fired.id, other.id])
  const held = ["waiting", "an earlier message about the incident waits"]
  assert.deepEqual(await states([fired, repeated, cleared]), [["waiting", "got 500"], held, held])
  receiver.answer = () => "ok"
  await after(2 * firstRetryMs)
  assert.deepEqual(receiver.delivered, idsOf([other, fired, repeated, cleared]))
})

test("a message after one of its incident that was refused or given up is sent", async () => {
  const [fired, cleared] = [0, 1].map((i) => incidentMessage("a", startMs + i * 60_000))
  for (const answer of ["refuse", "fail"] as const) {
    const { receiver, run, after } = await workerFor([fired!, cleared!])
    receiver.answer = ({ id }) => (id === fired!.id ? answer : "ok")
    await run()
    for (let hours = 0; hours < 25; hours++) await after(hourMs)
    assert.deepEqual(receiver.delivered, [cleared!.id], answer)
  }
})

test("a receiver that fails three messages is spared, and then gets all in order", async () => {
  const messages = aboutIncidents(20)
  const { receiver, run, after, states } = await workerFor(messages)
  receiver.answer = () => "fail"
  await run()
  await run()
  assert.deepEqual(receiver.tried, idsOf(messages.slice(0, 3)))
  assert.deepEqual(await states(messages.slice(-1)), [["waiting", "got 500"]])
  for (let passes = 1; passes < 5; passes++) {
    await after(retryMsMax * 1.2)
    assert.equal(receiver.tried.length, 3 * (passes + 1))
  }
  assert.ok(new Set(receiver.tried).size > 3, "others than the first three are tried, too")
  receiver.answer = () => "ok"
  await after(retryMsMax * 1.2)
  assert.deepEqual(receiver.delivered, idsOf(messages))
})

test("messages that always fail keep those behind them waiting for a few passes only", async () => {
  const bad = aboutIncidents(12)
  const good = aboutIncidents(5, startMs + hourMs)
  const { receiver, run, after, add } = await workerFor(bad)
  const isBad = new Set(idsOf(bad))
  receiver.answer = ({ id }) => (isBad.has(id) ? "fail" : "ok")
  await add(good)
  await run()
  for (let passes = 0; passes < 6; passes++) await after(retryMsMax * 1.2)
  assert.deepEqual(receiver.delivered, idsOf(good))
  // Once it is known that others are accepted, they hold up nothing.
  const later = aboutIncidents(5, startMs + 2 * hourMs)
  await add(later)
  await run()
  assert.deepEqual(receiver.delivered, idsOf([...good, ...later]))
})

test("after an outage, messages that had failed before it hold no other up", async () => {
  const { receiver, run, after, add } = await workerFor([])
  const isBad = new Set<string>()
  const answer = ({ id }: NotificationMessage) => (isBad.has(id) ? "fail" : "ok")
  receiver.answer = answer
  for (let hours = 0; hours < 6; hours++) {
    const [one, good, other] = aboutIncidents(3, startMs + hours * hourMs)
    isBad.add(one!.id).add(other!.id)
    await add([one!, good!, other!])
    await after(hourMs)
  }
  await after(hourMs)
  receiver.answer = () => "fail"
  receiver.delivered.length = 0
  const good = aboutIncidents(5, startMs + 7 * hourMs)
  await add(good)
  await run()
  await after(retryMsMax * 1.2)
  assert.deepEqual(receiver.delivered, [])
  receiver.answer = answer
  await after(retryMsMax * 1.2)
  assert.deepEqual(receiver.delivered.toSorted(), idsOf(good).sort())
})

test("two messages that always fail are given up after a day, and disable nothing", async () => {
  const bad = aboutIncidents(2)
  const { receiver, run, after, states, add, disabled } = await workerFor(bad)
  const isBad = new Set(idsOf(bad))
  receiver.answer = ({ id }) => (isBad.has(id) ? "fail" : "ok")
  await run()
  for (let hours = 0; hours < 23; hours++) await after(hourMs)
  assert.deepEqual(await states(), [
    ["waiting", "got 500"],
    ["waiting", "got 500"],
  ])
  await after(hourMs)
  const failed = ["failed", "it failed for a day: got 500"]
  assert.deepEqual(await states(), [failed, failed])
  const [later] = aboutIncidents(1, startMs + dayMs)
  await add([later!])
  await run()
  assert.deepEqual(receiver.delivered, [later!.id])
  assert.deepEqual(disabled, [])
})

test("a receiver that refuses every message for a day has its notification disabled", async () => {
  const { receiver, after, add, disabled, worker } = await workerFor([])
  receiver.answer = () => "refuse"
  const messages = aboutIncidents(25).map((one, i) => ({ ...one, timeMs: startMs + i * hourMs }))
  for (const [hour, message] of messages.entries()) {
    assert.deepEqual(disabled, [], `after ${hour} hours`)
    assert.equal(worker.figures.failingQueues, hour === 0 ? 0 : 1)
    await add([message])
    await after(hourMs)
  }
  assert.deepEqual(disabled, [1])
})

test("a notification fails until it is removed, accepts a message, or a day is over", async () => {
  const messages = aboutIncidents(1)
  const f = async (end: (fixture: Awaited<ReturnType<typeof workerFor>>) => unknown) => {
    const fixture = await workerFor(messages)
    fixture.receiver.answer = () => "refuse"
    await fixture.run()
    assert.equal(fixture.worker.figures.failingQueues, 1)
    await fixture.after(hourMs)
    assert.equal(fixture.worker.figures.failingQueues, 1)
    await end(fixture)
    await fixture.after(hourMs)
    assert.equal(fixture.worker.figures.failingQueues, 0)
    assert.deepEqual(await fixture.documents.list("outboxLane:0"), [])
  }
  await f(({ recipients }) => recipients.delete(1))
  await f(({ after }) => after(dayMs))
  await f(({ receiver, add }) => {
    receiver.answer = () => "ok"
    return add(aboutIncidents(1, startMs + hourMs))
  })
})

test("a clock that steps ahead a day gives no message up and disables nothing", async () => {
  const messages = aboutIncidents(6)
  const { receiver, run, after, clock, disabled, worker } = await workerFor(messages)
  receiver.answer = () => "fail"
  await run()
  for (let passes = 0; passes < 26; passes++) await after(hourMs / 2)
  await after(dayMs)
  clock.advance(-dayMs)
  await run()
  assert.deepEqual([disabled, worker.figures.dropped], [[], 0])
  receiver.answer = () => "ok"
  await after(retryMsMax * 1.2)
  assert.deepEqual(receiver.delivered, idsOf(messages))
})

test("messages that failed while the clock was ahead do not wait for it (R5)", async () => {
  for (const count of [1, 5]) {
    for (const restarts of [false, true]) {
      const messages = aboutIncidents(count)
      const fixture = await workerFor(messages)
      const { receiver, after, clock } = fixture
      receiver.answer = () => "fail"
      await after(2 * hourMs)
      clock.advance(-2 * hourMs)
      receiver.answer = () => "ok"
      await (restarts ? fixture.restarted() : fixture).run()
      assert.deepEqual(receiver.delivered, idsOf(messages), `${count} ${restarts}`)
    }
  }
})

test("what earlier versions stored of a failing queue is read as it is", async () => {
  const messages = aboutIncidents(3)
  const { receiver, run, after, documents, states } = await workerFor(messages)
  const times = { failingSinceMs: startMs - hourMs, dueMs: startMs + firstRetryMs }
  await documents.put("outboxLane:0", "1", { version: 1, attempts: 4, reason: "gone", ...times })
  await run()
  assert.deepEqual(receiver.tried, [])
  assert.deepEqual(await states(messages.slice(0, 1)), [["waiting", "gone"]])
  await after(firstRetryMs)
  assert.deepEqual(receiver.delivered, idsOf(messages))
})

test("a message that waits, waits on after a restart, with its attempts", async () => {
  const [message] = aboutIncidents(1)
  const fixture = await workerFor([message!])
  const { receiver, run, clock } = fixture
  receiver.answer = () => "fail"
  await run()
  const second = fixture.restarted()
  await second.run()
  assert.equal(receiver.tried.length, 1)
  for (let hours = 0; hours < 24; hours++) {
    clock.advance(hourMs)
    await second.run()
  }
  assert.equal(receiver.tried.length, 25)
  assert.equal(second.worker.figures.dropped, 1)
})
