/** Limits of a tenant besides samples (A11). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { checksMax } from "../../src/base/limits.ts"
import { Checks } from "../../src/records/incidents/checks.ts"
import { Events } from "../../src/records/incidents/events.ts"
import { GroupCommitQueue } from "../../src/records/incidents/group-commit-queue.ts"
import { recordsDeps } from "./test-deps.ts"

const tenantUuids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]

function house(eventsPerMinute = 0) {
  const deps = recordsDeps()
  const commitQueue = new GroupCommitQueue(deps.documents)
  const tenantUuid = (tenant: number) => tenantUuids[tenant]!
  const accept = { pastMs: 86_400_000, futureMs: 300_000 }
  const events = new Events({ ...deps, commitQueue, tenantUuid, accept, eventsPerMinute })
  return { ...deps, events, checks: () => new Checks({ ...deps, commitQueue, tenantUuid }) }
}

const named = (name: string) => ({ name, elementFqn: "web", ttlSeconds: 60 })

test("checks per tenant are limited; known ones continue, also after a restart", async () => {
  const { checks } = house()
  const first = checks()
  const posts = Array.from({ length: checksMax }, (_, i) => first.post(0, named(`c${i}`)))
  await Promise.all(posts)
  for (const one of [first, checks()]) {
    await assert.rejects(one.post(0, named("more")), { code: "invalid", message: /web\/more/ })
    await one.post(0, named("c0"))
    await one.post(1, named("more"))
    assert.equal((await one.list(0)).length, checksMax)
  }
})

test("events of a tenant are limited per minute, and one large post may overdraw", async () => {
  const { events, clock } = house(60)
  const text = (tenant = 0) =>
    events.acceptText(tenant, { text: "Disk is full", elementFqn: "web", source: "hook" })
  for (let i = 0; i < 60; i++) await text()
  const refusal = { code: "throttled", retryAfterSeconds: 1, message: /--events-per-minute/ }
  await assert.rejects(text(), refusal)
  await text(1)
  clock.advance(1_000)
  const { nowMs: timeMs } = events.acceptedPeriod()
  const event = { elementFqn: "web", level: "INFO", type: "INFO", title: null, timeMs } as const
  const posted = { ...event, source: "ci", data: { elementId: "web" }, tags: [], isTimed: true }
  const many = Array.from({ length: 120 }, (_, i) => ({ ...posted, title: `${i}` }))
  await events.accept(0, { received: 120, events: many }, null)
  clock.advance(60_000)
  await assert.rejects(text(), { code: "throttled", retryAfterSeconds: 59 })
  clock.advance(60_001)
  await text()
})
