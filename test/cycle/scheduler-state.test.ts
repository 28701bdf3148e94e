/** Laws of the scheduler's state: what an outage and a clock that was set back make of it. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { SchedulerState } from "../../src/model/closed-cycles.ts"
import { resumeState, skipMissed } from "../../src/cycle/scheduler-state.ts"

const missedMax = 12
const due = 105

test("an outage leaves the last due cycles to close, and records the others as unobserved", () => {
  const outage = { from: 50, to: 60 }
  const f = (closed: SchedulerState["closed"], max: number, want: SchedulerState) => {
    const state = { next: 80, unobserved: [outage], ...(closed && { closed }) }
    assert.deepEqual(skipMissed(state, due, max), { ...want, ...(closed && { closed }) })
  }

  f(undefined, missedMax, { next: 94, unobserved: [outage, { from: 80, to: 94 }] })
  f(undefined, 0, { next: 105, unobserved: [outage, { from: 80, to: 105 }] })
  const parts = [
    { from: 80, to: 85 },
    { from: 90, to: 94 },
  ]
  f([{ from: 85, to: 90 }], missedMax, { next: 94, unobserved: [outage, ...parts] })
})

test("a state without cycles to skip is refused", () => {
  assert.throws(() => skipMissed({ next: 94, unobserved: [] }, due, missedMax), /between 94 and 94/)
})

test("of more outages than are stored, the oldest two are one", () => {
  const unobserved = Array.from({ length: 100 }, (_, i) => ({ from: i * 10, to: i * 10 + 1 }))
  const { unobserved: kept } = skipMissed({ next: 1_000, unobserved }, 2_000, missedMax)
  assert.equal(kept.length, 100)
  assert.deepEqual(kept[0], { from: 0, to: 11 })
  assert.deepEqual(kept.at(-1), { from: 1_000, to: 1_989 })
})

test("a clock that was not set back, or by less than a cycle, changes nothing", () => {
  for (const next of [due, due + 1, due + 2]) {
    const state = { next, unobserved: [], began: 0 }
    assert.equal(resumeState(state, due, missedMax), state)
  }
})

test("a clock that had been ahead resumes with the cycles that were skipped because of it", () => {
  const state = { next: 120, unobserved: [{ from: 100, to: 118 }], began: 50 }
  const closed = [{ from: 118, to: 120 }]
  assert.deepEqual(resumeState(state, due, missedMax), {
    next: 100,
    unobserved: [],
    began: 50,
    closed,
  })
})

test("a clock that is set back by more than a cycle is followed", () => {
  const f = (state: SchedulerState, want: SchedulerState) => {
    assert.deepEqual(resumeState(state, due, missedMax), want)
  }

  const closed = [{ from: 106, to: 108 }]
  f({ next: 108, unobserved: [], began: 0 }, { next: 106, unobserved: [], began: 0, closed })
  const before = [{ from: 900, to: 1_000 }]
  const far = { next: 1_000, unobserved: [], began: 900 }
  f(far, { next: 106, unobserved: [], began: 106, closed: before })
  // A new store that began ahead has closed nothing.
  f(
    { next: 130, unobserved: [], began: 130 },
    { next: 106, unobserved: [], began: 106, closed: [] },
  )
})
