/** Waits after failures, and stored waits that a wrong clock began. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  firstRetryMs,
  isWaitOver,
  longestWaitMs,
  retryAfterMs,
  retryMsMax,
} from "../../src/notify/backoff.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { startMs } from "./test-delivery.ts"

test("waits double up to their limit, each randomized by at most a fifth", () => {
  const random = seededRandom(1)
  for (let attempts = 1; attempts < 60; attempts++) {
    const middle = Math.min(firstRetryMs * 2 ** (attempts - 1), retryMsMax)
    const wait = retryAfterMs(attempts, random)
    assert.ok(wait >= middle * 0.8 - 1 && wait <= middle * 1.2 + 1, `${attempts}: ${wait}`)
    assert.ok(wait <= longestWaitMs(attempts), `${attempts}: ${wait}`)
  }
})

test("a wait is over at its end, and not before", () => {
  const cases = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer(), fc.nat())
  fc.assert(
    fc.property(cases, ([attempts, seed, passed]) => {
      const waitMs = retryAfterMs(attempts, seededRandom(seed))
      const isOver = isWaitOver({ attempts, dueMs: startMs + waitMs }, startMs + passed)
      assert.equal(isOver, passed >= waitMs)
    }),
  )
})

test("a clock that goes back leaves no wait that is longer than its longest (R5)", () => {
  const cases = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer(), fc.nat())
  fc.assert(
    fc.property(cases, ([attempts, seed, aheadMs]) => {
      const dueMs = startMs + aheadMs + retryAfterMs(attempts, seededRandom(seed))
      const remainingMs = isWaitOver({ attempts, dueMs }, startMs) ? 0 : dueMs - startMs
      assert.ok(remainingMs <= longestWaitMs(attempts), `${remainingMs} after ${attempts}`)
    }),
  )
})
