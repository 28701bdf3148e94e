/**
 * Replays of policies over HTTP (spec/policies §10), on a clock that closes two cycles a second.
 * The law itself is that of simulation/policy-replay.test.ts.
 */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { sendToOwner } from "../../src/control/control-socket.ts"
import type { PolicyReplayAnswer } from "../../src/wire/records/policy-replay.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { callerOf, type TestCaller } from "../support/server/caller.ts"
import { errorOf } from "../support/server/responses.ts"
import type { Reply } from "../support/server/client.ts"
import { startServer, storyProgram, type TestServer } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

const clock = "2026-01-05T00:00:00Z,x600"
const beginMs = Date.parse("2026-01-05T00:00:00Z")
const cycleMs = 300_000
const folder = makeFolder("tidegauge-evaluate")
let server: TestServer | null = null
let admin: TestCaller
let policyId = ""

const condition = { metric: "cpu", analytic: "actual", operator: ">", level: 90 }
const policy = { name: "CPU", scope: { elementTypes: ["SERVER"] }, conditions: [condition] }

interface StoredIncident {
  readonly elementId: string
  readonly tsFirstFired: string
  readonly closed: boolean
}

async function incidents(): Promise<readonly StoredIncident[]> {
  const reply = await admin.get(`/incidents?policyId=${policyId}`)
  return reply.json<{ incidents: readonly StoredIncident[] }>().incidents
}

/** Until the first incident is closed: one element was above the level for some seconds. */
async function live(): Promise<void> {
  let isHigh = true
  await eventually(async () => {
    const body = ["web-1", "web-2"].map((id) => {
      const val = isHigh && id === "web-1" ? 95 : 20
      return { id, type: "SERVER", samples: [{ metricId: "cpu", val }] }
    })
    const headers = { "x-service-api-options": "INJECT_TIMESTAMP" }
    assert.equal((await server!.client.ingest(body, headers)).status, 202)
    const found = await incidents()
    isHigh = found.length === 0
    return found.some(({ closed }) => closed)
  })
}

before(async () => {
  server = await startServer({ folder, program: storyProgram(), flags: ["--clock", clock] })
  admin = callerOf(server.client)
  const made = await admin.post("/policies", { policy })
  policyId = made.json<{ policy: { id: string } }>().policy.id
  await live()
})

after(async () => {
  await server?.stop()
  removeFolder(folder)
})

const wholeDay = { startTime: String(beginMs), endTime: "2026-01-06T00:00:00Z" }

async function evaluated(body: object): Promise<PolicyReplayAnswer> {
  const reply = await admin.post("/policies/evaluate", { ...wholeDay, ...body })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<PolicyReplayAnswer>()
}

test("a replay of a stored policy finds the incidents that it had", async () => {
  const [known] = await incidents()
  const replay = await evaluated({ policyId })
  assert.equal(replay.matchedElements, 2)
  assert.equal(replay.evaluatedElements, 2)
  assert.equal(replay.isSampled, false)
  assert.equal(replay.incidents, 1)
  assert.equal(replay.firingAtEnd, 0)
  const [found] = replay.incidentList
  assert.equal(found!.elementId, known!.elementId)
  assert.equal(found!.start, Date.parse(known!.tsFirstFired))
  assert.deepEqual(found!.metrics, ["cpu"])
  assert.equal(replay.violatingMinutes, 5 * found!.cycles)
  assert.equal(replay.elements[0]!.elementFqn, "web-1")
  assert.deepEqual(replay.perDay, [{ date: "2026-01-05", incidents: 1 }])
})

test("a draft needs no name, and tells the messages that it would have sent", async () => {
  const actions = [{ type: "notification", id: 7, notifyFrequencyMin: 5, sendOnClear: true }]
  const { incidentList, notifications } = await evaluated({ policy: { ...policy, actions } })
  const cycles = incidentList[0]!.cycles
  assert.deepEqual(notifications, { first: 1, repeated: cycles - 1, cleared: 1 })

  const always = { ...condition, level: 10 }
  const other = await evaluated({ policy: { conditions: [always], duration: 600 } })
  assert.deepEqual(other.elements.map(({ name }) => name).sort(), ["web-1", "web-2"])
  assert.deepEqual(other.leftOut, [])
})

