import assert from "node:assert/strict"
import { test } from "node:test"
import { dayMs, hourMs } from "../../../src/model/resolution.ts"
import { ClockJumpGuard } from "../../../src/store/lmdb/compaction/clock-guard.ts"
import { noonMs } from "../../support/samples.ts"

const tenYearsMs = 3_652 * dayMs

test("a clock that goes on as it should is believed, and one that steps back too", () => {
  const trust = new ClockJumpGuard()
  for (const nowMs of [noonMs, noonMs + hourMs, noonMs + 6 * dayMs, noonMs - tenYearsMs]) {
    assert.equal(trust.check({ nowMs, elapsedMs: 0 }, noonMs), "trusted")
  }
})

test("the first look of a store only notes the time", () => {
  assert.equal(new ClockJumpGuard().check({ nowMs: noonMs, elapsedMs: 0 }, undefined), "first")
})

test("a clock that jumped is believed once it has gone on for a day", () => {
  const trust = new ClockJumpGuard()
  const look = (hours: number) => {
    const ms = hours * hourMs
    return trust.check({ nowMs: noonMs + tenYearsMs + ms, elapsedMs: ms }, noonMs)
  }
  assert.deepEqual([0, 1, 23, 24].map(look), ["jumped", "waiting", "waiting", "trusted"])
})

test("another jump begins the day anew, and a clock set right ends it", () => {
  const trust = new ClockJumpGuard()
  const far = noonMs + tenYearsMs
  assert.equal(trust.check({ nowMs: far, elapsedMs: 0 }, noonMs), "jumped")
  assert.equal(trust.check({ nowMs: far + 9 * dayMs, elapsedMs: hourMs }, noonMs), "jumped")
  assert.equal(trust.check({ nowMs: noonMs, elapsedMs: 2 * hourMs }, noonMs), "trusted")
  assert.equal(trust.check({ nowMs: far, elapsedMs: 40 * hourMs }, noonMs), "jumped")
})
