/** Expiries of checks on a manual clock: once each, across restarts, until the next post. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { seededRandom } from "../support/run/seeded-random.ts"
import { TestClock } from "../support/time/test-clock.ts"
import type { Incident } from "../../src/model/records/incident.ts"
import { openRecords } from "../../src/records/records.ts"
import type { WatchedElement } from "../../src/records/incidents/incident-pipeline.ts"
import { DocumentsInMemory } from "../accounts/documents-in-memory.ts"

const startMs = Date.UTC(2026, 0, 5)

class CheckFixture {
  readonly documents = new DocumentsInMemory()
  readonly clock = new TestClock(startMs)
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

  post(ttlSeconds: number) {
    return this.records.checks.post(0, { name: "heartbeat", elementFqn: "web-1", ttlSeconds })
  }

  async after(ms: number): Promise<void> {
    this.clock.advance(ms)
    await this.records.checkMonitor.poll(0)
  }

  count(kind: string): number {
    return this.documents.byKind.get(`${kind}:0`)?.size ?? 0
  }

  openCount(): number {
    const all = [...(this.documents.byKind.get("incident:0")?.values() ?? [])] as Incident[]
    return all.filter(({ closedMs }) => closedMs === null).length
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
  assert.equal(fixture.count("lapse"), 0)
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
  await fixture.records.incidentPipeline.sweep(0, fixture.clock.nowMs())
  assert.equal(fixture.openCount(), 0)
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
    fixture.clock.advance(ms)
    await fixture.records.incidentPipeline.sweep(0, fixture.clock.nowMs())
    return fixture.openCount()
  }
  assert.equal(await sweptAfter(599_999), 1)
  await accept()
  assert.equal(await sweptAfter(599_999), 1)
  assert.equal(await sweptAfter(1), 0)
  assert.equal(fixture.count("incident"), 1)
})
