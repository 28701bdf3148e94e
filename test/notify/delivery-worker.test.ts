/** Delivery from the outbox to real listeners: order, retries, restarts, giving up. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import type { IdRange, StoredDocument } from "../../src/model/document.ts"
import type { NotificationMessage } from "../../src/model/records/notification-message.ts"
import type { Recipient } from "../../src/notify/notification-sender.ts"
import { firstRetryMs, retryMsMax } from "../../src/notify/backoff.ts"
import { outboxChanges } from "../../src/notify/outbox.ts"
import { invalid, type ServiceError } from "../../src/base/errors.ts"
import { entriesPerQueueMax } from "../../src/notify/delivery-worker.ts"
import { DocumentsInMemory } from "../accounts/documents-in-memory.ts"
import { eventually } from "../support/time/eventually.ts"
import { listen, type Answer, type Received } from "../outbound/listener.ts"
import { messageAt, workerOf, startMs } from "./test-delivery.ts"

const cycleMs = 300_000
const dayMs = 86_400_000

const hookTo = (port: number): Recipient => ({
  type: "webhook",
  properties: { name: "hook", url: `http://127.0.0.1:${port}/hook` },
})

async function receiver(t: TestContext, answer?: (received: Received) => Answer) {
  const listener = await listen(answer)
  t.after(() => listener.close())
  return listener
}

const idsOf = (received: readonly Received[]) =>
  received.map(({ headers }) => headers["x-tidegauge-delivery"])

test("messages are delivered in order of time, once, and removed", async (t) => {
  const { port, received } = await receiver(t)
  const fixture = workerOf(
    new Map([
      [1, hookTo(port)],
      [2, hookTo(port)],
    ]),
  )
  const times = [3, 1, 2].map((i) => startMs + i * cycleMs)
  const notices = times.flatMap((timeMs) => [messageAt(timeMs, 1), messageAt(timeMs, 2)])
  await fixture.documents.putAll(outboxChanges(notices))
  await fixture.run()
  await fixture.run()
  for (const notification of [1, 2]) {
    const own = notices.filter(({ notificationId }) => notificationId === notification)
    const wanted = own.sort((a, b) => a.timeMs - b.timeMs).map(({ id }) => id)
    assert.deepEqual(
      idsOf(received).filter((id) => wanted.includes(id as string)),
      wanted,
    )
  }
  assert.equal(received.length, 6)
  assert.equal(fixture.worker.figures.delivered, 6)
  assert.deepEqual(await fixture.documents.list("outbox:0"), [])
})

test("delivery is retried after a 500 and a refused connection, in order", async (t) => {
  let isUp = false
  const { port, received } = await receiver(t, () => ({ status: isUp ? 204 : 500 }))
  const gone = await listen()
  await gone.close()
  const recipients = new Map([
    [1, hookTo(port)],
    [2, hookTo(gone.port)],
  ])
  const fixture = workerOf(recipients)
  const notices = [0, 1, 2, 3, 4].map((i) => messageAt(startMs + i * cycleMs))
  await fixture.documents.putAll(outboxChanges([...notices, messageAt(startMs, 2)]))
  await fixture.run()
  await fixture.run()
  assert.equal(received.length, 3, "a receiver that is down gets no more before its time")
  assert.equal(fixture.worker.figures.failingQueues, 2)
  isUp = true
  recipients.set(2, hookTo(port))
  fixture.clock.advance(2 * firstRetryMs)
  await fixture.run()
  const delivered = idsOf(received.slice(3))
  assert.deepEqual(
    delivered.filter((id) => notices.some((one) => one.id === id)),
    notices.map(({ id }) => id),
  )
  assert.equal(delivered.length, 6)
  assert.deepEqual(fixture.worker.figures, {
    delivered: 6,
    failed: 4,
    dropped: 0,
    disabled: 0,
    failingQueues: 0,
  })
  for (const kind of ["outbox:0", "outboxRetry:0", "outboxLane:0"]) {
    assert.deepEqual(await fixture.documents.list(kind), [], kind)
  }
})

test("a stop between delivery and acknowledgement delivers again under the same id", async (t) => {
  const { port, received } = await receiver(t)
  const recipients = new Map([[1, hookTo(port)]])
  const first = workerOf(recipients)
  const notice = messageAt(startMs)
  await first.documents.putAll(outboxChanges([notice]))
  first.documents.failAfterPuts = 0
  await first.run()
  assert.equal(received.length, 1)
  first.documents.failAfterPuts = Infinity
  const second = workerOf(recipients, { documents: first.documents })
  second.worker.start()
  await second.worker.drained()
  assert.deepEqual(idsOf(received), [notice.id, notice.id])
  await second.worker.stop()
})

test("a notification failing for a day is disabled, also across restarts", async (t) => {
  const { port, received } = await receiver(t, () => ({ status: 503 }))
  const recipients = new Map([[1, hookTo(port)]])
  let fixture = workerOf(recipients)
  const notices = [0, 1, 2].map((i) => messageAt(startMs + i * cycleMs))
  await fixture.documents.putAll(outboxChanges(notices))
  for (let hours = 0; hours < 23; hours++) {
    await fixture.run()
    fixture.clock.advance(dayMs / 24)
    if (hours === 12)
      fixture = workerOf(recipients, { documents: fixture.documents, clock: fixture.clock })
  }
  assert.deepEqual(fixture.disabled, [])
  assert.equal(received.length, 3 * 23)
  fixture.clock.advance(dayMs / 24)
  await fixture.run()
  assert.deepEqual(fixture.disabled, [1])
  assert.match(fixture.logged.join("\n"), /a notification failed for a day and was disabled/)
  for (const kind of ["outbox:0", "outboxRetry:0", "outboxLane:0"]) {
    assert.deepEqual(await fixture.documents.list(kind), [], kind)
  }
})

test("a success resets the day of a notification, not that of its messages", async (t) => {
  let accepts = 0
  const { port } = await receiver(t, () => ({ status: accepts-- > 0 ? 200 : 500 }))
  const fixture = workerOf(new Map([[1, hookTo(port)]]))
  const notices = [0, 1, 2].map((i) => messageAt(startMs + i * cycleMs))
  await fixture.documents.putAll(outboxChanges(notices))
  for (let hours = 0; hours < 40; hours++) {
    accepts = hours === 20 ? 1 : 0
    await fixture.run()
    fixture.clock.advance(dayMs / 24)
  }
  assert.deepEqual(fixture.disabled, [])
  const { delivered, dropped } = fixture.worker.figures
  assert.deepEqual([delivered, dropped], [1, 2])
})

test("a failing queue keeps only its newest messages", async (t) => {
  const { port } = await receiver(t, () => ({ status: 500 }))
  const fixture = workerOf(new Map([[1, hookTo(port)]]))
  const notices = Array.from({ length: entriesPerQueueMax + 5 }, (_, i) => messageAt(startMs + i))
  await fixture.documents.putAll(outboxChanges(notices))
  await fixture.run()
  const left = await fixture.documents.list("outbox:0")
  assert.equal(left.length, entriesPerQueueMax)
  assert.ok(left[0]!.id.endsWith(notices[5]!.id))
})

test("messages of a removed or disabled notification are dropped", async () => {
  const fixture = workerOf(new Map())
  await fixture.documents.putAll(outboxChanges([messageAt(startMs)]))
  await fixture.run()
  assert.equal(fixture.worker.figures.dropped, 1)
  assert.deepEqual(await fixture.documents.list("outbox:0"), [])
})

test("secrets that cannot be decrypted are a failure as any other, with a reason", async (t) => {
  const { port, received } = await receiver(t)
  const lost = invalid("notification.properties.password: expected it to be entered again")
  const recipients = new Map<number, Recipient | ServiceError>([[1, lost]])
  const fixture = workerOf(recipients)
  await fixture.documents.putAll(outboxChanges([messageAt(startMs, 1)]))
  await fixture.run()
  assert.equal(fixture.worker.figures.failed, 1)
  assert.match(fixture.logged.join("\n"), /could not be delivered.*expected it to be entered again/)
  recipients.set(1, hookTo(port))
  fixture.clock.advance(2 * firstRetryMs)
  await fixture.run()
  assert.equal(received.length, 1)
})

/** Documents that note the kind of each read. */
class NotedReads extends DocumentsInMemory {
  readonly reads: string[] = []

