import assert from "node:assert/strict"
import { test } from "node:test"
import { eventRetentionMs } from "../../src/base/limits.ts"
import { matchAllScope, type Policy } from "../../src/model/records/policy.ts"
import type { ElementEvent } from "../../src/model/records/event.ts"
import { recordsReadMsMax } from "../../src/base/limits/records.ts"
import { boundsFromNow } from "../../src/records/core/read-bounds.ts"
import { wholeWindow } from "../../src/records/incidents/event-filter.ts"
import { Events } from "../../src/records/incidents/events.ts"
import {
  Incidents,
  type Incident,
  type IncidentListing,
} from "../../src/records/incidents/incidents.ts"
import { Policies } from "../../src/records/incidents/policies.ts"
import { GroupCommitQueue } from "../../src/records/incidents/group-commit-queue.ts"
import { RecordRetention } from "../../src/records/record-retention.ts"
import { eventDocument } from "../../src/wire/records/event-document.ts"
import { incidentDocument } from "../../src/wire/records/incident-document.ts"
import { recordsDeps } from "./test-deps.ts"

const tenantUuids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]
const policyId = "33333333-3333-4333-8333-333333333333"
const noFacts = async () => new Map()

const policy: Policy = {
  name: "High CPU",
  description: null,
  scope: matchAllScope,
  duration: 300,
  anyCondition: false,
  conditions: [],
  eventConditions: [],
  checkCondition: null,
  actions: [{ type: "event", category: 2 }],
  enabled: true,
  deleted: false,
  creatorEmail: "ada@a",
}

function house() {
  const deps = recordsDeps()
  const commitQueue = new GroupCommitQueue(deps.documents)
  const tenantUuid = (tenant: number) => tenantUuids[tenant]!
  const accept = { pastMs: 86_400_000, futureMs: 300_000 }
  const events = new Events({ ...deps, commitQueue, tenantUuid, accept })
  const policies = new Policies(deps)
  const { documents, clock } = deps
  const stored = () => [...(documents.byKind.get("incident:0")?.values() ?? [])] as Incident[]
  const open = { list: async () => stored().filter(({ closedMs }) => closedMs === null) }
  return { ...deps, events, incidents: new Incidents({ documents, clock, open }), policies }
}

function found(id: string, timeMs: number): ElementEvent {
  return {
    id,
    timeMs,
    processedMs: timeMs,
    elementFqn: "web",
    elementId: "e",
    level: "WARNING",
    type: null,
    title: null,
    source: null,
    data: { policyName: policy.name, results: '{"violating":true}' },
    tags: [],
    isExternal: false,
    policy: { ...policy, id: policyId },
    element: { name: "Web", type: "SERVER", location: null, tags: [] },
  }
}

test("an event of a policy keeps the policy and the element as they were", async () => {
  const { events, clock } = house()
  const nowMs = clock.nowMs()
  await events.add(0, found("a", nowMs))
  const { event, element } = await events.get(0, "a", noFacts)
  const document = eventDocument(event, element)
  assert.equal(typeof (document["data"] as { results: unknown }).results, "string")
  assert.deepEqual(document["policy"], {
    ...policy,
    id: policyId,
  })
  assert.equal(document["elementName"], "Web")
  assert.equal(document["isExternal"], false)
})

test("the title of a webhook's text is cut between characters", async () => {
  const { events } = house()
  const text = `${"x".repeat(119)}🔥 and more`
  await events.acceptText(0, { text, elementFqn: "web-1", source: "hook" })
  const { events: found } = await events.find(0, wholeWindow({ startMs: 0, endMs: 1e15 }), noFacts)
  assert.equal(found[0]!.event.title, "x".repeat(119))
})

test("events are counted and removed by policy, within a window and a tenant", async () => {
  const { events, clock } = house()
  const nowMs = clock.nowMs()
  for (const [i, ageMs] of [0, 1_000, 7_200_000].entries()) {
    await events.add(0, found(`e${i}`, nowMs - ageMs))
  }
  await events.add(1, found("foreign", nowMs))
  await events.add(0, { ...found("other", nowMs), policy: null })
  const hour = { startMs: nowMs - 3_600_000, endMs: nowMs + 1 }
  assert.deepEqual([...(await events.countByPolicy(0, hour))], [[policyId, 2]])
  await events.removeOfPolicy(0, policyId)
  assert.deepEqual([...(await events.countByPolicy(0, hour))], [])
  assert.deepEqual([...(await events.countByPolicy(1, hour))], [[policyId, 1]])
  const { events: left } = await events.find(0, wholeWindow(hour), noFacts)
  assert.deepEqual(
    left.map(({ event }) => event.id),
    ["other"],
  )
})

