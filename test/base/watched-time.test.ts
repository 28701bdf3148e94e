/** Laws of watched time: what was missed is what the clock gained on the time that was watched. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { WatchedTime } from "../../src/base/time/watched-time.ts"
import { TestClock } from "../support/time/test-clock.ts"

const startMs = Date.UTC(2026, 0, 5)
const hourMs = 3_600_000

function fixture() {
  const clock = new TestClock(startMs)
  const elapsed = { ms: 0 }
  const watched = new WatchedTime({ clock, elapsedMs: () => elapsed.ms })
  assert.equal(watched.beganMs(), startMs)
  /** Time passes for the clock and for the process, and the server looks. */
  const pass = (clockMs: number, elapsedMs: number) => {
    clock.advance(clockMs)
    elapsed.ms += elapsedMs
    return watched.sinceMs()
  }
  return { clock, watched, pass }
}

test("a server that looks each second misses nothing", () => {
  const { watched, pass } = fixture()
  for (let second = 0; second < 100; second++) assert.equal(pass(1_000, 1_000), startMs)
  assert.equal(watched.missedMs(), 0)
})

test("time is missed when the machine was suspended, the process stopped, the clock set", () => {
  const cases = [
    { clockMs: hourMs, elapsedMs: 1_000, missedMs: hourMs - 1_000 },
    { clockMs: hourMs, elapsedMs: hourMs, missedMs: hourMs - 30_000 },
    { clockMs: -hourMs, elapsedMs: 1_000, missedMs: 0 },
  ]
  for (const { clockMs, elapsedMs, missedMs } of cases) {
    const { clock, watched, pass } = fixture()
    pass(1_000, 1_000)
    assert.equal(pass(clockMs, elapsedMs), clock.nowMs())
    assert.equal(watched.missedMs(), missedMs)
    assert.equal(watched.beganMs(), startMs)
  }
})

test("what several breaks miss is added; a correction of the clock is none", () => {
  const { watched, pass } = fixture()
  pass(hourMs, 0)
  pass(hourMs, 0)
  const sinceMs = watched.sinceMs()
  assert.equal(pass(-2_000, 1_000), sinceMs)
  assert.equal(pass(6_000, 1_000), sinceMs)
  assert.equal(watched.missedMs(), 2 * hourMs)
})

test("a process goes on from an earlier one after a restart, and not after an outage", () => {
  const f = (offMs: number, isEnd: boolean, isResumed: boolean) => {
    const sinceMs = startMs - hourMs
    const { watched } = fixture()
    watched.resume({ sinceMs, untilMs: startMs - offMs, isEnd })
    assert.equal(watched.sinceMs(), isResumed ? sinceMs : startMs, `${offMs} ms`)
  }

  f(60_000, true, true)
  f(60_001, true, false)
  f(300_000, false, true)
  f(300_001, false, false)
  f(-1, false, false)
})

test("of a simulated clock, only a step back is seen", () => {
  const clock = new TestClock(startMs)
  const watched = new WatchedTime({ clock })
  assert.equal(watched.beganMs(), startMs)
  clock.advance(hourMs)
  assert.equal(watched.sinceMs(), startMs)
  clock.advance(-hourMs)
  assert.equal(watched.sinceMs(), startMs)
  clock.advance(-hourMs)
  assert.equal(watched.sinceMs(), startMs - hourMs)
  assert.equal(watched.missedMs(), 0)
})
