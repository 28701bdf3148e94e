/** Expiries of checks on a manual clock: once each, across restarts, until the next post. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { seededRandom } from "../support/run/seeded-random.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { checkRetentionMs, checksMax } from "../../src/base/limits.ts"
import { WatchedTime } from "../../src/base/time/watched-time.ts"
import type { CloseReason, Incident } from "../../src/model/records/incident.ts"
import { RecordRetention } from "../../src/records/record-retention.ts"
import { openRecords } from "../../src/records/records.ts"
import type { WatchedElement } from "../../src/records/incidents/incident-pipeline.ts"
import { DocumentsInMemory } from "../accounts/documents-in-memory.ts"

const startMs = Date.UTC(2026, 0, 5)

class CheckFixture {
  readonly documents = new DocumentsInMemory()
  readonly clock = new TestClock(startMs)
  /** Monotonic: stands still while the machine is suspended. */
  private elapsedMs = 0
  serviceTags: WatchedElement["serviceTags"] = []
  records = this.started()

  started() {
    const { documents, clock } = this
    const known = (name: string): WatchedElement => ({
      name,
      type: "SERVER",
      location: null,
      tags: [],
      attributes: [],
      serviceTags: this.serviceTags,
    })
    return openRecords({
      documents,
      clock,
      random: seededRandom(7),
      keys: {} as never,
      secretKey: new Uint8Array(32),
      tenantUuid: () => "6f1f7ed2-6b1d-4c3a-9c53-2f6b8ee1d001",
      acceptEvents: { pastMs: 0, futureMs: 0 },
      watchedTime: new WatchedTime({ clock, elapsedMs: () => this.elapsedMs }),
      lookUpElements: async (_, fqns) => new Map(fqns.map((fqn) => [fqn, known(fqn)])),
      outbox: { changes: () => [], notifyWork: () => {} },
    })
  }

  newPolicy(checkName = "heartbeat") {
    return this.records.policies.create(
      0,
      { policy: { name: "gone", checkCondition: { checkName } } },
      "a@b",
    )
  }

  post(ttlSeconds: number, elementFqn = "web-1") {
    return this.records.checks.post(0, { name: "heartbeat", elementFqn, ttlSeconds })
  }

  /** Time that the server watches. */
  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 10_000) {
      const step = Math.min(left, 10_000)
      this.clock.advance(step)
      this.elapsedMs += step
      this.records.watchedTime.sinceMs()
    }
  }

  async after(ms: number): Promise<void> {
    this.pass(ms)
    await this.poll()
  }

  poll(): Promise<void> {
    return this.records.checkMonitor.poll(0)
  }

  /** The server is off for this time, and has polled once after it. */
  async restartAfter(ms: number): Promise<void> {
    await this.records.checkMonitor.stop()
    this.clock.advance(ms)
    this.records = this.started()
    await this.after(0)
  }

  count(kind: string): number {
    return this.documents.byKind.get(`${kind}:0`)?.size ?? 0
  }

  incidents(): Incident[] {
    return [...(this.documents.byKind.get("incident:0")?.values() ?? [])] as Incident[]
  }

  closeReasons(): (CloseReason | undefined)[] {
    const closed = this.incidents().filter(({ closedMs }) => closedMs !== null)
    return closed.map(({ closeReason }) => closeReason)
  }

  openCount(): number {
    return this.incidents().filter(({ closedMs }) => closedMs === null).length
  }

  sweep(): Promise<void> {
    return this.records.incidentPipeline.sweep(0, this.clock.nowMs())
  }

  async close(): Promise<void> {
    const [open] = this.incidents().filter(({ closedMs }) => closedMs === null)
    await this.records.incidentPipeline.close(0, open!.id)
  }
}

