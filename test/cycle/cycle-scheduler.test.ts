/** Laws of the ticker: a clock moved by hand, a store that remembers which parts are closed. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import fc from "fast-check"
import { TestClock } from "../support/time/test-clock.ts"
import { CycleScheduler, type SchedulerState } from "../../src/cycle/cycle-scheduler.ts"
import { elementBatches, type BatchRequest } from "../../src/cycle/cycle-protocol.ts"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"

const graceMs = 60_000
const startMs = 1_000 * cycleMs
const tenYearsMs = 3_652 * dayMs
/** How far ahead a clock is that is merely set wrong. */
const aheadMsMax = 5 * hourMs

/** The stored state, which survives a process, and the running process. */
class Fixture {
  readonly clock = new TestClock(startMs)
  readonly closed: BatchRequest[] = []
  private readonly marks = new Map<string, BatchRequest>()
  readonly moments: number[] = []
  readonly errors: unknown[] = []
  state: SchedulerState | undefined
  missedMax = 12
  elements = 5
  failures = 0
  isFlushStuck = false
  ticker!: CycleScheduler
  private timer: { callback: () => void; dueMs: number } | null = null
  private elapsedMs = 0

  async start(): Promise<void> {
    this.timer = null
    this.ticker = new CycleScheduler({
      clock: this.clock,
      delay: (callback, ms) => {
        const timer = { callback, dueMs: this.elapsedMs + ms }
        this.timer = timer
        return () => void (this.timer = this.timer === timer ? null : this.timer)
      },
      graceMs,
      missedMax: this.missedMax,
      inactiveMs: 7 * hourMs,
      parallelBatches: 2,
      load: async () => this.state,
      save: async (state) => void (this.state = structuredClone(state)),
      flush: () => (this.isFlushStuck ? new Promise(() => {}) : Promise.resolve()),
      batches: async () => elementBatches(Int32Array.from(Array(this.elements).keys()), 2),
      closeBatch: async (request) => this.closeBatch(request),
      reopen: async (from) => this.reopen(from),
      onClosed: async () => {},
      onError: (error) => void this.errors.push(error),
    })
    await this.ticker.start()
    await this.settle()
  }

  /** A minute at a time, as timers are late by that at most. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 60_000) {
      const step = Math.min(60_000, left)
      this.clock.advance(step)
      this.elapsedMs += step
      if (this.timer !== null && this.timer.dueMs <= this.elapsedMs) {
        const { callback } = this.timer
        this.timer = null
        callback()
        await this.settle()
      }
    }
  }

  /** Each cycle once, in the order in which its last part was closed. */
  cycles(): number[] {
    return [...new Set(this.closed.map(({ cycle }) => cycle))]
  }

  async settle(): Promise<void> {
    for (let turns = 0; turns < 1_000 && this.timer === null; turns++) await turn()
  }

  private reopen(from: number): void {
    for (const mark of reopenedMarks(this.marks, from)) this.marks.delete(mark)
  }

  private closeBatch(request: BatchRequest): void {
    if (this.failures > 0) throw new Error(`failure ${this.failures--}`)
    const mark = `${request.cycle} ${request.name}`
    if (this.marks.has(mark)) return
    this.marks.set(mark, request)
    this.closed.push(request)
    this.moments.push(this.clock.nowMs())
  }
}