test("events and incidents of other tenants are not found", async () => {
  const { events, incidents, clock } = house()
  await events.add(0, found("a", clock.nowMs()))
  await incidents.store(0, incident("i", clock.nowMs()))
  await assert.rejects(events.get(1, "a", noFacts), { code: "missing" })
  await assert.rejects(events.remove(1, "a"), { code: "missing" })
  await assert.rejects(incidents.get(1, "i"), { code: "missing" })
  await assert.rejects(incidents.close(1, "i"), { code: "missing" })
  await events.get(0, "a", noFacts)
})

test("a query for too many events is rejected, not truncated", async () => {
  const { events, clock, documents } = house()
  const nowMs = clock.nowMs()
  const span = { startMs: nowMs, endMs: nowMs + 20_000 }
  for (let i = 0; i < 10_001; i++) {
    const id = `${String(nowMs + i).padStart(16, "0")}:e${i}`
    documents.byKind.set("event:0", documents.byKind.get("event:0") ?? new Map())
    documents.byKind.get("event:0")!.set(id, found(`e${i}`, nowMs + i))
  }
  await assert.rejects(events.find(0, wholeWindow(span), noFacts), /more than 10000 events/)
  const shorter = { ...span, endMs: nowMs + 10_000 }
  assert.equal((await events.find(0, wholeWindow(shorter), noFacts)).events.length, 10_000)
})

function incident(id: string, timeMs: number, change: Partial<Incident> = {}): Incident {
  return {
    id,
    timeMs,
    lastFiredMs: timeMs + 300_000,
    closedMs: null,
    policyId,
    elementId: "e",
    elementFqn: "web",
    elementName: "Web One",
    eventIds: ["a"],
    violatingMetricFqns: ["cpu"],
    acked: false,
    ...change,
  }
}

const anyIncident: IncidentListing = {
  startMs: null,
  endMs: null,
  policyId: null,
  element: null,
  elementName: null,
  isClosed: null,
  isAcked: null,
  levels: [],
  text: null,
  sortBy: "since",
  isNewestFirst: false,
  needsTotal: false,
  limit: 100,
  offset: 0,
}

test("incidents are filtered, paged and closed by hand", async () => {
  const { incidents, clock } = house()
  const nowMs = clock.nowMs()
  await incidents.store(0, incident("a", nowMs - 7_200_000))
  await incidents.store(0, incident("b", nowMs - 3_600_000, { policyId: "other" }))
  await incidents.store(0, incident("c", nowMs, { elementFqn: "db", elementName: "DB" }))
  const f = async (change: Partial<IncidentListing>, want: string) => {
    const found = await incidents.find(0, { ...anyIncident, ...change })
    assert.equal(found.incidents.map(({ id }) => id).join(""), want, JSON.stringify(change))
    return found
  }
  await f({}, "abc")
  await f({ policyId: "other" }, "b")
  await f({ element: "db" }, "c")
  await f({ element: "e" }, "abc")
  await f({ elementName: "web" }, "ab")
  // One that is open is of every window after it began, whenever it fired last.
  await f({ startMs: nowMs - 3_700_000 }, "abc")
  await f({ endMs: nowMs }, "ab")
  await f({ offset: 1, limit: 1 }, "b")
  await f({ limit: 0 }, "")
  await f({ isNewestFirst: true }, "cba")
  await f({ isNewestFirst: true, offset: 1, limit: 1 }, "b")
  await f({ text: "ONE" }, "ab")
  await f({ levels: ["CRITICAL"] }, "")
  assert.equal((await f({ limit: 1, needsTotal: true, isNewestFirst: true }, "c")).total, 3)
  assert.equal((await f({ limit: 1 }, "a")).total, null)
  assert.equal((await f({ limit: 1 }, "a")).totalByLevel, null)
  await incidents.close(0, "b")
  clock.advance(5_000)
  await incidents.close(0, "b")
  await f({ isClosed: true }, "b")
  await f({ isClosed: false }, "ac")
  const document = incidentDocument(await incidents.get(0, "b"), tenantUuids[0]!)
  assert.equal(document["closed"], true)
  assert.equal(document["tsClosed"], "2026-01-01T00:00:00Z")
  assert.equal(document["incidentId"], "b")
})

