/** Incidents as people work with them: lists, acknowledgement, bulk changes (spec/events §7). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { callerOf, newUser } from "../support/server/caller.ts"
import { errorOf } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount()

interface IncidentAnswer {
  readonly incidentId: string
  readonly level: string
  readonly policyName: string
  readonly elementFqn: string
  readonly elementType: string | null
  readonly cause: string
  readonly closed: boolean
  readonly acked: boolean
  readonly ackedBy: string | null
  readonly ackedAt: string | null
  readonly note: string | null
}

interface ListAnswer {
  readonly incidents: readonly IncidentAnswer[]
  readonly total?: number
  readonly totalByLevel?: Readonly<Record<string, number>>
  readonly isPartial?: boolean
}

let newestMs = 0

/** Opens one incident for each element, in order and after all before; returns their ids. */
async function openIncidents(name: string, elements: readonly string[], category = 3) {
  const policy = {
    name,
    scope: { fqnIncludes: elements },
    eventConditions: [{ messageRegex: name }],
    actions: [{ type: "event", category }],
  }
  const made = await client().post("/policies", { policy })
  assert.equal(made.status, 200, made.text)
  const policyId = made.json<{ policy: { id: string } }>().policy.id
  const nowMs = (newestMs = Math.max(newestMs + 1, Date.now()))
  const events = elements.map((elementId, at) => ({
    type: "INFO",
    title: name,
    source: "ci",
    timestamp: nowMs - 1000 * (elements.length - at),
    data: { elementId, message: name },
  }))
  const path = `/ingest/events/${client().apiKey}`
  const posted = await client().send(path, { method: "POST", body: events })
  assert.equal(posted.status, 202, posted.text)
  const { incidents } = await list(`policyId=${policyId}`)
  assert.equal(incidents.length, elements.length)
  return { policyId, ids: incidents.map(({ incidentId }) => incidentId) }
}

async function list(query: string): Promise<ListAnswer> {
  const reply = await client().get(`/incidents?${query}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<ListAnswer>()
}

const fqns = ({ incidents }: ListAnswer): string =>
  incidents.map(({ elementFqn }) => elementFqn).join(" ")

test("an incident tells level, policy, element and cause, and lists go both ways", async () => {
  const { policyId } = await openIncidents("order-fail", ["order-a", "order-b", "order-c"])
  const [first] = (await list(`policyId=${policyId}`)).incidents
  assert.equal(first!.level, "CRITICAL")
  assert.equal(first!.policyName, "order-fail")
  assert.equal(first!.cause, "event")
  assert.equal(first!.elementType, "unknown")
  assert.equal(fqns(await list(`policyId=${policyId}`)), "order-a order-b order-c")
  const newest = await list(`policyId=${policyId}&order=desc&limit=2&total=true`)
  assert.equal(fqns(newest), "order-c order-b")
  assert.equal(newest.total, 3)
  assert.equal(newest.isPartial, false)
  assert.deepEqual(newest.totalByLevel, { INFO: 0, WARNING: 0, CRITICAL: 3 })
  assert.equal(fqns(await list(`policyId=${policyId}&order=desc&limit=2&offset=2`)), "order-a")
})

test("incidents are found by level, by acknowledgement and by a part of a name", async () => {
  const { policyId } = await openIncidents("warn-fail", ["level-a"], 2)
  const { ids } = await openIncidents("crit-fail", ["level-b"], 3)
  assert.equal(fqns(await list("level=warning&q=level-")), "level-a")
  assert.equal(fqns(await list("level=WARNING,CRITICAL&q=LEVEL-")), "level-a level-b")
  assert.equal(fqns(await list("q=warn-fail")), "level-a")
  assert.equal(fqns(await list(`q=nothing-like-it`)), "")
  const acked = await client().post(`/incidents/${ids[0]}/ack`, {})
  assert.equal(acked.status, 200, acked.text)
  assert.equal(fqns(await list("acked=true&q=level-")), "level-b")
  assert.equal(fqns(await list(`acked=false&policyId=${policyId}`)), "level-a")
})

interface GroupsAnswer {
  readonly groups: readonly {
    readonly id: string
    readonly level: string
    readonly count: number
    readonly acked: number
    readonly minutes: number
    readonly incidents: readonly object[]
  }[]
  readonly groupCount: number
  readonly total: number
}

interface HistogramAnswer {
  readonly step: number
  readonly count: number
  readonly levels: Readonly<Record<string, readonly number[]>>
}

test("incidents are counted by policy and by element; lists have the named fields", async () => {
  const many = await openIncidents("group-fail", ["group-a", "group-b", "group-c"], 2)
  const one = await openIncidents("group-crit", ["group-a"], 3)
  await client().post(`/incidents/${many.ids[1]}/ack`, {})
  const groups = async (query: string) => {
    const reply = await client().get(`/incidents/groups?q=group-&isClosed=false&${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.json<GroupsAnswer>()
  }
  const byPolicy = await groups("members=2&fields=elementName")
  assert.deepEqual([byPolicy.groupCount, byPolicy.total], [2, 4])
  assert.deepEqual(
    byPolicy.groups.map(({ id, level, count, acked }) => [id, level, count, acked]),
    [
      [one.policyId, "CRITICAL", 1, 0],
      [many.policyId, "WARNING", 3, 1],
    ],
  )
  assert.deepEqual(byPolicy.groups[1]!.incidents, [
    { incidentId: many.ids[2], elementName: "group-c" },
    { incidentId: many.ids[1], elementName: "group-b" },
  ])
  const byElement = await groups("by=element&limit=1&sort=count")
  assert.deepEqual([byElement.groups[0]!.count, byElement.groupCount], [2, 3])
  assert.ok(byElement.groups[0]!.minutes >= 1)

  const counted = await client().get("/incidents/histogram?buckets=4&q=group-&level=CRITICAL")
  const { step, count, levels } = counted.json<HistogramAnswer>()
  assert.deepEqual([step, count], [900_000, 4])
  assert.deepEqual(levels, { INFO: [0, 0, 0, 0], WARNING: [0, 0, 0, 0], CRITICAL: [0, 0, 0, 1] })

  const sorted = "q=group-&sort=element&order=desc"
  assert.equal(fqns(await list(sorted)), "group-c group-b group-a group-a")
  const worst = await list("q=group-&isClosed=false&sort=level&order=desc&limit=1&fields=level")
  assert.deepEqual(worst.incidents, [{ incidentId: one.ids[0], level: "CRITICAL" }])
})

