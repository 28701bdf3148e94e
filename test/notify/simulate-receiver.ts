/**
 * A simulation of a notification: a seed makes incidents that open, repeat and end, a receiver that
 * refuses some of their messages, fails on some others, and is down for hours, a clock that jumps,
 * and restarts. One message in ten is never accepted; the others must arrive.
 */

import assert from "node:assert/strict"
import { invalid } from "../../src/base/errors.ts"
import type { DocumentChange } from "../../src/model/document.ts"
import { deliveryKind, readOutcome } from "../../src/model/records/delivery.ts"
import type { DeliveryOutcome } from "../../src/model/records/delivery.ts"
import type { NotificationMessage } from "../../src/model/records/notification-message.ts"
import { MessageRefused } from "../../src/notify/message-refused.ts"
import type { Recipient } from "../../src/notify/notification-sender.ts"
import { outboxChanges } from "../../src/notify/outbox.ts"
import { DocumentsInMemory } from "../accounts/documents-in-memory.ts"
import { seededNumbers } from "../support/ingest/samples.ts"
import { SeededChoices } from "../support/run/seeded-choices.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { incidentMessage, startMs, workerOf } from "./test-delivery.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Longest time for which a receiver that is up leaves a message waiting: a few pauses. */
const waitMsMax = 2 * hourMs
/** A message is given up after a day, and then the next one of its incident. */
const lastDaysMax = 20

type Kind = "good" | "refused" | "failing"

interface Sent {
  readonly message: NotificationMessage
  readonly kind: Kind
  readonly atMs: number
  attempts: number
  deliveries: number
  outcome: DeliveryOutcome | null
}

export interface ReceiverFigures {
  readonly messages: number
  readonly refused: number
  readonly failing: number
  readonly attempts: number
}

