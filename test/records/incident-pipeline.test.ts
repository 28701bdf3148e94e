/** The lifecycle of incidents against a model: random cycles, manual closings, mutes, restarts. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { TestClock } from "../support/time/test-clock.ts"
import { incidentMessagesMax } from "../../src/base/limits/records.ts"
import { elementUuid } from "../../src/model/fqn.ts"
import {
  deliveryKind,
  outcomeChange,
  outcomeRange,
  readOutcome,
} from "../../src/model/records/delivery.ts"
import type { CloseReason, Incident } from "../../src/model/records/incident.ts"
import type { NotificationMessage } from "../../src/model/records/notification-message.ts"
import { Deliveries } from "../../src/notify/deliveries.ts"
import { PolicySet } from "../../src/policy/policy-set.ts"
import type { EvaluatedElement, Violation } from "../../src/policy/violation.ts"
import {
  IncidentPipeline,
  type WatchedElement,
} from "../../src/records/incidents/incident-pipeline.ts"
import { Incidents } from "../../src/records/incidents/incidents.ts"
import { OpenIncidents } from "../../src/records/incidents/open-incidents.ts"
import { DocumentsInMemory } from "../accounts/documents-in-memory.ts"
import { policyOf } from "../policy/cycles.ts"

const tenantUuid = "6f1f7ed2-6b1d-4c3a-9c53-2f6b8ee1d001"
const cycleMs = 300_000
const startMs = Date.UTC(2026, 0, 5)

const policy = policyOf({
  name: "High CPU",
  actions: [
    { type: "event", category: 3 },
    { type: "notification", id: 1, enabled: true, notifyFrequencyMin: 10, sendOnClear: true },
    {
      type: "notification",
      id: 2,
      enabled: true,
      notifyFrequencyMin: 2 ** 31 - 1,
      sendOnClear: false,
    },
    { type: "notification", id: 3, enabled: false, notifyFrequencyMin: 5, sendOnClear: true },
  ],
})

/** Records with restarts, of which only documents and the clock survive. */
class PipelineFixture {
  readonly documents = new DocumentsInMemory()
  readonly clock = new TestClock(startMs)
  readonly notices: NotificationMessage[] = []
  muted = false
  /** Ids of notifications whose service keeps an alert open. */
  alertKeepers: readonly number[] = []
  set = new PolicySet([policy])
  serviceTags: WatchedElement["serviceTags"] = []
  findings = this.started()

  started(): IncidentPipeline {
    const { documents, clock } = this
    const open = new OpenIncidents(documents)
    return new IncidentPipeline({
      documents,
      clock,
      policies: {
        activeSet: async () => this.set,
        mutes: async () => new Map(this.muted ? [[policy.id, Infinity]] : []),
      },
      incidents: new Incidents({ documents, clock, open }),
      open,
      alertKeepers: async (_, ids) => new Set(ids.filter((id) => this.alertKeepers.includes(id))),
      lookUpElements: async () => new Map(),
      outbox: {
        changes: (notices) =>
          notices.map((notice) => ({ kind: "outbox:0", id: notice.id, document: notice })),
        notifyWork: () => {},
      },
      tenantUuid: () => tenantUuid,
    })
  }

  /** Of the elements a and b in the next cycles. */
  evaluated: Partial<EvaluatedElement> = {}

  /** Closes a cycle; `violating` elements of a and b. Twice says that it is repeated. */
  async cycle(number: number, violating: readonly string[], isUnwatched = false): Promise<void> {
    const cycleStartMs = startMs + number * cycleMs
    const nowMs = cycleStartMs + cycleMs + 60_000
    this.clock.set(nowMs)
    const of = { isSilent: false, policyIds: [policy.id], silentMetrics: [], ...this.evaluated }
    const evaluated = ["a", "b"].map((fqn) => ({ fqn, ...of }))
    const violations = violating.map(found)
    const part = { cycleStartMs, nowMs, evaluated, violations, isUnwatched }
    await this.findings.applyBatch(0, part, (changes) => this.documents.putAll(changes))
  }