test("an acknowledgement has user, time and note, and is taken back", async () => {
  const { ids } = await openIncidents("ack-fail", ["ack-a"])
  const path = `/incidents/${ids[0]}/ack`
  const reply = await client().post(path, { note: "Disk is ordered" })
  const { incident } = reply.json<{ incident: IncidentAnswer }>()
  assert.equal(incident.acked, true)
  assert.equal(incident.ackedBy, client().user)
  assert.equal(incident.note, "Disk is ordered")
  assert.ok(Math.abs(Date.parse(incident.ackedAt!) - Date.now()) < 600_000)
  const back = await callerOf(client()).delete(path)
  const after = back.json<{ incident: IncidentAnswer }>().incident
  assert.deepEqual(
    [after.acked, after.ackedBy, after.ackedAt, after.note],
    [false, null, null, null],
  )
  const closed = await callerOf(client()).put(`/incidents/${ids[0]}`)
  assert.equal(closed.status, 204)
  const late = await client().post(path, {})
  assert.equal(late.json<{ incident: IncidentAnswer }>().incident.closed, true)
  assert.equal(late.json<{ incident: IncidentAnswer }>().incident.acked, true)
})

test("many are acknowledged and closed together; ids of no incident are returned", async () => {
  const { policyId, ids } = await openIncidents("bulk-fail", ["bulk-a", "bulk-b"])
  const strange = "0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10"
  const bulk = (action: string) =>
    client().post("/incidents/bulk", { ids: [...ids, strange], action, note: "Seen" })
  const acked = await bulk("ack")
  assert.deepEqual(acked.json(), {
    changed: 2,
    failed: [{ id: strange, error: "Expected the id of an incident" }],
  })
  const { incidents } = await list(`policyId=${policyId}`)
  assert.ok(incidents.every(({ acked: isAcked, note }) => isAcked && note === "Seen"))
  assert.equal((await bulk("close")).json<{ changed: number }>().changed, 2)
  assert.equal((await bulk("close")).json<{ changed: number }>().changed, 0)
  assert.ok((await list(`policyId=${policyId}`)).incidents.every(({ closed }) => closed))
})

test("what has no meaning is refused by name; Read Only users change nothing", async () => {
  const { ids } = await openIncidents("right-fail", ["right-a"])
  const refused = async (body: object, problem: RegExp) => {
    const reply = await client().post("/incidents/bulk", body)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors[0]!, problem)
  }
  await refused({ ids: [], action: "ack" }, /ids: expected at least one id/)
  await refused({ ids: ["x"], action: "ack" }, /ids\[0\]: expected the id of an incident/)
  await refused({ ids, action: "forget" }, /action: expected ack, unack or close/)
  const many = Array.from({ length: 1001 }, () => ids[0])
  await refused({ ids: many, action: "ack" }, /ids: expected at most 1000 ids/)
  const long = await client().post(`/incidents/${ids[0]}/ack`, { note: "x".repeat(4001) })
  assert.equal(long.status, 400)
  const unknown = async (query: string, problem: RegExp) => {
    const reply = await client().get(`/incidents${query}`)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors[0]!, problem)
  }
  await unknown("?order=up", /order: expected asc or desc/)
  await unknown("?sort=level&isClosed=true", /sort: expected since with isClosed=true, got level/)
  await unknown("?sort=size&isClosed=false", /sort: expected one of since, level, policy, element/)
  await unknown("?fields=size", /fields: expected fields of an incident, got "size"/)
  await unknown("/groups?by=size", /by: expected one of policy, element/)
  await unknown("/groups?sort=size", /sort: expected one of level, count, minutes, got "size"/)
  await unknown("/histogram?buckets=401", /buckets: expected a whole number, 0 to 400, got "401"/)
  const backwards = "/histogram?startDate=2026-11-02&endDate=2026-11-01"
  await unknown(
    backwards,
    /startDate: expected it before endDate \("2026-11-01"\), got "2026-11-02"/,
  )
  await unknown("/groups?members=21", /members: expected a whole number, 0 to 20/)
  const reader = await newUser(client(), "incident-reader", "Read Only")
  assert.equal((await reader.post(`/incidents/${ids[0]}/ack`, {})).status, 403)
  assert.equal((await reader.post("/incidents/bulk", { ids, action: "ack" })).status, 403)
  assert.equal((await reader.get("/incidents")).status, 200)
})