/** Throws, naming the seed, if a message has not the end that it must have. */
export async function simulateReceiver(seed: number, hours: number): Promise<ReceiverFigures> {
  const simulation = new ReceiverSimulation(seed)
  try {
    return await simulation.run(hours)
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n(seed ${seed}, ${hours} hours)`, { cause })
  }
}

/** Documents that report each outcome of a message. */
class NotedOutcomes extends DocumentsInMemory {
  private readonly note: (messageId: string, outcome: DeliveryOutcome) => void

  constructor(note: (messageId: string, outcome: DeliveryOutcome) => void) {
    super()
    this.note = note
  }

  override async putAll(changes: readonly DocumentChange[]): Promise<void> {
    await super.putAll(changes)
    for (const change of changes.filter(({ kind }) => kind === deliveryKind(0))) {
      const { messageId, outcome } = readOutcome(change)
      this.note(messageId, outcome)
    }
  }
}

class ReceiverSimulation extends SeededChoices {
  private readonly sent = new Map<string, Sent>()
  /** By incident: time of the latest message, of the latest that ended, and when that was. */
  private readonly latestMs = new Map<string, number>()
  private readonly endedMs = new Map<string, number>()
  private readonly freedMs = new Map<string, number>()
  private readonly documents = new NotedOutcomes((id, outcome) => this.noteEnd(id, outcome))
  private readonly clock = new TestClock(startMs)
  private readonly problems: string[] = []
  private fixture = this.started()
  private trueMs = startMs
  private upSinceMs = startMs
  private isDown = false
  private incidents = 0

  constructor(seed: number) {
    super(seededNumbers(seed))
  }

  async run(hours: number): Promise<ReceiverFigures> {
    const endMs = startMs + hours * hourMs
    while (this.trueMs < endMs) await this.step()
    this.setUp()
    this.clock.set(this.trueMs)
    await this.finish()
    for (const one of this.sent.values()) checkEnd(one)
    const all = [...this.sent.values()]
    const count = (kind: Kind) => all.filter((one) => one.kind === kind).length
    const attempts = all.reduce((sum, one) => sum + one.attempts, 0)
    const [refused, failing] = [count("refused"), count("failing")]
    return { messages: all.length, refused, failing, attempts }
  }

  private started() {
    const recipient: Recipient = { type: "webhook", properties: {} }
    const deliver = async (_: Recipient, { id }: NotificationMessage): Promise<undefined> => {
      const one = this.sent.get(id)!
      one.attempts++
      if (this.isDown || one.kind === "failing") throw invalid("got 500")
      if (one.kind === "refused") throw new MessageRefused("got 400")
      one.deliveries++
    }
    const { documents, clock } = this
    return workerOf(new Map([[1, recipient]]), { documents, clock, sender: { deliver } })
  }

  private async step(): Promise<void> {
    for (let i = this.below(3); i > 0; i--) await this.happen()
    if (this.isDown && this.chance(0.03)) this.setUp()
    else if (this.chance(0.01)) this.isDown = true
    if (this.chance(0.01)) {
      const aheadMs = this.pick([2 * hourMs, -2 * hourMs, 400 * dayMs])
      this.clock.set(this.trueMs + aheadMs)
    } else if (this.chance(0.3)) this.clock.set(this.trueMs)
    if (this.chance(0.01)) this.fixture = this.started()
    await this.pass(this.pick([minuteMs, 3 * minuteMs, 5 * minuteMs]))
    await this.checkWaiting()
  }

  /** An incident opens, is repeated or ends. */
  private async happen(): Promise<void> {
    const isNew = this.incidents === 0 || this.chance(0.4)
    const incident = isNew ? ++this.incidents : 1 + this.below(this.incidents)
    const kind = this.chance(0.9) ? "good" : this.pick<Kind>(["refused", "failing"])
    await this.send(kind, `incident-${incident}`)
  }

  private async send(kind: Kind, incident: string): Promise<void> {
    const timeMs = Math.max(this.clock.nowMs(), 1 + (this.latestMs.get(incident) ?? 0))
    const message = incidentMessage(incident, timeMs)
    this.latestMs.set(incident, timeMs)
    const none = { attempts: 0, deliveries: 0, outcome: null }
    this.sent.set(message.id, { message, kind, atMs: this.trueMs, ...none })
    await this.documents.putAll(outboxChanges([message]))
  }

  private async pass(ms: number): Promise<void> {
    this.trueMs += ms
    this.clock.advance(ms)
    await this.fixture.run()
    assert.deepEqual([this.problems, this.fixture.disabled], [[], []])
  }

  private setUp(): void {
    this.isDown = false
    this.upSinceMs = this.trueMs
  }

  private noteEnd(messageId: string, outcome: DeliveryOutcome): void {
    const one = this.sent.get(messageId)!
    const incident = one.message.incidentId!
    one.outcome = outcome
    const isInOrder = (this.endedMs.get(incident) ?? 0) < one.message.timeMs
    if (!isInOrder) this.problems.push(`${messageId} of ${incident} ends after a later one`)
    this.endedMs.set(incident, one.message.timeMs)
    this.freedMs.set(incident, this.trueMs)
  }

  /** No message waits that the receiver would answer, except behind one of its incident. */
  private async checkWaiting(): Promise<void> {
    const waiting = [...this.sent.values()].filter(({ outcome }) => outcome === null)
    waiting.sort((one, other) => one.message.timeMs - other.message.timeMs)
    const held = new Set<string>()
    for (const { message, kind, atMs } of waiting) {
      const incident = message.incidentId!
      const freeMs = Math.max(atMs, this.upSinceMs, this.freedMs.get(incident) ?? 0)
      const waitedMs = this.trueMs - freeMs
      const isHeld = kind === "failing" || held.has(incident)
      if (isHeld) held.add(incident)
      else assert.ok(this.isDown || waitedMs < waitMsMax, `a ${kind} one waits ${waitedMs} ms`)
    }
  }

  /** Lets all end. Now and then a message is accepted, or a day without one would be too long. */
  private async finish(): Promise<void> {
    for (let quarter = 0; quarter < 4 * lastDaysMax; quarter++) {
      const left = await this.documents.list("outbox:0")
      if (left.length === 0) break
      await this.send("good", `last-${quarter}`)
      for (let ms = 0; ms < dayMs / 4; ms += 10 * minuteMs) await this.pass(10 * minuteMs)
    }
    // A queue fails until its last attempt is a success.
    await this.send("good", "last")
    await this.pass(10 * minuteMs)
    for (const kind of ["outbox:0", "outboxRetry:0", "outboxLane:0"]) {
      assert.deepEqual(await this.documents.list(kind), [], kind)
    }
  }
}

function checkEnd({ message, kind, attempts, deliveries, outcome }: Sent): void {
  assert.equal(deliveries, kind === "good" ? 1 : 0, `deliveries of ${message.id}, a ${kind} one`)
  assert.equal(outcome!.state, kind === "good" ? "delivered" : "failed")
  if (kind === "refused") assert.equal(outcome!.reason, "got 400")
  if (kind !== "failing") return
  assert.equal(outcome!.reason, "it failed for a day: got 500")
  assert.ok(attempts > 12, `${attempts} attempts`)
}