test("an expiry is one event, however often it is polled or the server restarts", async () => {
  const fixture = new CheckFixture()
  await fixture.newPolicy()
  await fixture.newPolicy("another")
  await fixture.post(150)
  await fixture.after(149_999)
  assert.equal(fixture.count("event"), 0)
  await fixture.after(1)
  assert.equal(fixture.count("event"), 1)
  await fixture.after(1_000)
  fixture.records = fixture.started()
  await fixture.after(1_000)
  assert.equal(fixture.count("event"), 1)
  assert.equal(fixture.openCount(), 1)
  await fixture.post(150)
  await fixture.after(1_000)
  assert.equal(fixture.openCount(), 0)
  assert.deepEqual(fixture.closeReasons(), ["recovered"])
  await fixture.after(150_000)
  assert.equal(fixture.count("event"), 2)
  assert.equal(fixture.count("incident"), 2)
})

test("an expiry while the server is down is detected after the restart", async () => {
  const fixture = new CheckFixture()
  await fixture.newPolicy()
  await fixture.post(60)
  fixture.records = fixture.started()
  await fixture.after(3_600_000)
  assert.equal(fixture.openCount(), 1)
  await fixture.post(60)
  fixture.records = fixture.started()
  await fixture.after(1_000)
  assert.equal(fixture.openCount(), 0)
})

test("a policy created later is evaluated for expired checks", async () => {
  const fixture = new CheckFixture()
  await fixture.post(60)
  await fixture.after(61_000)
  assert.equal(fixture.count("event"), 0)
  await fixture.newPolicy()
  await fixture.after(1_000)
  assert.equal(fixture.count("event"), 1)
  await fixture.newPolicy()
  await fixture.after(1_000)
  assert.equal(fixture.count("event"), 2)
})

test("checks of an element in maintenance expire after the maintenance", async () => {
  const fixture = new CheckFixture()
  await fixture.newPolicy()
  await fixture.post(60)
  fixture.serviceTags = [{ name: "n.state.maintenance", value: "true" }]
  await fixture.after(61_000)
  assert.equal(fixture.count("event"), 0)
  fixture.serviceTags = []
  await fixture.after(60_000)
  assert.equal(fixture.count("event"), 1)
  fixture.serviceTags = [{ name: "n.state.maintenance", value: "true" }]
  await fixture.sweep()
  assert.equal(fixture.openCount(), 0)
  fixture.serviceTags = []
  await fixture.after(60_000)
  assert.equal(fixture.openCount(), 1)
  assert.equal(fixture.count("event"), 2)
})

test("an expired check fires again after all that closed its incident, once each", async () => {
  const fixture = new CheckFixture()
  const { id } = await fixture.newPolicy()
  await fixture.post(60)
  await fixture.after(61_000)
  const enable = (enabled: boolean) => {
    return fixture.records.policies.change(0, id, { policy: { enabled } })
  }
  const rename = (checkName: string) => {
    return fixture.records.policies.change(0, id, { policy: { checkCondition: { checkName } } })
  }
  const causes: [() => Promise<unknown>, () => Promise<unknown>][] = [
    [() => fixture.close(), async () => {}],
    [() => enable(false), () => enable(true)],
    [() => rename("other"), () => rename("heartbeat")],
  ]
  for (const [at, [begin, end]] of causes.entries()) {
    await begin()
    await fixture.sweep()
    assert.equal(fixture.openCount(), 0, `cause ${at}`)
    await end()
    fixture.records = fixture.started()
    await fixture.after(60_000)
    await fixture.after(60_000)
    assert.equal(fixture.openCount(), 1, `cause ${at}`)
    assert.equal(fixture.count("incident"), at + 2, `cause ${at}`)
    assert.equal(fixture.count("event"), at + 2, `cause ${at}`)
  }
})

test("an expiry follows the latest post, whatever the clock did before it", async () => {
  for (const aheadMs of [10_000, 3_600_000, 366 * 86_400_000]) {
    const fixture = new CheckFixture()
    await fixture.newPolicy()
    fixture.clock.advance(aheadMs)
    await fixture.post(60)
    await fixture.after(1_000)
    fixture.clock.set(startMs)
    await fixture.post(60)
    await fixture.after(59_000)
    assert.equal(fixture.openCount(), 0)
    await fixture.after(1_000)
    assert.equal(fixture.openCount(), 1, `${aheadMs} ms ahead`)
    await fixture.post(60)
    await fixture.after(1_000)
    assert.equal(fixture.openCount(), 0)
  }
})

