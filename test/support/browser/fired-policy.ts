/**
 * A server with an open and a closed incident of a policy, for tests of pages: two hours pass on a
 * fast clock, then the clock runs on at its usual pace from where it is.
 */

import assert from "node:assert/strict"
import { callerOf, type TestCaller } from "../server/caller.ts"
import { startServer, storyProgram, type TestServer } from "../server/server.ts"
import { eventually } from "../time/eventually.ts"

/** Two cycles in a row; the name is what a user could type. */
export const firedPolicy = {
  name: `CPU <img src=x onerror="document.title='hacked'">`,
  scope: { elementTypes: ["SERVER"] },
  duration: 600,
  conditions: [
    { metric: "cpu.total", analytic: "actual", operator: ">", level: 90 },
    { metric: "requests", analytic: "actual", operator: ">", level: 100 },
  ],
}

export interface ListedFired {
  readonly incidentId: string
  readonly elementFqn: string
  readonly closed: boolean
  readonly tsFirstFired: string
  readonly tsLastFired: string
}

export interface Fired {
  readonly server: TestServer
  readonly policyId: string
  /** Of web-1 and web-2: the former is closed, the latter open. */
  readonly closedId: string
  readonly openId: string
  /** Of web-3, oldest first: closed by a user while it fired, and the one after it, recovered. */
  readonly reopenedIds: readonly string[]
}

export interface FiredOptions {
  readonly folder: string
  readonly flags?: readonly string[]
  /** Of the policy. */
  readonly actions?: (admin: TestCaller) => Promise<readonly object[]>
  /** Whether there is web-3. */
  readonly hasReopened?: boolean
}

/** Cycles a second: fast, and each has samples even on a slow machine. */
const speed = 300
/** Cycles without a violation, before the first one. */
const quietCycles = 5
const beginTime = "2026-01-05T00:00:00Z"
const beginMs = Date.parse(beginTime)
const cycleMs = 300_000

export async function fireIncidents(options: FiredOptions): Promise<Fired> {
  const { folder, flags = [], actions, hasReopened = false } = options
  const start = (clock: string) =>
    startServer({ folder, program: storyProgram(), flags: ["--clock", clock, ...flags] })
  const fast = await start(`${beginTime},x${speed}`)
  const admin = callerOf(fast.client)
  const policy = { ...firedPolicy, actions: (await actions?.(admin)) ?? [] }
  const made = await admin.post("/policies", { policy })
  assert.equal(made.status, 200, made.text)
  const policyId = made.json<{ policy: { id: string } }>().policy.id
  await eventually(async () => (await step(fast, "web-1")).some(({ closed }) => closed))
  if (hasReopened) await reopen(fast, admin)
  const isOpen = ({ elementFqn, closed }: ListedFired) => elementFqn === "web-2" && !closed
  await eventually(async () => (await step(fast, "web-2")).some(isOpen))
  const incidents = await listed(fast)
  const nowMs = await timeOf(fast)
  await fast.stop()
  const server = await start(`${new Date(nowMs).toISOString()},x1`)
  const [closedId, openId] = ["web-1", "web-2"].map(
    (fqn) => incidents.find((one) => one.elementFqn === fqn)!.incidentId,
  )
  const reopenedIds = ofReopened(incidents).map(({ incidentId }) => incidentId)
  return { server, policyId, closedId: closedId!, openId: openId!, reopenedIds }
}

/** The last two of web-3. */
function ofReopened(incidents: readonly ListedFired[]): readonly ListedFired[] {
  const own = incidents.filter(({ elementFqn }) => elementFqn === "web-3")
  return own.toSorted((one, other) => one.tsFirstFired.localeCompare(other.tsFirstFired)).slice(-2)
}

/**
 * Closes incidents of web-3, which goes on violating, until one follows in the next cycle: a slow
 * machine may have a cycle without samples, after which its condition begins to hold again.
 */
async function reopen(server: TestServer, admin: TestCaller): Promise<void> {
  await eventually(async () => {
    const [former, last] = ofReopened(await step(server, "web-3"))
    if (last !== undefined) {
      const gapMs = Date.parse(last.tsFirstFired) - Date.parse(former!.tsLastFired)
      if (gapMs === cycleMs) return true
    }
    const open = last ?? former
    if (open === undefined || open.closed) return false
    const closed = await admin.put(`/incidents/${open.incidentId}`)
    assert.equal(closed.status, 204, closed.text)
    return false
  })
}

/** Posts the samples of now: one element violates, web-1 until its incident is open. */
async function step(server: TestServer, violating: string): Promise<readonly ListedFired[]> {
  const found = await listed(server)
  const isQuiet = (await timeOf(server)) < beginMs + quietCycles * cycleMs
  const isOver = violating === "web-1" && found.length > 0
  const firing = isQuiet || isOver ? "" : violating
  const hasThird = violating === "web-3" || ofReopened(found).length > 0
  const body = ["web-1", "web-2", ...(hasThird ? ["web-3"] : [])].map((id) => {
    const [cpu, requests] = id === firing ? [96, 812] : [30, 40]
    const samples = [
      { metricId: "cpu.total", val: cpu },
      { metricId: "requests", val: requests },
    ]
    const metrics = [
      { id: "cpu.total", unit: "percent" },
      { id: "requests", unit: "" },
    ]
    return { id, type: "SERVER", metrics, samples }
  })
  const headers = { "x-service-api-options": "INJECT_TIMESTAMP" }
  const posted = await server.client.ingest(body, headers)
  assert.equal(posted.status, 202, posted.text)
  return found
}

async function listed(server: TestServer): Promise<readonly ListedFired[]> {
  const reply = await callerOf(server.client).get("/incidents")
  return reply.json<{ incidents: readonly ListedFired[] }>().incidents
}

async function timeOf(server: TestServer): Promise<number> {
  const reply = await server.client.get("/time")
  return reply.json<{ epochMillis: number }>().epochMillis
}