  all<Kind>(kind: string): Kind[] {
    return [...(this.documents.byKind.get(`${kind}:0`)?.values() ?? [])] as Kind[]
  }

  /** The messages so far, by the minutes of the first cycle's closing, notification and kind. */
  sent(): string[] {
    return this.all<NotificationMessage>("outbox")
      .sort((one, other) => one.timeMs - other.timeMs || one.notificationId - other.notificationId)
      .map(({ timeMs, notificationId, payloadType }) => {
        return `${(timeMs - startMs) / 60_000 - 6} ${notificationId} ${payloadType}`
      })
  }

  incidents(fqn: string): Incident[] {
    return this.all<Incident>("incident")
      .filter(({ elementFqn }) => elementFqn === fqn)
      .sort((one, other) => one.timeMs - other.timeMs)
  }
}

function found(fqn: string): Violation {
  const element = {
    id: elementUuid(tenantUuid, fqn),
    fqn,
    name: fqn.toUpperCase(),
    type: "SERVER",
    location: null,
    tags: [],
  }
  const results = { violating: true, conditions: [], metrics: ["cpu.total"] }
  return { policyId: policy.id, element, results }
}

interface Step {
  readonly violating: readonly string[]
  readonly next: "nothing" | "restart" | "close" | "mute" | "unmute" | "repeat"
}

const step: fc.Arbitrary<Step> = fc.record({
  violating: fc.subarray(["a", "b"]),
  next: fc.constantFrom("nothing", "nothing", "restart", "close", "mute", "unmute", "repeat"),
})

/** The model's state of one incident. */
interface Modelled {
  readonly firstMs: number
  lastMs: number
  closedMs: number | null
  events: number
}

test("incidents open, continue and close as a model says, with restarts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const fixture = new PipelineFixture()
      const model: Modelled[] = []
      let open: Modelled | null = null
      for (const [number, { violating, next }] of steps.entries()) {
        await fixture.cycle(number, violating)
        const cycleStartMs = startMs + number * cycleMs
        if (violating.includes("a")) {
          if (open === null) {
            model.push((open = { firstMs: cycleStartMs, lastMs: 0, closedMs: null, events: 0 }))
          }
          open.lastMs = cycleStartMs
          open.events++
        } else if (open !== null) {
          open.closedMs = fixture.clock.nowMs()
          open = null
        }
        if (next === "restart") fixture.findings = fixture.started()
        if (next === "repeat") await fixture.cycle(number, violating)
        if (next === "mute" || next === "unmute") fixture.muted = next === "mute"
        if (next === "close" && open !== null) {
          await fixture.findings.close(0, fixture.incidents("a").at(-1)!.id)
          open.closedMs = fixture.clock.nowMs()
          open = null
        }
      }
      const got = fixture.incidents("a").map((one) => ({
        firstMs: one.timeMs,
        lastMs: one.lastFiredMs,
        closedMs: one.closedMs,
        events: one.eventIds.length,
      }))
      assert.deepEqual(got, model)
      const isOpen = fixture.all("openIncident").length
      assert.equal(
        isOpen,
        ["a", "b"].filter((fqn) => fixture.incidents(fqn).at(-1)?.closedMs === null).length,
      )
    }),
    { numRuns: 60 },
  )
})

test("a repeated closing stores the same bytes", async () => {
  const fixture = new PipelineFixture()
  await fixture.cycle(0, ["a"])
  await fixture.cycle(1, ["a", "b"])
  const before = fixture.documents.dump()
  await fixture.cycle(1, ["a", "b"])
  assert.equal(fixture.documents.dump(), before)
})

