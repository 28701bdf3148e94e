/** Laws of the ticker: a clock moved by hand, a store that remembers which parts are closed. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import fc from "fast-check"
import { TestClock } from "../support/test-clock.ts"
import { CycleScheduler, type SchedulerState } from "../../src/cycle/cycle-scheduler.ts"
import { elementBatches, type BatchRequest } from "../../src/cycle/cycle-protocol.ts"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"

const graceMs = 60_000
const startMs = 1_000 * cycleMs
const tenYearsMs = 3_652 * dayMs
/** How far ahead a clock is that is merely set wrong. */
const aheadMsMax = 5 * hourMs

/** The stored state, which survives a process, and the running process. */
class World {
  readonly clock = new TestClock(startMs)
  readonly closed: BatchRequest[] = []
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
      batches: async () => elementBatches(this.elements, 2),
      closeBatch: async (question) => this.closePart(question),
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

  private closePart(question: BatchRequest): void {
    if (this.failures > 0) throw new Error(`failure ${this.failures--}`)
    const { cycle, name } = question
    if (this.closed.some((one) => one.cycle === cycle && one.name === name)) return
    this.closed.push(question)
    this.moments.push(this.clock.nowMs())
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

test("a cycle closes a grace period after its end, batch by batch, in order", async () => {
  const world = new World()
  await world.start()
  await world.pass(cycleMs + graceMs - 60_000)
  assert.equal(world.closed.length, 0)
  await world.pass(60_000)
  assert.deepEqual(
    world.closed.map(({ cycle, name, elements }) => [cycle, name, [...elements]]),
    [
      [1_000, "0", [0, 1]],
      [1_000, "2", [2, 3]],
      [1_000, "4", [4]],
    ],
  )
  const closingMs = 1_001 * cycleMs + graceMs
  assert.ok(world.closed.every((one) => one.closingMs === closingMs && !one.isMissed))
  assert.equal(world.ticker.closedUpToMs, 1_001 * cycleMs)
  await world.pass(hourMs)
  assert.deepEqual(world.cycles(), range(1_000, 1_013))
  await world.ticker.stop()
})

test("after an outage the last cycles are closed, older ones are unobserved", async () => {
  const outages = fc.integer({ min: 0, max: 100 })
  await fc.assert(
    fc.asyncProperty(outages, fc.integer({ min: 1, max: 30 }), async (missed, missedMax) => {
      const world = new World()
      world.missedMax = missedMax
      await world.start()
      await world.ticker.stop()
      world.clock.advance((missed + 1) * cycleMs + graceMs)
      await world.start()
      const end = 1_001 + missed
      const first = Math.max(1_000, end - missedMax)
      assert.deepEqual(world.cycles(), range(first, end))
      const isMissed = world.closed.map((one) => one.isMissed)
      assert.deepEqual(
        isMissed,
        world.closed.map(({ cycle }) => cycle < end - 1),
      )
      const span = { from: 1_000, to: first }
      assert.deepEqual(world.state!.unobserved, first > 1_000 ? [span] : [])
      await world.ticker.stop()
    }),
    { numRuns: 30 },
  )
})

test("a failed batch is tried again, and committed once", async () => {
  const world = new World()
  world.failures = 3
  await world.start()
  await world.pass(hourMs + graceMs)
  assert.equal(world.errors.length > 0, true)
  assert.deepEqual(world.cycles(), range(1_000, 1_012))
  assert.equal(world.closed.length, 12 * 3)
  await world.ticker.stop()
})

test("after a stop within a cycle, the scheduler goes on with the open batches", async () => {
  const world = new World()
  await world.start()
  world.elements = 9
  const close = world.closed.push.bind(world.closed)
  world.closed.push = (question) => {
    const length = close(question)
    if (length === 2) void world.ticker.stop()
    return length
  }
  await world.pass(cycleMs + graceMs)
  const before = world.closed.length
  assert.ok(before >= 2 && before < 5, `${before} of 5 parts`)
  assert.equal(world.state!.next, 1_000)
  await world.start()
  assert.equal(world.closed.length, 5)
  assert.equal(world.state!.next, 1_001)
  await world.ticker.stop()
})

test("a stop does not wait for a flush that a full disk blocks", async () => {
  const world = new World()
  world.isFlushStuck = true
  await world.start()
  world.clock.advance(cycleMs + graceMs)
  void world.pass(60_000)
  await turn()
  await world.ticker.stop()
  assert.equal(world.closed.length, 0)
})

test("what a clock that was ahead closed stays closed, and is waited for", async () => {
  const world = new World()
  world.missedMax = 72
  await world.start()
  await world.pass(hourMs + graceMs)
  world.clock.advance(hourMs)
  await world.pass(hourMs)
  assert.deepEqual(world.cycles(), range(1_000, 1_036))
  // Put right while the server is down, as an operator would.
  await world.ticker.stop()
  world.clock.advance(-hourMs)
  await world.start()
  const { length } = world.closed
  await world.pass(hourMs + cycleMs - 60_000)
  assert.equal(world.state!.next, 1_036)
  assert.equal(world.closed.length, length)
  await world.pass(60_000)
  assert.deepEqual(world.cycles(), range(1_000, 1_037))
  assert.equal(world.closed.at(-1)!.isMissed, false)
  assert.deepEqual(world.state!.unobserved, [])
  await world.ticker.stop()
})

test("closed cycles are not unobserved, even if one wrong time follows another", async () => {
  const world = new World()
  await world.start()
  await world.pass(graceMs)
  world.clock.advance(tenYearsMs)
  await world.pass(hourMs)
  // The ticker never sees the right time between the two.
  world.clock.advance(-2 * tenYearsMs)
  await world.pass(2 * cycleMs)
  world.clock.advance(tenYearsMs)
  await world.pass(hourMs)
  const { unobserved, next } = world.state!
  assert.equal(next, Math.floor((world.clock.nowMs() - graceMs) / cycleMs))
  assert.deepEqual(world.cycles().slice(-14), range(next - 14, next))
  assert.deepEqual(
    world.cycles().filter((cycle) => isIn(unobserved, cycle)),
    [],
  )
  assert.equal(isIn(unobserved, next), false)
  await world.ticker.stop()
})

test("a clock that jumps and is put right closes no cycle twice and skips none", async () => {
  // Without a minute between, a clock goes from one wrong time to another.
  const minutes = fc.integer({ min: 0, max: 180 })
  const far = [tenYearsMs, -tenYearsMs, -2 * tenYearsMs]
  const jump = fc.constantFrom(hourMs, -hourMs, aheadMsMax, ...far, 7_000, -7_000)
  const missed = fc.constantFrom(6, 12, 72)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(minutes, jump, minutes)), missed, async (jumps, max) => {
      const world = new World()
      world.missedMax = max
      world.elements = 2
      await world.start()
      let trueMs = startMs
      const pass = async (ms: number): Promise<void> => {
        trueMs += ms
        await world.pass(ms)
      }
      for (const [before, jumpMs, during] of jumps) {
        await pass(before * 60_000)
        world.clock.advance(jumpMs)
        await pass(during * 60_000)
        world.clock.set(trueMs)
      }
      // Cycles closed while the clock was ahead are waited for, and no longer.
      await pass(aheadMsMax + hourMs)
      const due = Math.floor((trueMs - graceMs) / cycleMs) - 1
      const { unobserved, next } = world.state!
      assert.equal(next, due + 1)
      const closed = new Set(world.cycles())
      for (const cycle of range(1_000, due + 1)) {
        const isLeftOut = isIn(unobserved, cycle)
        const at = `cycle ${cycle} of ${due}: ${JSON.stringify(world.state)}`
        assert.notEqual(closed.has(cycle), isLeftOut, at)
      }
      for (const cycle of closed) assert.equal(isIn(unobserved, cycle), false, `cycle ${cycle}`)
      // Only a clock that was wrong for longer than may be caught up with costs cycles.
      const wrong = jumps.reduce((sum, [, ms, during]) => sum + during + (ms < 0 ? 60 : 10), 0)
      if (wrong * 60_000 < max * cycleMs) assert.equal(unobserved.some(isOurs), false)
      await world.ticker.stop()
    }),
    { numRuns: 40 },
  )
})

function isIn(spans: SchedulerState["unobserved"], cycle: number): boolean {
  return spans.some(({ from, to }) => from <= cycle && cycle < to)
}

const isOurs = ({ from, to }: { from: number; to: number }): boolean => to > 1_000 && from < 100_000
