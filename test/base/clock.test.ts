import assert from "node:assert/strict"
import { test } from "node:test"
import { AssertionError } from "../../src/base/assert.ts"
import { systemClock, TestClock } from "../../src/base/clock.ts"

test("TestClock changes only by set and advance, in whole milliseconds, also backwards", () => {
  const clock = new TestClock(1000)
  assert.equal(clock.nowMs(), 1000)
  clock.advance(500)
  assert.equal(clock.nowMs(), 1500)
  clock.set(200)
  assert.equal(clock.nowMs(), 200)
  assert.throws(() => clock.advance(0.5), AssertionError)
  assert.equal(clock.nowMs(), 200)
})

test("systemClock returns whole milliseconds close to those of the machine", () => {
  const before = Date.now()
  const nowMs = systemClock.nowMs()
  assert.ok(Number.isInteger(nowMs) && before <= nowMs && nowMs <= Date.now())
})
