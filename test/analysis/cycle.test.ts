import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { baselineBytes } from "../../src/analysis/baseline-columns.ts"
import {
  cycleOf,
  cyclesPerWeek,
  cycleStartMs,
  dailyShare,
  patternSlots,
  slotsOfCycle,
  weeklyShare,
} from "../../src/analysis/cycle.ts"

const cycles = fc.integer({ min: -1_000_000, max: 50_000_000 })

test("a cycle holds exactly the five minutes from its start", () => {
  fc.assert(
    fc.property(cycles, fc.integer({ min: 0, max: 299_999 }), (cycle, ms) => {
      assert.equal(cycleOf(cycleStartMs(cycle) + ms), cycle)
    }),
  )
})

test("slots lie in the pattern, neighbours differ, and a week later they are the same", () => {
  fc.assert(
    fc.property(cycles, (cycle) => {
      const slots = slotsOfCycle(cycle)
      for (const slot of slots) assert.ok(slot >= 0 && slot < patternSlots)
      assert.equal(new Set(slots).size, 4)
      assert.deepEqual(slotsOfCycle(cycle + cyclesPerWeek), slots)
      assert.ok(dailyShare(cycle) >= 0 && dailyShare(cycle) < 1)
      assert.ok(weeklyShare(cycle) >= 0 && weeklyShare(cycle) < 1)
    }),
  )
})

test("00:00 is before the middle of the day's first half hour", () => {
  // Middle of the cycle: minute 2.5; of the slot: minute 15. 12.5 of 30 minutes are missing.
  assert.deepEqual(slotsOfCycle(0).slice(0, 2), [47, 0])
  assert.ok(Math.abs(dailyShare(0) - (1 - 12.5 / 30)) < 1e-12)
  assert.deepEqual(slotsOfCycle(3).slice(0, 2), [0, 1])
})

test("what is kept of a metric stays under the limit of 6 kB", () => {
  assert.equal(baselineBytes, 2688)
})