test("notifications are sent immediately, after each interval, and when it clears", async () => {
  const fixture = new PipelineFixture()
  for (let number = 0; number < 5; number++) await fixture.cycle(number, ["a"])
  await fixture.cycle(5, [])
  const want = ["0 1 event", "0 2 event", "10 1 event", "20 1 event", "25 1 event_cleared"]
  assert.deepEqual(fixture.sent(), want)
  // Muted: recorded, not notified; incidents that last until the mute ends are notified then.
  fixture.muted = true
  await fixture.cycle(6, ["a"])
  assert.deepEqual(fixture.sent(), want)
  assert.equal(fixture.incidents("a").length, 2)
  fixture.muted = false
  await fixture.cycle(7, ["a"])
  assert.deepEqual(fixture.sent().slice(want.length), ["35 1 event", "35 2 event"])
})

/** A policy with this action for notification 1, and none for others. */
function policyWith(action: object | null): typeof policy {
  const event = { type: "event", category: 3 } as const
  const repeats = { type: "notification", id: 1, enabled: true, notifyFrequencyMin: 2 ** 31 - 1 }
  const actions = action === null ? [event] : [event, { ...repeats, sendOnClear: true, ...action }]
  return { ...policy, actions: actions as typeof policy.actions }
}

/** Opens an incident under `before`, changes something, ends it, and returns the messages. */
async function sentAround(
  before: object,
  change: (fixture: PipelineFixture) => unknown,
  end: (fixture: PipelineFixture) => Promise<void> = (fixture) => fixture.cycle(1, []),
): Promise<string[]> {
  const fixture = new PipelineFixture()
  fixture.set = new PolicySet([policyWith(before)])
  await fixture.cycle(0, ["a"])
  await change(fixture)
  await end(fixture)
  assert.notEqual(fixture.incidents("a")[0]!.closedMs, null)
  return fixture.sent()
}

const both = ["0 1 event", "5 1 event_cleared"]
const firedOnly = ["0 1 event"]
const setPolicy = (after: typeof policy | null) => (fixture: PipelineFixture) => {
  fixture.set = new PolicySet(after === null ? [] : [after])
}
const mute = (fixture: PipelineFixture) => {
  fixture.muted = true
}
const keepsAlerts = (fixture: PipelineFixture) => {
  fixture.alertKeepers = [1]
}

test("the end goes to a notification that got the start, muted or not (R11)", async () => {
  assert.deepEqual(await sentAround({}, mute), both)
  const byHand = async (fixture: PipelineFixture) => {
    fixture.clock.advance(cycleMs)
    await fixture.findings.close(0, fixture.incidents("a")[0]!.id)
  }
  assert.deepEqual(await sentAround({}, mute, byHand), both)
})

test("the end goes to no notification without the start", async () => {
  const fixture = new PipelineFixture()
  fixture.muted = true
  await fixture.cycle(0, ["a"])
  await fixture.cycle(1, [])
  assert.deepEqual(fixture.sent(), [])
  const joined = policyWith({ id: 7 })
  assert.deepEqual(await sentAround({}, setPolicy(joined)), both)
})

test("an incident that began while its policy was muted has a start and an end later", async () => {
  const fixture = new PipelineFixture()
  fixture.set = new PolicySet([policyWith({})])
  fixture.muted = true
  await fixture.cycle(0, ["a"])
  fixture.muted = false
  await fixture.cycle(1, ["a"])
  fixture.muted = true
  await fixture.cycle(2, ["a"])
  await fixture.cycle(3, [])
  assert.deepEqual(fixture.sent(), ["5 1 event", "15 1 event_cleared"])
})