test("incidents of each level are counted, whatever levels the filter has", async () => {
  const { incidents, clock } = house()
  const nowMs = clock.nowMs()
  const levels = ["INFO", "CRITICAL", "INFO", undefined, "WARNING"] as const
  for (const [i, level] of levels.entries()) {
    await incidents.store(0, incident(`${i}`, nowMs + i, level === undefined ? {} : { level }))
  }
  await incidents.close(0, "0")
  const all = { ...anyIncident, needsTotal: true, limit: 1 }
  for (const chosen of [[], ["INFO"], ["WARNING", "CRITICAL"]] as const) {
    const { totalByLevel } = await incidents.find(0, { ...all, levels: chosen })
    assert.deepEqual(totalByLevel, { INFO: 2, WARNING: 1, CRITICAL: 1 })
  }
  const open = await incidents.find(0, { ...all, levels: ["INFO"], isClosed: false })
  assert.deepEqual([open.total, open.totalByLevel], [1, { INFO: 1, WARNING: 1, CRITICAL: 1 }])
})

test("incidents of a window were open in it; those of its own are counted by time", async () => {
  const { incidents, clock } = house()
  const [minuteMs, nowMs] = [60_000, clock.nowMs()]
  const ago = (minutes: number) => nowMs - minutes * minuteMs
  const fired = (id: string, fromMs: number, change: Partial<Incident>) =>
    incidents.store(0, incident(id, fromMs, { lastFiredMs: fromMs, ...change }))
  await fired("over", ago(300), { closedMs: ago(60) })
  await fired("long", ago(200), { closedMs: ago(50) })
  await fired("open", ago(100), { elementId: "db" })
  await fired("first", ago(60), { closedMs: ago(45), level: "CRITICAL" })
  await fired("last", ago(1), { level: "WARNING" })
  const span = { startMs: ago(60), endMs: nowMs }
  const found = await incidents.find(0, { ...anyIncident, ...span })
  assert.equal(found.incidents.map(({ id }) => id).join(" "), "long open first last")
  const options = { by: "element", sortBy: "minutes", limit: 9, members: 0 } as const
  const groups = async (endMs: number | null) => {
    const filter = { ...anyIncident, startMs: span.startMs, endMs }
    const { groups: all } = await incidents.findGroups(0, filter, options)
    return all.map(({ id, count, openMs }) => `${id} ${count} ${openMs / minuteMs}`)
  }
  assert.deepEqual(await groups(null), ["db 1 60", "e 3 16"])
  assert.deepEqual(await groups(ago(30)), ["db 1 30", "e 2 15"])
  const inHour = { span, parts: 60 }
  const { counts, ...rest } = await incidents.histogram(0, anyIncident, inHour)
  assert.deepEqual(rest, { startMs: span.startMs, stepMs: minuteMs, isPartial: false })
  assert.deepEqual([counts.CRITICAL[0], counts.WARNING[59]], [1, 1])
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  assert.deepEqual(Object.values(counts).map(sum), [0, 1, 1])
  // One of an earlier version has no level.
  const before = { span: { startMs: ago(101), endMs: ago(99) }, parts: 1 }
  assert.deepEqual((await incidents.histogram(0, anyIncident, before)).counts.INFO, [1])
  const ofOther = { ...anyIncident, element: "db" }
  assert.deepEqual((await incidents.histogram(0, ofOther, inHour)).counts.CRITICAL[0], 0)
})