function reopenedMarks(marks: ReadonlyMap<string, BatchRequest>, from: number): string[] {
  return [...marks].filter(([, { cycle }]) => cycle >= from).map(([mark]) => mark)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

test("a cycle closes a grace period after its end, batch by batch, in order", async () => {
  const fixture = new Fixture()
  await fixture.start()
  await fixture.pass(cycleMs + graceMs - 60_000)
  assert.equal(fixture.closed.length, 0)
  await fixture.pass(60_000)
  assert.deepEqual(
    fixture.closed.map(({ cycle, name, elements }) => [cycle, name, [...elements]]),
    [
      [1_000, "0", [0, 1]],
      [1_000, "2", [2, 3]],
      [1_000, "4", [4]],
    ],
  )
  const closingMs = 1_001 * cycleMs + graceMs
  assert.ok(fixture.closed.every((one) => one.closingMs === closingMs && !one.isMissed))
  assert.equal(fixture.ticker.closedUpToMs, 1_001 * cycleMs)
  await fixture.pass(hourMs)
  assert.deepEqual(fixture.cycles(), range(1_000, 1_013))
  await fixture.ticker.stop()
})

test("after an outage the last cycles are closed, older ones are unobserved", async () => {
  const outages = fc.integer({ min: 0, max: 100 })
  await fc.assert(
    fc.asyncProperty(outages, fc.integer({ min: 1, max: 30 }), async (missed, missedMax) => {
      const fixture = new Fixture()
      fixture.missedMax = missedMax
      await fixture.start()
      await fixture.ticker.stop()
      fixture.clock.advance((missed + 1) * cycleMs + graceMs)
      await fixture.start()
      const end = 1_001 + missed
      const first = Math.max(1_000, end - missedMax)
      assert.deepEqual(fixture.cycles(), range(first, end))
      const isMissed = fixture.closed.map((one) => one.isMissed)
      assert.deepEqual(
        isMissed,
        fixture.closed.map(({ cycle }) => cycle < end - 1),
      )
      const span = { from: 1_000, to: first }
      assert.deepEqual(fixture.state!.unobserved, first > 1_000 ? [span] : [])
      await fixture.ticker.stop()
    }),
    { numRuns: 30 },
  )
})

test("a failed batch is tried again, and committed once", async () => {
  const fixture = new Fixture()
  fixture.failures = 3
  await fixture.start()
  await fixture.pass(hourMs + graceMs)
  assert.equal(fixture.errors.length > 0, true)
  assert.deepEqual(fixture.cycles(), range(1_000, 1_012))
  assert.equal(fixture.closed.length, 12 * 3)
  await fixture.ticker.stop()
})

test("after a stop within a cycle, the scheduler goes on with the open batches", async () => {
  const fixture = new Fixture()
  await fixture.start()
  fixture.elements = 9
  const close = fixture.closed.push.bind(fixture.closed)
  fixture.closed.push = (request) => {
    const length = close(request)
    if (length === 2) void fixture.ticker.stop()
    return length
  }
  await fixture.pass(cycleMs + graceMs)
  const before = fixture.closed.length
  assert.ok(before >= 2 && before < 5, `${before} of 5 parts`)
  assert.equal(fixture.state!.next, 1_000)
  await fixture.start()
  assert.equal(fixture.closed.length, 5)
  assert.equal(fixture.state!.next, 1_001)
  await fixture.ticker.stop()
})

test("a stop does not wait for a flush that a full disk blocks", async () => {
  const fixture = new Fixture()
  fixture.isFlushStuck = true
  await fixture.start()
  fixture.clock.advance(cycleMs + graceMs)
  void fixture.pass(60_000)
  await turn()
  await fixture.ticker.stop()
  assert.equal(fixture.closed.length, 0)
})

test("cycles that a clock closed ahead pass again when it is right, each once", async () => {
  for (const isRestarted of [false, true]) {
    const fixture = new Fixture()
    fixture.missedMax = 72
    await fixture.start()
    await fixture.pass(hourMs + graceMs)
    fixture.clock.advance(hourMs)
    await fixture.pass(hourMs)
    assert.deepEqual(fixture.cycles(), range(1_000, 1_036))
    if (isRestarted) await fixture.ticker.stop()
    fixture.clock.advance(-hourMs)
    if (isRestarted) await fixture.start()
    const { length } = fixture.closed
    await fixture.pass(hourMs)
    const again = fixture.closed.slice(length)
    assert.deepEqual(
      again.map(({ cycle, name }) => `${cycle} ${name}`),
      range(1_024, 1_036).flatMap((cycle) => ["0", "2", "4"].map((name) => `${cycle} ${name}`)),
    )
    assert.ok(again.every(({ isMissed }) => !isMissed))
    assert.deepEqual(fixture.state!.unobserved, [])
    await fixture.ticker.stop()
  }
})

test("a cycle is watched through a restart of seconds, and not through an outage", async () => {
  for (const [offMs, unwatched] of [
    [30_000, []],
    [120_000, [{ from: 1_000, to: 1_001 }]],
  ] as const) {
    const fixture = new Fixture()
    await fixture.start()
    await fixture.pass(120_000)
    await fixture.ticker.stop()
    fixture.clock.advance(offMs)
    await fixture.start()
    await fixture.pass(2 * cycleMs + graceMs - 120_000 - offMs)
    assert.deepEqual(
      fixture.closed.map(({ unwatched: spans }) => spans),
      Array.from({ length: 6 }, () => unwatched),
      `${offMs} ms`,
    )
    await fixture.ticker.stop()
  }
})

test("a store that began ahead of the time closes the cycles that pass", async () => {
  for (const aheadMs of [2 * hourMs, dayMs, tenYearsMs]) {
    const fixture = new Fixture()
    fixture.clock.advance(aheadMs)
    await fixture.start()
    await fixture.ticker.stop()
    fixture.clock.set(startMs)
    await fixture.start()
    assert.equal(fixture.ticker.closedUpToMs <= fixture.clock.nowMs(), true)
    await fixture.pass(cycleMs + graceMs)
    assert.deepEqual(fixture.cycles(), [999, 1_000])
    await fixture.ticker.stop()
  }
})

test("a cycle that was closed before a clock went back is not closed late again", async () => {
  const fixture = new Fixture()
  await fixture.start()
  await fixture.pass(2 * hourMs + graceMs)
  fixture.clock.advance(-hourMs)
  await fixture.pass(cycleMs)
  const { length } = fixture.closed
  fixture.clock.advance(hourMs)
  await fixture.pass(cycleMs)
  const later = new Set(fixture.closed.slice(length).map(({ cycle }) => cycle))
  assert.ok(Math.min(...later) >= 1_024, `Expected none of those before: ${[...later]}`)
  assert.deepEqual(fixture.cycles(), range(1_000, fixture.state!.next))
  await fixture.ticker.stop()
})

test("closed cycles are not unobserved, even if one wrong time follows another", async () => {
  const fixture = new Fixture()
  await fixture.start()
  await fixture.pass(graceMs)
  fixture.clock.advance(tenYearsMs)
  await fixture.pass(hourMs)
  // The ticker never sees the right time between the two.
  fixture.clock.advance(-2 * tenYearsMs)
  await fixture.pass(2 * cycleMs)
  fixture.clock.advance(tenYearsMs)
  await fixture.pass(hourMs)
  const { unobserved, next } = fixture.state!
  assert.equal(next, Math.floor((fixture.clock.nowMs() - graceMs) / cycleMs))
  assert.deepEqual(fixture.cycles().slice(-14), range(next - 14, next))
  assert.deepEqual(
    fixture.cycles().filter((cycle) => isIn(unobserved, cycle)),
    [],
  )
  assert.equal(isIn(unobserved, next), false)
  await fixture.ticker.stop()
})

test("a clock that jumps and is put right closes no cycle twice and skips none", async () => {
  // Without a minute between, a clock goes from one wrong time to another.
  const minutes = fc.integer({ min: 0, max: 180 })
  const far = [tenYearsMs, -tenYearsMs, -2 * tenYearsMs]
  const jump = fc.constantFrom(hourMs, -hourMs, aheadMsMax, ...far, 7_000, -7_000)
  const missed = fc.constantFrom(6, 12, 72)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(minutes, jump, minutes)), missed, async (jumps, max) => {
      const fixture = new Fixture()
      fixture.missedMax = max
      fixture.elements = 2
      await fixture.start()
      let trueMs = startMs
      const pass = async (ms: number): Promise<void> => {
        trueMs += ms
        await fixture.pass(ms)
      }
      for (const [before, jumpMs, during] of jumps) {
        await pass(before * 60_000)
        fixture.clock.advance(jumpMs)
        await pass(during * 60_000)
        fixture.clock.set(trueMs)
      }
      await pass(hourMs)
      const due = Math.floor((trueMs - graceMs) / cycleMs) - 1
      const { unobserved, next } = fixture.state!
      assert.equal(next, due + 1)
      const closed = new Set(fixture.cycles())
      for (const cycle of range(1_000, due + 1)) {
        const isLeftOut = isIn(unobserved, cycle)
        const at = `cycle ${cycle} of ${due}: ${JSON.stringify(fixture.state)}`
        assert.notEqual(closed.has(cycle), isLeftOut, at)
      }
      for (const cycle of closed) assert.equal(isIn(unobserved, cycle), false, `cycle ${cycle}`)
      // Only a clock that was wrong for longer than may be caught up with costs cycles.
      const wrong = jumps.reduce((sum, [, ms, during]) => sum + during + (ms < 0 ? 60 : 10), 0)
      if (wrong * 60_000 < max * cycleMs) assert.equal(unobserved.some(isOurs), false)
      await fixture.ticker.stop()
    }),
    { numRuns: 40 },
  )
})

function isIn(spans: SchedulerState["unobserved"], cycle: number): boolean {
  return spans.some(({ from, to }) => from <= cycle && cycle < to)
}

const isOurs = ({ from, to }: { from: number; to: number }): boolean => to > 1_000 && from < 100_000