test("the end goes out though the policy or its action is not in force any more", async () => {
  const f = async (before: object, after: typeof policy | null, want: readonly string[]) => {
    const name = JSON.stringify([before, after?.actions])
    assert.deepEqual(await sentAround(before, setPolicy(after)), want, name)
    // Also if the policy fires again after the change.
    const later = async (fixture: PipelineFixture) => {
      await fixture.cycle(1, ["a"])
      await fixture.cycle(2, [])
    }
    const isInForce = after?.enabled === true && !after.deleted
    if (!isInForce) return
    const laterEnd = want.map((one) => one.replace("5 1 event_cleared", "10 1 event_cleared"))
    assert.deepEqual(await sentAround(before, setPolicy(after), later), laterEnd, name)
  }
  await f({}, null, both)
  await f({}, { ...policyWith({}), enabled: false }, both)
  await f({}, { ...policyWith({}), deleted: true }, both)
  await f({}, policyWith(null), both)
  await f({}, policyWith({ enabled: false }), both)
  await f({ sendOnClear: false }, policyWith(null), firedOnly)
  await f({ sendOnClear: false }, null, firedOnly)
  await f({ sendOnClear: false }, policyWith({}), both)
  await f({}, policyWith({ sendOnClear: false }), firedOnly)
})

test("a service that keeps an alert open always gets the end", async () => {
  assert.deepEqual(await sentAround({ sendOnClear: false }, () => {}), firedOnly)
  assert.deepEqual(await sentAround({ sendOnClear: false }, keepsAlerts), both)
  const removed = (fixture: PipelineFixture) => {
    keepsAlerts(fixture)
    setPolicy(policyWith(null))(fixture)
  }
  assert.deepEqual(await sentAround({ sendOnClear: false }, removed), both)
})

test("messages of an incident are in order of time though the clock goes back (R5)", async () => {
  const back = async (fixture: PipelineFixture) => {
    fixture.clock.advance(-2 * 3_600_000)
    await fixture.findings.close(0, fixture.incidents("a")[0]!.id)
  }
  const [fired, cleared] = await sentAround({}, () => {}, back)
  assert.equal(fired, "0 1 event")
  assert.match(cleared!, /event_cleared$/)
})

test("reminders go on after a clock that was a year ahead", async () => {
  const fixture = new PipelineFixture()
  fixture.set = new PolicySet([policyWith({ notifyFrequencyMin: 5 })])
  await fixture.cycle(365 * 288, ["a"])
  await fixture.cycle(1, ["a"])
  await fixture.cycle(2, ["a"])
  assert.equal(fixture.sent().length, 3)
})

test("an inactive policy does not fire, and its incidents close", async () => {
  const fixture = new PipelineFixture()
  await fixture.cycle(0, ["a"])
  fixture.set = new PolicySet([{ ...policy, enabled: false }])
  await fixture.cycle(1, ["a"])
  assert.equal(fixture.incidents("a")[0]!.closedMs, fixture.clock.nowMs())
  assert.equal(fixture.incidents("a")[0]!.closeReason, "ended")
})

const endings: readonly [string, Partial<EvaluatedElement>, CloseReason][] = [
  ["the values are normal", {}, "recovered"],
  ["the element sends nothing", { isSilent: true, policyIds: [] }, "noData"],
  ["its other metrics have values", { silentMetrics: ["cpu.total"] }, "noData"],
  ["other metrics have none", { silentMetrics: ["disk.free"] }, "recovered"],
  ["the scope has it no more, or it is in maintenance", { policyIds: [] }, "ended"],
]
for (const [when, evaluated, reason] of endings) {
  test(`an incident ends as ${reason} if ${when} (F3)`, async () => {
    const fixture = new PipelineFixture()
    await fixture.cycle(0, ["a"])
    assert.equal(fixture.incidents("a")[0]!.closeReason, undefined)
    fixture.evaluated = evaluated
    await fixture.cycle(1, [])
    assert.equal(fixture.incidents("a")[0]!.closeReason, reason)
    const messages = fixture.all<NotificationMessage>("outbox")
    const end = messages.find(({ payloadType }) => payloadType === "event_cleared")
    assert.equal(end?.closeReason, reason)
  })
}