test("the cycles of one element have what was compared, and agree with the incident", async () => {
  const { incidentList, cycles, cycleDetail } = await evaluated({
    policyId,
    elements: ["web-1"],
    detail: "cycles",
  })
  const { timestamps, conditions, fires } = cycleDetail!
  const [only] = conditions
  assert.equal(conditions.length, 1)
  assert.equal(only!.metricFqn, "cpu")
  assert.ok(timestamps.length >= cycles)
  assert.equal(timestamps[1]! - timestamps[0]!, cycleMs)
  const firing = timestamps.filter((_, at) => fires[at])
  assert.equal(firing[0], incidentList[0]!.start)
  assert.equal(firing.at(-1)! + cycleMs, incidentList[0]!.end)
  assert.deepEqual(only!.holds, fires)
  for (const [at, value] of only!.values.entries()) {
    assert.equal(value !== null && value > 90, fires[at])
    assert.equal(only!.thresholds![at], 90)
  }
})

test("a window without closed cycles is empty, however far away", async () => {
  for (const startTime of ["1970-01-01T00:00:00Z", "9999-12-01T00:00:00Z"]) {
    const endTime = startTime.replace("-01T", "-05T")
    const replay = await evaluated({ policyId, startTime, endTime })
    assert.equal(replay.matchedElements, 2)
    assert.equal(replay.cycles, 0)
    assert.equal(replay.incidents, 0)
    assert.ok(replay.perDay.length < 10)
  }
})

test("what is not replayed is named", async () => {
  const conditions = {
    eventConditions: [{ level: "CRITICAL" }],
    checkCondition: { checkName: "c" },
  }
  const { leftOut } = await evaluated({ policy: { ...policy, ...conditions } })
  assert.deepEqual(leftOut, ["eventConditions", "checkCondition"])
})

test("a wrong body is refused with the name of the field", async () => {
  const f = async (body: object, want: RegExp) => {
    const reply: Reply = await admin.post("/policies/evaluate", body)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors.join("\n"), want)
  }

  await f({}, /policyId: expected either it or policy/)
  await f({ policyId, policy }, /policyId: expected either it or policy/)
  await f({ policy: { ...policy, conditions: [] } }, /policy\.conditions: expected a condition/)
  await f({ policy: { ...policy, duration: 7 } }, /policy\.duration: expected whole cycles/)
  await f({ policyId, detail: "cycles" }, /elements: expected one element/)
  await f({ policyId, detail: "all" }, /detail: expected one of summary, cycles/)
  await f({ policyId, duration: "P15D" }, /duration: expected at most two weeks/)
  await f(
    { policyId, startTime: "2025-01-01T00:00:00Z" },
    /startTime: expected a window of at most/,
  )
  await f({ policyId, element: "web-1" }, /element.*did you mean.*elements/i)
})

test("an unknown policy or element, and those of another account, are missing", async () => {
  const [email, password] = ["two@example.com", "the second password"]
  const words = ["account", "create", "--name", "Two", "--email", email, "--password", password]
  const made = await sendToOwner(folder, words)
  assert.equal(made?.status, 0, made?.text)
  const credentials = `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`
  const asOther = (body: object) =>
    server!.client.send("/policies/evaluate", {
      method: "POST",
      body,
      headers: { authorization: credentials, "content-type": "application/json" },
    })
  const [known] = await incidents()
  const foreign = [
    { policyId },
    { policy, elements: [known!.elementId] },
    { policy, elements: ["web-1"] },
  ]
  for (const body of foreign) assert.equal((await asOther(body)).status, 404)
  const nobody = "00000000-0000-4000-8000-000000000000"
  assert.equal((await admin.post("/policies/evaluate", { policyId: nobody })).status, 404)
  const empty = (await asOther({ policy, ...wholeDay })).json<PolicyReplayAnswer>()
  assert.equal(empty.matchedElements, 0)
  assert.equal(empty.incidents, 0)
})