  override get(kind: string, id: string): Promise<unknown> {
    this.reads.push(kind)
    return super.get(kind, id)
  }

  override list(kind: string, range: IdRange = {}): Promise<StoredDocument[]> {
    this.reads.push(kind)
    return super.list(kind, range)
  }
}

test("a poll reads nothing of a queue that is not due, then the messages that are", async () => {
  const documents = new NotedReads()
  const ticks: (() => void)[] = []
  let isDown = true
  const bad = new Set<string>()
  const deliver = async (_: Recipient, { id }: NotificationMessage): Promise<undefined> => {
    if (isDown || bad.has(id)) throw invalid("got 500")
  }
  const delay = (callback: () => void) => {
    ticks.push(callback)
    return () => {}
  }
  const recipients = new Map([[1, hookTo(1)]])
  const { worker, clock } = workerOf(recipients, { documents, delay, sender: { deliver } })
  const poll = async () => {
    documents.reads.length = 0
    for (const tick of ticks.splice(0)) tick()
    await eventually(() => ticks.length > 0)
    await worker.drained()
    return documents.reads.filter((kind) => kind === "outbox:0").length
  }
  const notices = Array.from({ length: 200 }, (_, i) => messageAt(startMs + i * cycleMs))
  for (const { id } of notices.slice(0, 2)) bad.add(id)
  await documents.putAll(outboxChanges(notices))
  worker.start()
  await worker.drained()
  await poll()
  assert.deepEqual(documents.reads, [], "while it is paused")
  isDown = false
  clock.advance(2 * firstRetryMs)
  await poll()
  assert.equal(worker.figures.delivered, 198)
  await poll()
  assert.deepEqual(documents.reads, [], "while its messages wait")
  clock.advance(retryMsMax * 1.2)
  assert.equal(await poll(), bad.size + 1)
  await worker.stop()
})
