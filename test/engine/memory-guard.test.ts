import assert from "node:assert/strict"
import { test } from "node:test"
import { MemoryGuard } from "../../src/engine/memory-guard.ts"

const thresholds = { collectBytes: 80, easedBytes: 90, shortBytes: 100 }

function fixture() {
  const memory = {
    usedBytes: 10,
    elapsedMs: 0,
    collect: async (): Promise<unknown> => undefined,
    shorts: [] as boolean[],
    warnings: [] as string[],
    looks: [] as (() => void)[],
  }
  const guard = new MemoryGuard({
    thresholds,
    usedBytes: () => memory.usedBytes,
    collect: () => memory.collect(),
    onShort: (isShort) => memory.shorts.push(isShort),
    elapsedMs: () => memory.elapsedMs,
    repeat: (callback) => {
      memory.looks.push(callback)
      return () => memory.looks.splice(memory.looks.indexOf(callback), 1)
    },
    warn: (_, message) => memory.warnings.push(message),
  })
  guard.start()
  const look = async (usedBytes: number) => {
    memory.usedBytes = usedBytes
    for (const one of memory.looks) one()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { guard, memory, look }
}

test("memory is short from the threshold on until it has eased, logged once each", async () => {
  const { guard, memory, look } = fixture()
  for (const used of [99, 100, 101, 95, 90]) await look(used)
  assert.deepEqual(memory.shorts, [true])
  assert.match(guard.reason!, /more than 100 bytes/)
  await look(89)
  assert.deepEqual(memory.shorts, [true, false])
  assert.equal(guard.reason, null)
  await look(100)
  assert.deepEqual(memory.shorts, [true, false, true])
  assert.equal(guard.figures.shortCount, 2)
  assert.equal(memory.warnings.length, 3)
})

test("garbage is collected when memory is nearly short, with a pause after each", async () => {
  const { guard, memory, look } = fixture()
  let collected = 0
  memory.collect = async () => {
    collected++
    memory.usedBytes = 50
  }
  await look(79)
  assert.equal(collected, 0)
  await look(80)
  await look(99)
  assert.equal(collected, 1)
  memory.elapsedMs = 10_000
  await look(99)
  assert.equal(collected, 2)
  assert.equal(guard.figures.collections, 2)
  assert.deepEqual(memory.shorts, [])
})

test("where little of what is used is garbage, the pause doubles up to five minutes", async () => {
  const { guard, memory, look } = fixture()
  const times: number[] = []
  memory.collect = async () => times.push(memory.elapsedMs)
  for (; memory.elapsedMs < 1_500_000; memory.elapsedMs += 5_000) await look(95)
  const pauses = times.slice(1).map((time, i) => (time - times[i]!) / 1000)
  assert.deepEqual(pauses, [10, 20, 40, 80, 160, 320, 320, 320])
  assert.equal(guard.figures.collections, times.length)
})

test("one collection at a time; one that fails is tried again after the pause", async () => {
  const { guard, memory, look } = fixture()
  let fail: (error: Error) => void = () => {}
  memory.collect = () => new Promise((_, reject) => (fail = reject))
  await look(85)
  memory.elapsedMs = 60_000
  await look(85)
  assert.equal(guard.figures.collections, 1)
  fail(new Error("the thread ended"))
  await look(85)
  memory.elapsedMs = 70_000
  await look(85)
  assert.equal(guard.figures.collections, 2)
})

test("a stopped guard looks no more", async () => {
  const { guard, memory, look } = fixture()
  guard.stop()
  await look(200)
  assert.deepEqual(memory.shorts, [])
  assert.equal(memory.looks.length, 0)
})