test("a check that a clock posted ahead expires its ttl after the clock is right", async () => {
  for (const isRestarted of [false, true]) {
    const fixture = new CheckFixture()
    await fixture.newPolicy()
    fixture.clock.advance(7_200_000)
    await fixture.post(60)
    await fixture.after(1_000)
    fixture.clock.set(startMs)
    if (isRestarted) fixture.records = fixture.started()
    await fixture.after(0)
    await fixture.after(59_000)
    assert.equal(fixture.openCount(), 0)
    await fixture.after(1_000)
    assert.equal(fixture.openCount(), 1)
    const [check] = await fixture.records.checks.list(0)
    assert.equal(check!.expiresMs, startMs + 60_000)
  }
})

test("an expiry seen by a clock ahead lasts until the next post", async () => {
  const fixture = new CheckFixture()
  await fixture.newPolicy()
  fixture.clock.advance(7_200_000)
  await fixture.post(60)
  await fixture.after(61_000)
  fixture.clock.set(startMs)
  fixture.records = fixture.started()
  await fixture.after(1_000)
  await fixture.after(120_000)
  assert.equal(fixture.count("incident"), 1)
  assert.equal(fixture.openCount(), 1)
  await fixture.post(60)
  await fixture.after(1_000)
  assert.equal(fixture.openCount(), 0)
})

test("an incident of events closes in time though its last event was ahead", async () => {
  const fixture = new CheckFixture()
  const policy = { name: "failing", duration: 600, eventConditions: [{ titleRegex: "fail" }] }
  await fixture.records.policies.create(0, { policy }, "a@b")
  const accept = () => {
    const text = { text: "disk fails", elementFqn: "web-1", source: "hook" }
    return fixture.records.events.acceptText(0, text)
  }
  fixture.clock.advance(7_200_000)
  await accept()
  fixture.clock.set(startMs)
  await accept()
  fixture.pass(600_000)
  await fixture.sweep()
  assert.equal(fixture.openCount(), 0)
})

test("checks that are removed close their incidents, and are new when posted again", async () => {
  const fixture = new CheckFixture()
  await fixture.newPolicy()
  await fixture.post(60, "web-1")
  await fixture.post(60, "web-2")
  await fixture.after(61_000)
  assert.equal(fixture.openCount(), 2)
  const ofElement = ({ elementFqn }: { elementFqn: string }) => elementFqn === "web-1"
  assert.equal(await fixture.records.checkMonitor.remove(0, ofElement), 1)
  assert.equal(await fixture.records.checkMonitor.remove(0, ofElement), 0)
  assert.equal(fixture.openCount(), 1)
  assert.deepEqual(fixture.closeReasons(), ["ended"])
  fixture.records = fixture.started()
  await fixture.after(60_000)
  assert.equal(fixture.openCount(), 1)
  await fixture.post(60, "web-1")
  await fixture.after(61_000)
  assert.equal(fixture.openCount(), 2)
})

test("an incident of external events closes when none was posted for its duration", async () => {
  const fixture = new CheckFixture()
  const policy = { name: "failing", duration: 600, eventConditions: [{ titleRegex: "fail" }] }
  await fixture.records.policies.create(0, { policy }, "a@b")
  const accept = async () => {
    const text = { text: "disk fails", elementFqn: "web-1", source: "hook" }
    await fixture.records.events.acceptText(0, text)
  }
  await accept()
  assert.equal(fixture.openCount(), 1)
  const sweptAfter = async (ms: number) => {
    fixture.pass(ms)
    await fixture.records.incidentPipeline.sweep(0, fixture.clock.nowMs())
    return fixture.openCount()
  }
  assert.equal(await sweptAfter(599_999), 1)
  await accept()
  assert.equal(await sweptAfter(599_999), 1)
  assert.equal(await sweptAfter(1), 0)
  assert.equal(fixture.count("incident"), 1)
  assert.deepEqual(fixture.closeReasons(), ["quiet"])
})

