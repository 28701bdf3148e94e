/** The times that the server gives: each batch has its own. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ServerTime } from "../../src/engine/server-time.ts"

const nowMs = Date.UTC(2026, 10, 29)

test("batches that arrive in one millisecond have times of their own, next to it", () => {
  const time = new ServerTime()
  const given = [0, 0, 0, 1, 1, 9].map((ms) => time.next(nowMs + ms) - nowMs)
  assert.deepEqual(given, [0, 1, 2, 3, 4, 9])
})

test("no two times are equal while the clock runs, and none is a second ahead", () => {
  const steps = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(steps, (waits) => {
      const time = new ServerTime()
      let clockMs = nowMs
      const given = waits.map((wait) => time.next((clockMs += wait)))
      assert.equal(new Set(given).size, given.length)
      assert.ok(given.at(-1)! - clockMs < 1_000)
    }),
  )
})

test("a clock that was set back is followed immediately", () => {
  const time = new ServerTime()
  time.next(nowMs)
  assert.equal(time.next(nowMs - 7_200_000), nowMs - 7_200_000)
  assert.equal(time.next(nowMs - 7_200_000), nowMs - 7_200_000 + 1)
})
