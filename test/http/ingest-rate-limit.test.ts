/** Rate limits of keys, which are checked before the body is read (spec/accounts §3). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { RateLimit } from "../../src/accounts/rate-limit.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { answerFor, nowMs, send, startFixture, type Reply } from "./ingest-fixture.ts"

const json = '[{"id":"a"}]'

function assertThrottled(reply: Reply): void {
  assert.equal(reply.status, 429)
  const { status, message } = JSON.parse(reply.text)
  assert.deepEqual([status, message], [429, "TOO_MANY_REQUESTS"])
}

test("a payload over its key's rate is a 429 with Retry-After, and is not stored", async (t) => {
  const clock = new TestClock(nowMs)
  const limit = new RateLimit({ payloadsPerMinute: 2, samplesPerMinute: 0 }, clock)
  const { port, bodies, counted, intake } = await startFixture(t, { limit })
  for (let i = 0; i < 2; i++) assert.equal((await send(port, { body: json })).status, 202)
  const over = await send(port, { body: json })
  assertThrottled(over)
  assert.equal(over.headers["retry-after"], "30")
  assert.equal(bodies.length, 2)
  assert.equal(intake.queueBytes, 0)
  clock.advance(30_000)
  assert.equal((await send(port, { body: json })).status, 202)
  assert.deepEqual(counted, [202, 202, 429, 202])
})

test("samples that were stored are charged to the key; refused payloads cost none", async (t) => {
  const clock = new TestClock(nowMs)
  const limit = new RateLimit({ payloadsPerMinute: 0, samplesPerMinute: 2 }, clock)
  let status = 202
  const { port } = await startFixture(t, { limit, run: async (task) => answerFor(task, status) })
  // The fixture's shard finds one sample in every body.
  for (let i = 0; i < 2; i++) assert.equal((await send(port, { body: json })).status, 202)
  assertThrottled(await send(port, { body: json }))
  clock.advance(45_000)
  status = 503
  for (let i = 0; i < 3; i++) assert.equal((await send(port, { body: json })).status, 503)
  status = 202
  assert.equal((await send(port, { body: json })).status, 202)
})
