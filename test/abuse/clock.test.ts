/** The server's clock is set while it runs: an hour, ten years, a second back. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { UserDocument } from "../../src/accounts/documents.ts"
import { Authenticator } from "../../src/accounts/authenticator.ts"
import { deriveInPool, hashPassword } from "../../src/accounts/password.ts"
import { Semaphore } from "../../src/base/async.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { TestSignIn } from "../accounts/test-sign-in.ts"
import { element, nowMs, Reading, sample } from "../ingest/reading.ts"

const hourMs = 3_600_000
const tenYearsMs = 3_652 * 24 * hourMs
const jumpsMs = [-1_000, hourMs, -hourMs, tenYearsMs, -tenYearsMs]

test("a login that was checked is not good for longer because the clock was set back", async () => {
  const how = { cost: { N: 16, r: 1, p: 1 }, derive: deriveInPool }
  const clock = new TestClock(nowMs)
  const user = {
    version: 2,
    id: 1,
    tenant: 0,
    role: "Administrator" as const,
    active: true,
    properties: {},
    customElementTypeIcons: {},
    featuresUsed: [],
    createdMs: 0,
  }
  const hashOf = (password: string) => hashPassword(password, new Uint8Array(16), how)
  let ada: UserDocument = { ...user, passwordHash: await hashOf("right") }
  const random = seededRandom(1)
  const hashSlots = new Semaphore(1)
  const deps = new TestSignIn()
  const logins = new Authenticator({ userOf: () => ada, clock, random, deps, hashSlots })
  const header = `Basic ${Buffer.from("ada@example.org:right").toString("base64")}`

  for (const byMs of [0, ...jumpsMs]) {
    clock.advance(byMs)
    assert.equal((await logins.authenticate(header)).user, "ada@example.org")
  }
  ada = { ...user, passwordHash: await hashOf("changed") }
  clock.advance(-tenYearsMs)
  await assert.rejects(logins.authenticate(header))
})

test("samples are judged by the clock as it is; each is kept once, whatever the clock did", () => {
  const reading = new Reading()
  let now = nowMs
  for (const [i, byMs] of [0, ...jumpsMs].entries()) {
    now += byMs
    const body = [element({ samples: [sample({ timestamp: now, val: i })] })]
    for (let again = 0; again < 3; again++) assert.ok(reading.read(body, { nowMs: now }).ok)
    const far = [element({ samples: [sample({ timestamp: now + 2 * hourMs })] })]
    assert.ok(!reading.read(far, { nowMs: now }).ok)
    const kept = reading.samples().filter(({ value }) => value === i)
    assert.equal(kept.length, 3, "one a request; the store makes them one")
    assert.ok(kept.every(({ timeMs }) => timeMs === now))
  }
})
