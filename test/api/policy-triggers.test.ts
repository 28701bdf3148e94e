/**
 * Policies outside of cycles: external events, and checks that expire (spec/policies §4,
 * spec/events §4).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { callerOf } from "../support/server/caller.ts"
import { useAccount } from "../support/server/server.ts"
import { answerOnce } from "../support/time/eventually.ts"

const client = useAccount()

interface IncidentAnswer {
  readonly incidentId: string
  readonly eventIds: readonly string[]
  readonly closed: boolean
}

async function newPolicy(policy: object): Promise<string> {
  const reply = await client().post("/policies", { policy })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ policy: { id: string } }>().policy.id
}

async function incidents(policyId: string): Promise<IncidentAnswer[]> {
  const reply = await client().get(`/incidents?policyId=${policyId}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ incidents: IncidentAnswer[] }>().incidents
}

async function eventsOf(policyId: string): Promise<Record<string, unknown>[]> {
  const reply = await client().get(`/events?policy=${policyId}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ events: Record<string, unknown>[] }>().events
}

async function postEvent(title: string, data: object): Promise<void> {
  const body = [{ type: "INFO", title, source: "nagios", timestamp: Date.now(), data }]
  await postEvents(body)
}

async function postEvents(body: object[]): Promise<void> {
  const reply = await client().send(`/ingest/events/${client().apiKey}`, { method: "POST", body })
  assert.equal(reply.status, 202, reply.text)
}

test("an external event that meets the conditions is an event of the policy", async () => {
  const policyId = await newPolicy({
    name: "Disk failing",
    scope: { fqnIncludes: ["store-1"] },
    eventConditions: [{ messageRegex: "fail(ed|ing)", sourceRegex: "^nagios$", level: "CRITICAL" }],
    actions: [{ type: "event", category: 3 }],
  })
  await postEvent("other element", { elementId: "store-2", level: "CRITICAL", message: "failing" })
  await postEvent("other level", { elementId: "store-1", level: "WARNING", message: "failing" })
  await postEvent("other text", { elementId: "store-1", level: "CRITICAL", message: "is fine" })
  assert.deepEqual(await incidents(policyId), [])

  const event = {
    type: "INFO",
    title: "sda1",
    source: "nagios",
    timestamp: Date.now() - 1_000,
    data: { elementId: "store-1", level: "CRIT", message: "Disk sda1 is FAILING" },
  }
  await postEvents([event])
  // The same again is the same event.
  await postEvents([event])
  const found = await eventsOf(policyId)
  assert.equal(found.length, 1)
  assert.equal(found[0]!["isExternal"], false)
  assert.equal((found[0]!["category"] as { id: string }).id, "3")
  const { results, policyName } = found[0]!["data"] as { results: string; policyName: string }
  assert.equal(policyName, "Disk failing")
  assert.deepEqual(JSON.parse(results), {
    violating: true,
    conditions: [
      {
        id: "0",
        violating: true,
        expression: 'The event "sda1" of level CRITICAL meets the event condition.',
      },
    ],
    metrics: [],
  })
  const [incident, ...others] = await incidents(policyId)
  assert.equal(others.length, 0)
  assert.deepEqual(incident!.eventIds, [found[0]!["id"]])

  // Closed by hand it stays closed; the next event opens another.
  const headers = { authorization: client().authorization }
  const path = `/incidents/${incident!.incidentId}`
  assert.equal((await client().send(path, { method: "PUT", headers })).status, 204)
  await postEvent("sda1", { elementId: "store-1", level: "CRITICAL", message: "failed" })
  const after = await incidents(policyId)
  assert.deepEqual(
    after.map(({ closed }) => closed),
    [true, false],
  )
})

test("a check that expires fires once, and clears when it is posted again", async () => {
  const policyId = await newPolicy({
    name: "No heartbeat",
    checkCondition: { checkName: "lapse-heartbeat" },
    actions: [{ type: "event", category: 2 }],
  })
  const post = (ttl: number) =>
    client().send(`/check/${client().apiKey}/lapse-heartbeat/web-9/${ttl}`, { method: "POST" })
  assert.equal((await post(0.2)).status, 202)
  const open = await answerOnce(
    () => incidents(policyId),
    ([one]) => one !== undefined,
  )
  assert.equal(open[0]!.closed, false)
  // One pass looks for expired checks: with the incident of the second, the first was seen again.
  const other = await newPolicy({
    name: "No other heartbeat",
    checkCondition: { checkName: "other-heartbeat" },
    actions: [{ type: "event", category: 2 }],
  })
  const path = `/check/${client().apiKey}/other-heartbeat/web-9/0.2`
  assert.equal((await client().send(path, { method: "POST" })).status, 202)
  await answerOnce(
    () => incidents(other),
    ([one]) => one !== undefined,
  )
  assert.equal((await eventsOf(policyId)).length, 1)
  assert.equal((await post(60)).status, 202)
  const over = await answerOnce(
    () => incidents(policyId),
    ([one]) => one!.closed,
  )
  assert.equal(over.length, 1)
})

test("checks and their incidents go by id or with their element, and may come back", async () => {
  const { get, post, delete: remove } = callerOf(client())
  const policyId = await newPolicy({ name: "Gone", checkCondition: { checkName: "to-delete" } })
  const arm = (fqn: string, ttl: number) =>
    client().send(`/check/${client().apiKey}/to-delete/${fqn}/${ttl}`, { method: "POST" })
  const fqns = ["doomed-1", "doomed-2", "doomed-3"]
  assert.equal((await client().ingest(fqns.map((id) => ({ id, type: "SERVER" })))).status, 202)
  for (const fqn of fqns) await arm(fqn, 0.2)
  await answerOnce(
    () => incidents(policyId),
    ({ length }) => length === fqns.length,
  )
  const idsOf = async (): Promise<string[]> => {
    const { checks } = (await get("/checks")).json<{ checks: { id: string; name: string }[] }>()
    return checks.filter(({ name }) => name === "to-delete").map(({ id }) => id)
  }
  const [first] = await idsOf()
  assert.equal((await remove(`/checks/${first}`)).status, 204)
  assert.equal((await remove(`/checks/${first}`)).status, 404)
  assert.equal((await remove("/elements/doomed-2")).status, 204)
  const bulk = { ids: ["doomed-3"], action: "delete" }
  assert.equal((await post("/elements/search/elementBulk", bulk)).status, 200)
  assert.deepEqual(await idsOf(), [])
  assert.ok((await incidents(policyId)).every(({ closed }) => closed))
  const { entries } = (await get("/audit?kind=change")).json<{ entries: { detail: string }[] }>()
  assert.ok(entries.some(({ detail }) => detail === `DELETE /checks/${first}`))
  await arm("doomed-1", 60)
  assert.deepEqual(await idsOf(), [first])
})

test("an element shows the names of its checks as the tag n.checks", async () => {
  assert.equal((await client().ingest([{ id: "tagged-1", type: "SERVER" }])).status, 202)
  for (const name of ["heartbeat", "disk"]) {
    await client().send(`/check/${client().apiKey}/${name}/tagged-1/60`, { method: "POST" })
  }
  const reply = await client().get("/elements/tagged-1")
  const { element } = reply.json<{ element: { serviceTags: Record<string, string> } }>()
  assert.equal(element.serviceTags["n.checks"], "disk, heartbeat")
})
