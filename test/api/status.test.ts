/** The status of the server: what any user sees, and what only its operator does (spec/status §1). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { callerOf } from "../support/server/caller.ts"
import type { Client } from "../support/server/client.ts"
import { useServer } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

const flags = ["--clock", "2026-01-05T00:00:00Z,x2", "--base-url", "https://tide.example"]
const client = useServer({ flags, prepare })

const reader = `Basic ${Buffer.from("reader@example.com:reading only").toString("base64")}`

async function prepare(ready: Client): Promise<void> {
  const user = { email: "reader@example.com", password: "reading only", roles: ["Read Only"] }
  const made = await callerOf(ready).post("/users", { user })
  assert.equal(made.status, 200, made.text)
}

interface Status {
  readonly baseUrl: string
  readonly clock: object
  readonly retentionMs: Record<string, number>
  readonly limits: Record<string, number>
  readonly protocols: readonly string[]
  readonly cycle: { lastClosed: string; lagMs: number }
  readonly counts: { elements: number; series: number }
  readonly ingest: {
    samplesPerSecond: number
    lastSample: string | null
    newestSample: string | null
  }
  readonly server?: {
    readOnly: boolean
    problems: string[]
    lastRefused: { status: number; reason: string } | null
  }
}

async function statusOf(authorization: string): Promise<Status> {
  const reply = await client().send("/status", { headers: { authorization } })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<Status>()
}

test("the status tells clock, settings in force and protocols", async () => {
  const status = await statusOf(reader)
  assert.equal(status.baseUrl, "https://tide.example")
  assert.deepEqual(status.clock, { simulated: true, speed: 2 })
  assert.equal(status.retentionMs["PT5M"], 90 * 86_400_000)
  assert.equal(status.limits["bodyBytes"], 16 * 1024 ** 2)
  assert.ok(status.protocols.includes("json"))
  assert.equal(Date.parse(status.cycle.lastClosed) % 300_000, 0)
  assert.equal(status.cycle.lagMs, 0)
  const time = await client().send("/time")
  assert.equal(time.json<{ speed: number }>().speed, 2)
})

test("counts and the last sample are those of what was posted", async () => {
  const before = await statusOf(client().authorization)
  const samples = ["a", "b"].map((metricId) => ({ metricId, timestamp: 0, val: 1 }))
  const element = { id: "counted", type: "SERVER", samples }
  const options = { "x-service-api-options": "INJECT_TIMESTAMP" }
  const posted = await client().ingest([element], options)
  assert.equal(posted.status, 202, posted.text)
  // Counts are a second old at most.
  let after = before
  await eventually(async () => {
    after = await statusOf(client().authorization)
    return after.counts.series > before.counts.series
  })
  assert.equal(after.counts.elements, before.counts.elements + 1)
  assert.equal(after.counts.series, before.counts.series + 2)
  assert.ok(Date.parse(after.ingest.lastSample ?? "") >= Date.UTC(2026, 0, 5))
})

test("the newest sample is the latest that was posted, whenever it came", async () => {
  const newest = Date.UTC(2026, 0, 5, 0, 2)
  for (const timestamp of [newest, Date.UTC(2026, 0, 4)]) {
    const samples = [{ metricId: "a", timestamp, val: 1 }]
    const posted = await client().ingest([{ id: "counted", samples }])
    assert.equal(posted.status, 202, posted.text)
  }
  const { ingest } = await statusOf(client().authorization)
  assert.equal(ingest.newestSample, new Date(newest).toISOString())
})

test("only an administrator of the first account sees the newest refusal", async () => {
  assert.equal((await statusOf(reader)).server, undefined)
  const refused = await client().send("/ingest/0123456789abcdef0123", {
    method: "POST",
    body: "[]",
  })
  assert.equal(refused.status, 403)
  const { server } = await statusOf(client().authorization)
  assert.equal(server?.readOnly, false)
  assert.deepEqual(server?.problems, [])
  assert.equal(server?.lastRefused?.status, 403)
  assert.match(server?.lastRefused?.reason ?? "", /API key is not known/)
  assert.ok(!JSON.stringify(server).includes("0123456789abcdef0123"))
})
