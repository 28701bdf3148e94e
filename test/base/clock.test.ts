import assert from "node:assert/strict"
import { test } from "node:test"
import { AssertionError } from "../../src/base/assert.ts"
import { parseSimulatedTime, SimulatedClock, systemClock } from "../../src/base/clock.ts"
import { TestClock } from "../support/time/test-clock.ts"

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

const startMs = Date.UTC(2026, 0, 5)

const dayMs = 86_400_000

test("a simulated time is an instant, an optional speed and an optional end", () => {
  const f = (text: string, speed: number, endMs = Infinity) =>
    assert.deepEqual(parseSimulatedTime(text), { startMs, speed, endMs })
  f("2026-01-05T00:00:00Z", 1)
  f("2026-01-05T01:00:00+01:00,x60", 60)
  f("2026-01-05T00:00:00Z, x0.5", 0.5)
  f("2026-01-05T00:00:00Z,x100000", 100_000)
  f("2026-01-05T00:00:00Z,x60,2026-01-06T00:00:00Z", 60, startMs + dayMs)
  f("2026-01-05T00:00:00Z,x1, 2026-01-05T00:00:00Z", 1, startMs)
  const speeds = ["", "x60", "2026-01-05T00:00:00Z,60", "2026-01-05T00:00:00Z,x0"]
  const ends = ["2026-01-04T00:00:00Z", "tomorrow", "2026-01-06T00:00:00Z,x2"]
  const wrong = ends.map((end) => `2026-01-05T00:00:00Z,x60,${end}`)
  for (const text of [...speeds, ...wrong, "2026-01-05T00:00:00Z,2026-01-06T00:00:00Z"]) {
    assert.equal(parseSimulatedTime(text), undefined, text)
  }
  assert.equal(parseSimulatedTime("2026-01-05T00:00:00Z,x100001"), undefined)
})

test("a simulated clock has its start and speed, and stops at its limit", () => {
  let elapsedMs = 500
  let limitMs = startMs + 100_000
  const endMs = startMs + dayMs
  const clock = new SimulatedClock({ startMs, speed: 60, endMs }, () => elapsedMs)
  assert.equal(clock.nowMs(), startMs)
  elapsedMs += 1_000
  assert.equal(clock.nowMs(), startMs + 60_000)
  clock.limitTo(() => limitMs)
  elapsedMs += 1_000
  assert.equal(clock.nowMs(), limitMs)
  elapsedMs += 1_000_000
  assert.equal(clock.nowMs(), limitMs)
  // The time at the limit is not made up for.
  limitMs += 1_000_000
  elapsedMs += 1
  assert.equal(clock.nowMs(), startMs + 100_000 + 60)
  // An earlier limit does not move it back.
  limitMs = startMs
  assert.equal(clock.nowMs(), startMs + 100_000 + 60)
  // It stops at its end, whatever the limit.
  limitMs = Infinity
  elapsedMs += dayMs
  assert.equal(clock.nowMs(), endMs)
})
