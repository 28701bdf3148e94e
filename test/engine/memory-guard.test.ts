import assert from "node:assert/strict"
import { test } from "node:test"
import { MemoryGuard } from "../../src/engine/memory-guard.ts"

const thresholds = { collectBytes: 80, easedBytes: 90, shortBytes: 100 }

function fixture() {
  const world = {
    usedBytes: 10,
    elapsedMs: 0,
    collect: async (): Promise<unknown> => undefined,
    shorts: [] as boolean[],
    warnings: [] as string[],
    looks: [] as (() => void)[],
  }
  const guard = new MemoryGuard({
    thresholds,
    usedBytes: () => world.usedBytes,
    collect: () => world.collect(),
    onShort: (isShort) => world.shorts.push(isShort),
    elapsedMs: () => world.elapsedMs,
    repeat: (callback) => {
      world.looks.push(callback)
      return () => world.looks.splice(world.looks.indexOf(callback), 1)
    },
    warn: (_, message) => world.warnings.push(message),
  })
  guard.start()
  const look = async (usedBytes: number) => {
    world.usedBytes = usedBytes
    for (const one of world.looks) one()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { guard, world, look }
}

test("memory is short from the threshold on until it has eased, logged once each", async () => {
  const { guard, world, look } = fixture()
  for (const used of [99, 100, 101, 95, 90]) await look(used)
  assert.deepEqual(world.shorts, [true])
  assert.match(guard.reason!, /more than 100 bytes/)
  await look(89)
  assert.deepEqual(world.shorts, [true, false])
  assert.equal(guard.reason, null)
  await look(100)
  assert.deepEqual(world.shorts, [true, false, true])
  assert.equal(guard.figures.shortCount, 2)
  assert.equal(world.warnings.length, 3)
})

test("garbage is collected when memory is nearly short, with a pause after each", async () => {
  const { guard, world, look } = fixture()
  let collected = 0
  world.collect = async () => {
    collected++
    world.usedBytes = 50
  }
  await look(79)
  assert.equal(collected, 0)
  await look(80)
  await look(99)
  assert.equal(collected, 1)
  world.elapsedMs = 10_000
  await look(99)
  assert.equal(collected, 2)
  assert.equal(guard.figures.collections, 2)
  assert.deepEqual(world.shorts, [])
})

test("where little of what is used is garbage, the pause doubles up to five minutes", async () => {
  const { guard, world, look } = fixture()
  const times: number[] = []
  world.collect = async () => times.push(world.elapsedMs)
  for (; world.elapsedMs < 1_500_000; world.elapsedMs += 5_000) await look(95)
  const pauses = times.slice(1).map((time, i) => (time - times[i]!) / 1000)
  assert.deepEqual(pauses, [10, 20, 40, 80, 160, 320, 320, 320])
  assert.equal(guard.figures.collections, times.length)
})

test("one collection at a time; one that fails is tried again after the pause", async () => {
  const { guard, world, look } = fixture()
  let fail: (error: Error) => void = () => {}
  world.collect = () => new Promise((_, reject) => (fail = reject))
  await look(85)
  world.elapsedMs = 60_000
  await look(85)
  assert.equal(guard.figures.collections, 1)
  fail(new Error("the thread ended"))
  await look(85)
  world.elapsedMs = 70_000
  await look(85)
  assert.equal(guard.figures.collections, 2)
})

test("a stopped guard looks no more", async () => {
  const { guard, world, look } = fixture()
  guard.stop()
  await look(200)
  assert.deepEqual(world.shorts, [])
  assert.equal(world.looks.length, 0)
})
