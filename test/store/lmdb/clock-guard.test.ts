import assert from "node:assert/strict"
import { test } from "node:test"
import { dayMs, hourMs } from "../../../src/model/resolution.ts"
import { ClockJumpGuard } from "../../../src/store/lmdb/compaction/clock-guard.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import { append, cpu, noonMs, plain } from "../../support/ingest/samples.ts"
import { folderOf, openWriter, type Warning } from "../../support/store/lmdb-folder.ts"

const tenYearsMs = 3_652 * dayMs

test("a clock that advances normally is trusted, and so is one that steps back", () => {
  const guard = new ClockJumpGuard()
  for (const nowMs of [noonMs, noonMs + hourMs, noonMs + 6 * dayMs, noonMs - tenYearsMs]) {
    assert.equal(guard.check({ nowMs, elapsedMs: 0 }, noonMs), "trusted")
  }
})

test("the first check of a store only records the time", () => {
  assert.equal(new ClockJumpGuard().check({ nowMs: noonMs, elapsedMs: 0 }, undefined), "first")
})

test("a clock that jumped is trusted after it has advanced normally for a day", () => {
  const guard = new ClockJumpGuard()
  const checkAfter = (hours: number) => {
    const ms = hours * hourMs
    return guard.check({ nowMs: noonMs + tenYearsMs + ms, elapsedMs: ms }, noonMs)
  }
  assert.deepEqual([0, 1, 23, 24].map(checkAfter), ["jumped", "waiting", "waiting", "trusted"])
})

test("another jump restarts the day, and a corrected clock ends it", () => {
  const guard = new ClockJumpGuard()
  const far = noonMs + tenYearsMs
  assert.equal(guard.check({ nowMs: far, elapsedMs: 0 }, noonMs), "jumped")
  assert.equal(guard.check({ nowMs: far + 9 * dayMs, elapsedMs: hourMs }, noonMs), "jumped")
  assert.equal(guard.check({ nowMs: noonMs, elapsedMs: 2 * hourMs }, noonMs), "trusted")
  assert.equal(guard.check({ nowMs: far, elapsedMs: 40 * hourMs }, noonMs), "jumped")
})

test("a store answers by its last retention, whose clock it keeps", async (t) => {
  const folder = folderOf(t)
  const warnings: Warning[] = []
  const store = openWriter(folder, warnings)
  assert.equal(store.trustsClock(noonMs), false, "before the first retention")
  append(store, [plain(noonMs, 1, cpu)])
  maintainFully(store, noonMs)
  assert.equal(store.trustsClock(noonMs + hourMs), true)
  await store.close()
  const later = openWriter(folder, warnings)
  assert.equal(later.trustsClock(noonMs + 366 * dayMs), false)
  assert.match(warnings[0]!.message, /the clock jumped ahead/)
  assert.equal(later.trustsClock(noonMs - hourMs), true)
  await later.close()
})