test("retention removes expired records of every tenant, and nothing else", async () => {
  const { events, incidents, policies, clock, documents } = house()
  const nowMs = clock.nowMs()
  for (const tenant of [0, 1]) {
    await events.add(tenant, found("old", nowMs - eventRetentionMs - 1))
    await events.add(tenant, found("young", nowMs - eventRetentionMs))
    const oldMs = nowMs - eventRetentionMs - 1_000_000
    await incidents.store(tenant, incident("open", oldMs))
    await incidents.store(tenant, incident("closed", oldMs, { closedMs: oldMs }))
  }
  const body = { policy: { name: "gone", checkCondition: { checkName: "heartbeat" } } }
  const gone = await policies.create(0, body, "ada@a")
  const kept = await policies.create(0, body, "ada@a")
  await policies.remove(0, gone.id)
  const retention = new RecordRetention({
    records: { events, incidents, policies },
    audit: { removeExpired: async () => {} },
    tenants: () => [0, 1],
    clock,
    delay: () => () => {},
    onError: assert.ifError,
  })
  await retention.sweep()
  for (const tenant of [0, 1]) {
    await assert.rejects(events.get(tenant, "old", noFacts), { code: "missing" })
    await events.get(tenant, "young", noFacts)
    await incidents.get(tenant, "open")
    await assert.rejects(incidents.get(tenant, "closed"), { code: "missing" })
  }
  assert.equal(documents.byKind.get("policy:0")!.size, 2)
  clock.advance(eventRetentionMs + 1)
  await retention.sweep()
  assert.deepEqual([...documents.byKind.get("policy:0")!.keys()], [kept.id])
  assert.equal(documents.byKind.get("event:0")!.size, 0)
  assert.equal(documents.byKind.get("eventTime:0")!.size, 0)
})

test("retention removes nothing by a clock that may have jumped", async () => {
  const { events, incidents, policies, clock } = house()
  const nowMs = clock.nowMs()
  await events.add(0, found("young", nowMs))
  await incidents.store(0, incident("closed", nowMs, { closedMs: nowMs }))
  const calls: string[] = []
  const trust = { isTrusted: false }
  const retention = new RecordRetention({
    records: { events, incidents, policies },
    audit: { removeExpired: async () => void calls.push("audit") },
    tenants: () => [0],
    clock,
    trustsClock: async () => trust.isTrusted,
    delay: () => () => {},
    onError: assert.ifError,
  })
  clock.advance(366 * 86_400_000)
  await retention.sweep()
  await events.get(0, "young", noFacts)
  await incidents.get(0, "closed")
  assert.deepEqual(calls, [])
  trust.isTrusted = true
  await retention.sweep()
  await assert.rejects(events.get(0, "young", noFacts), { code: "missing" })
  assert.deepEqual(calls, ["audit"])
})

test("a list that looks for rare events stops in time, and goes on from there", async () => {
  const { events, clock } = house()
  const nowMs = clock.nowMs()
  const count = 2_500
  for (let i = 0; i < count; i++) await events.add(0, found(String(i).padStart(4, "0"), nowMs + i))
  const rare = { ...wholeWindow({ startMs: nowMs, endMs: nowMs + count }), policies: ["other"] }
  const newest = { isNewestFirst: true, limit: 5, before: null, needsTotal: false }
  let calls = 0
  const elapsedMs = () => (calls++ === 0 ? 0 : recordsReadMsMax)
  const stopped = await events.find(0, rare, noFacts, newest, boundsFromNow(elapsedMs, undefined))
  assert.deepEqual([stopped.events, stopped.isPartial], [[], true])
  const before = stopped.stoppedAt!
  assert.ok(before.timeMs > nowMs && before.timeMs < nowMs + count)
  const rest = await events.find(0, rare, noFacts, { ...newest, before })
  assert.deepEqual([rest.isPartial, rest.stoppedAt], [false, null])

  const left = boundsFromNow(() => 0, AbortSignal.abort())
  await assert.rejects(events.find(0, rare, noFacts, newest, left), /closed the connection/)
  await assert.rejects(events.histogram(0, rare, noFacts, 5, left), /closed the connection/)
})

test("a list that looks for rare incidents says that it stopped", async () => {
  const { incidents, clock } = house()
  for (let i = 0; i < 1_001; i++) await incidents.store(0, incident(`i${i}`, clock.nowMs() + i))
  let calls = 0
  const bounds = boundsFromNow(() => (calls++ === 0 ? 0 : recordsReadMsMax), undefined)
  const rare = { ...anyIncident, policyId: "other" }
  const stopped = await incidents.find(0, rare, bounds)
  assert.deepEqual([stopped.incidents, stopped.isPartial], [[], true])
  assert.equal((await incidents.find(0, rare)).isPartial, false)
  const left = boundsFromNow(() => 0, AbortSignal.abort())
  await assert.rejects(incidents.find(0, rare, left), /closed the connection/)
})