test("the limit of checks counts those that exist: one that is removed makes room", async () => {
  const fixture = new CheckFixture()
  await Promise.all(Array.from({ length: checksMax }, (_, i) => fixture.post(60, `e${i}`)))
  await assert.rejects(fixture.post(60, "more"), { code: "invalid", message: /more\/heartbeat/ })
  const { checkMonitor } = fixture.records
  assert.equal(await checkMonitor.remove(0, ({ elementFqn }) => elementFqn === "e7"), 1)
  await fixture.post(60, "more")
  await assert.rejects(fixture.post(60, "e7"), { code: "invalid" })
})

test("a check that is not posted any more is forgotten after its retention", async () => {
  const fixture = new CheckFixture()
  const { records, clock } = fixture
  await fixture.newPolicy()
  await fixture.post(60)
  await fixture.after(60_000)
  const audit = { removeExpired: async () => {} }
  const options = { records, audit, tenants: () => [0], clock, delay: () => () => {} }
  const retention = new RecordRetention({ ...options, onError: assert.ifError })
  clock.advance(checkRetentionMs)
  await retention.sweep()
  assert.equal(fixture.count("check"), 1)
  clock.advance(1)
  await retention.sweep()
  assert.equal(fixture.count("check"), 0)
  assert.equal(fixture.count("openIncident"), 0)
})

test("checks get the time in which the server was off, and expire after it", async () => {
  const fixture = new CheckFixture()
  await fixture.newPolicy()
  await fixture.post(600)
  await fixture.after(120_000)
  await fixture.restartAfter(1_800_000)
  assert.equal(fixture.openCount(), 0)
  const [check] = await fixture.records.checks.list(0)
  assert.equal(check!.expiresMs, startMs + 2_400_000)
  // It has that time left after another start, too.
  fixture.records = fixture.started()
  await fixture.after(0)
  await fixture.after(479_999)
  assert.equal(fixture.openCount(), 0)
  await fixture.after(1)
  assert.equal(fixture.openCount(), 1)
})

test("a check that had expired before the server was off stays expired", async () => {
  const fixture = new CheckFixture()
  await fixture.newPolicy()
  await fixture.post(60)
  await fixture.after(60_000)
  await fixture.restartAfter(1_800_000)
  assert.equal(fixture.openCount(), 1)
  assert.equal(fixture.count("incident"), 1)
})

test("checks get the time in which the machine was suspended, at most their ttl", async () => {
  const fixture = new CheckFixture()
  await fixture.newPolicy()
  await fixture.post(60, "web-1")
  await fixture.after(1_000)
  fixture.clock.advance(1_800_000)
  await fixture.post(60, "web-2")
  await fixture.poll()
  assert.equal(fixture.openCount(), 0)
  const left = (await fixture.records.checks.list(0)).map(({ expiresMs }) => {
    return expiresMs - fixture.clock.nowMs()
  })
  assert.deepEqual(left, [59_000, 60_000])
  await fixture.after(59_000)
  assert.deepEqual(
    fixture.incidents().map(({ elementFqn }) => elementFqn),
    ["web-1"],
  )
})

test("an incident of events does not close for want of one while the server is off", async () => {
  const fixture = new CheckFixture()
  const policy = { name: "failing", duration: 600, eventConditions: [{ titleRegex: "fail" }] }
  await fixture.records.policies.create(0, { policy }, "a@b")
  const text = { text: "disk fails", elementFqn: "web-1", source: "hook" }
  await fixture.records.events.acceptText(0, text)
  fixture.clock.advance(3_600_000)
  fixture.records = fixture.started()
  await fixture.sweep()
  assert.equal(fixture.openCount(), 1)
  fixture.pass(600_000)
  await fixture.sweep()
  assert.equal(fixture.openCount(), 0)
})