test("an incident that a user closes says so (F3)", async () => {
  const fixture = new PipelineFixture()
  await fixture.cycle(0, ["a"])
  await fixture.findings.close(0, fixture.incidents("a")[0]!.id)
  assert.equal(fixture.incidents("a")[0]!.closeReason, "user")
})

test("an unwatched cycle opens and continues incidents, and closes none", async () => {
  const fixture = new PipelineFixture()
  await fixture.cycle(0, ["a"])
  await fixture.cycle(1, ["b"], true)
  assert.deepEqual(
    ["a", "b"].map((fqn) => fixture.incidents(fqn)[0]!.closedMs),
    [null, null],
  )
  await fixture.cycle(2, ["b"])
  assert.equal(fixture.incidents("a")[0]!.closedMs, fixture.clock.nowMs())
  assert.equal(fixture.incidents("b")[0]!.eventIds.length, 2)
})

test("an event has the level, the metrics and the element of its match", async () => {
  const fixture = new PipelineFixture()
  await fixture.cycle(0, ["a"])
  const [event] = fixture.all<Record<string, unknown>>("event")
  assert.equal(event!["level"], "CRITICAL")
  assert.equal(event!["timeMs"], startMs)
  assert.deepEqual((event!["data"] as { metrics: string[] }).metrics, ["cpu.total"])
  assert.equal((event!["element"] as { name: string }).name, "A")
})

test("after a failed commit the open incidents equal those in the store", async () => {
  const fixture = new PipelineFixture()
  fixture.documents.failAfterPuts = 0
  await assert.rejects(fixture.cycle(0, ["a"]))
  fixture.documents.failAfterPuts = Infinity
  await fixture.cycle(1, ["a"])
  assert.equal(fixture.incidents("a").length, 1)
  assert.equal(fixture.incidents("a")[0]!.timeMs, startMs + cycleMs)
})

test("an incident keeps its last 20 messages with their outcomes; all go with it", async () => {
  const fixture = new PipelineFixture()
  const { documents, clock } = fixture
  const steps: string[] = []
  const deliver = async (): Promise<void> => {
    for (const { id, incidentId } of fixture
      .all<NotificationMessage>("outbox")
      .slice(steps.length)) {
      const outcome = { state: "delivered", timeMs: clock.nowMs(), reason: null } as const
      const of = { incidentId: incidentId!, messageId: id }
      await documents.putAll([outcomeChange(0, of, outcome)])
      steps.push(id)
    }
  }
  for (let number = 0; number < 60; number++) {
    await fixture.cycle(number, ["a"])
    await deliver()
  }
  await fixture.cycle(60, [])
  assert.ok(steps.length > incidentMessagesMax, `${steps.length} messages`)
  const { id, messages = [] } = fixture.incidents("a")[0]!
  assert.equal(messages.length, incidentMessagesMax)
  const repeated = messages.slice(0, -1)
  assert.ok(repeated.every((one) => one.step === "repeated"))
  assert.deepEqual([messages.at(-1)!.step, messages.at(-1)!.notificationId], ["cleared", 1])
  const stored = (await documents.list(deliveryKind(0))).map(readOutcome)
  assert.deepEqual(
    stored.map(({ messageId }) => messageId).sort(),
    repeated.map((one) => one.id).sort(),
  )
  const deliveries = await new Deliveries(documents).of(0, fixture.incidents("a")[0]!)
  assert.deepEqual([deliveries[0]!.state, deliveries.at(-1)!.state], ["delivered", "waiting"])
  await fixture.cycle(61, ["a"])
  const [, other] = fixture.incidents("a")
  assert.deepEqual(
    other!.messages?.map(({ step: one }) => one),
    ["fired", "fired"],
  )
  await new Incidents({ documents, clock, open: new OpenIncidents(documents) }).removeBefore(
    0,
    clock.nowMs() + 1,
  )
  assert.deepEqual(await documents.list(deliveryKind(0), outcomeRange(id)), [])
})
