import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { dayMs, hourMs } from "../../../src/model/resolution.ts"
import { isDayOver, CompactionQueue } from "../../../src/store/lmdb/compaction/compaction-queue.ts"
import { WriteBuffer } from "../../../src/store/lmdb/disk/write-buffer.ts"
import { tablesOf } from "../../support/store/lmdb-folder.ts"

const never = () => -1
const always = () => 100
/** Long after day 5. */
const nowMs = 100 * dayMs

function fixture(t: TestContext) {
  const tables = tablesOf(t)
  const writes = new WriteBuffer()
  const days = new CompactionQueue()
  const touch = (day: number, block: number, elapsedMs: number, samples = 0): void =>
    days.touch(day, block, { tables, writes, elapsedMs }, samples)
  return { tables, writes, days, touch }
}

type Moment = Parameters<CompactionQueue["ready"]>[0]

function firstOf(days: CompactionQueue, moment: Moment, samples: () => number) {
  return days.ready(moment, samples).next().value ?? null
}

test("a day is over one hour after its end", () => {
  assert.equal(isDayOver(5, 6 * dayMs + hourMs - 1), false)
  assert.equal(isDayOver(5, 6 * dayMs + hourMs), true)
})

test("load() restores the queue from its markers, and its days are ready immediately", (t) => {
  const { tables, writes, days, touch } = fixture(t)
  touch(5, 1, 0)
  touch(5, 1, 10)
  touch(7, 2, 0)
  writes.commit(tables)
  assert.equal([...tables.openDays.getKeys()].length, 2)
  assert.deepEqual([days.size, days.oldestDay()], [2, 5])

  const again = new CompactionQueue()
  again.load(tables)
  const moment = { nowMs, elapsedMs: 0 }
  assert.deepEqual(firstOf(again, moment, always), { day: 5, block: 1 })
  again.remove(5, 1, 0)
  assert.deepEqual(firstOf(again, moment, never), { day: 7, block: 2 })
  again.remove(7, 2, 0)
  assert.deepEqual([again.size, again.oldestDay()], [0, Infinity])
})

test("a day is ready after ten seconds without writes", (t) => {
  const { days, touch } = fixture(t)
  touch(5, 1, 0)
  const ready = (elapsedMs: number): boolean => firstOf(days, { nowMs, elapsedMs }, never) !== null
  assert.deepEqual([ready(9999), ready(10_000)], [false, true])
})

test("a day that two flushes did not touch is ready immediately", (t) => {
  const { days, touch } = fixture(t)
  days.beginFlush(0)
  touch(5, 1, 0)
  const moment = { nowMs, elapsedMs: 1 }
  assert.equal(firstOf(days, moment, never), null)
  days.beginFlush(0)
  assert.equal(firstOf(days, moment, never), null)
  days.beginFlush(0)
  assert.deepEqual(firstOf(days, moment, never), { day: 5, block: 1 })
})

test("a compacted day collects late samples for ten minutes", (t) => {
  const { days, touch } = fixture(t)
  touch(5, 1, 0)
  const ready = (elapsedMs: number): boolean => firstOf(days, { nowMs, elapsedMs }, always) !== null
  assert.deepEqual([ready(599_999), ready(600_000)], [false, true])
})

test("a compacted day is ready when it has more late samples than it had", (t) => {
  const { days, touch } = fixture(t)
  const ready = () => firstOf(days, { nowMs, elapsedMs: 20_000 }, always) !== null
  touch(5, 1, 0, 60)
  touch(5, 1, 1, 40)
  assert.equal(ready(), false)
  touch(5, 1, 2, 1)
  assert.equal(ready(), true)
})

test("what is compacted of a day is looked up once while the day waits", (t) => {
  const { days, touch } = fixture(t)
  let lookups = 0
  const lookUp = () => {
    lookups++
    return 100
  }
  const ready = () => firstOf(days, { nowMs, elapsedMs: 20_000 }, lookUp) !== null
  touch(5, 1, 0, 100)
  assert.deepEqual([ready(), ready(), lookups], [false, false, 1])
  touch(5, 1, 1, 1)
  assert.deepEqual([ready(), lookups], [true, 1])
  days.remove(5, 1, 201)
  touch(5, 1, 2, 101)
  assert.deepEqual([ready(), lookups], [true, 2])
})

test("a day that is not over is never ready, and older days come first", (t) => {
  const { days, touch } = fixture(t)
  touch(6, 1, 0)
  touch(5, 2, 0)
  const ask = (nowDay: number) => firstOf(days, { nowMs: nowDay * dayMs, elapsedMs: 1e9 }, never)
  assert.equal(ask(6), null)
  assert.deepEqual(ask(7), { day: 5, block: 2 })
  days.remove(5, 2, 0)
  assert.equal(ask(7), null)
  assert.deepEqual(ask(8), { day: 6, block: 1 })
})

test("all ready blocks are found, day by day", (t) => {
  const { days, touch } = fixture(t)
  touch(6, 1, 0)
  touch(5, 2, 0)
  touch(5, 3, 1_000_000)
  touch(5, 4, 0)
  const ready = [...days.ready({ nowMs, elapsedMs: 1_000_000 }, never)]
  assert.deepEqual(
    ready.map(({ day, block }) => [day, block]),
    [
      [5, 2],
      [5, 4],
      [6, 1],
    ],
  )
})

test("compactions are behind until they had as many samples as the last flush", (t) => {
  const { tables, days, touch } = fixture(t)
  assert.equal(days.isBehind, false)
  days.beginFlush(100)
  touch(5, 1, 0)
  days.remove(5, 1, 99)
  assert.equal(days.isBehind, true)
  days.remove(5, 2, 1)
  assert.equal(days.isBehind, false)
  days.remove(5, 3, 1000)
  days.beginFlush(1)
  assert.equal(days.isBehind, true)
  days.load(tables)
  assert.equal(days.isBehind, false)
})
