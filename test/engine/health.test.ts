import assert from "node:assert/strict"
import { test } from "node:test"
import { Health } from "../../src/engine/health.ts"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"

const nowMs = 20_000 * dayMs
const graceMs = 60_000
const fine = { refusals: [] as string[], failingJob: null as object | null }

function fixture() {
  const world = {
    figures: async (): Promise<object> => fine,
    elapsedMs: 0,
    closedUpToMs: nowMs,
    questionOverdueMs: 0,
    memoryReason: null as string | null,
    repeating: [] as (() => void)[],
  }
  const health = new Health({
    figures: () => world.figures() as never,
    nowMs: () => nowMs,
    elapsedMs: () => world.elapsedMs,
    closedUpToMs: () => world.closedUpToMs,
    cycleGraceMs: graceMs,
    queryOverdueMs: () => world.questionOverdueMs,
    memoryReason: () => world.memoryReason,
    repeat: (callback) => {
      world.repeating.push(callback)
      return () => world.repeating.splice(world.repeating.indexOf(callback), 1)
    },
  })
  return { health, world }
}

/** Asserts that readiness follows the begin and the end of a cause. */
async function follows(
  cause: (world: ReturnType<typeof fixture>["world"]) => void,
  reason: RegExp,
): Promise<void> {
  const { health, world } = fixture()
  await health.poll()
  assert.deepEqual(health.reasons(), [])
  const before = { ...world }
  cause(world)
  await health.poll()
  assert.equal(health.reasons().length, 1, String(health.reasons()))
  assert.match(health.reasons()[0]!, reason)
  Object.assign(world, before)
  await health.poll()
  assert.deepEqual(health.reasons(), [])
}

test("a store that refuses samples is a reason", async () => {
  await follows(
    (world) => (world.figures = async () => ({ ...fine, refusals: ["The disk is full"] })),
    /^The disk is full$/,
  )
})

test("a thread that fails is a reason", async () => {
  await follows(
    (world) => (world.figures = () => Promise.reject(new Error("Worker terminated"))),
    /thread that stores samples failed: Worker terminated/,
  )
})

test("a thread that does not answer is a reason after 10 s, and is asked only once", async () => {
  const { health, world } = fixture()
  let asked = 0
  let answer: (figures: object) => void = () => {}
  world.figures = () => {
    asked++
    return new Promise((resolve) => (answer = resolve))
  }
  health.start()
  for (let second = 0; second < 11; second++) {
    world.elapsedMs += 1000
    for (const callback of world.repeating) callback()
    assert.equal(health.reasons().length, second < 10 ? 0 : 1)
  }
  assert.equal(asked, 1)
  assert.match(health.reasons()[0]!, /has not answered for 11 s/)
  answer(fine)
  await new Promise(setImmediate)
  assert.deepEqual(health.reasons(), [])
  health.stop()
  assert.deepEqual(world.repeating, [])
})

test("a background job that failed three times in a row is a reason", async () => {
  const failing = (failures: number) => ({ job: "flush", failures, reason: "Expected checksum 1" })
  const { health, world } = fixture()
  world.figures = async () => ({ ...fine, failingJob: failing(2) })
  await health.poll()
  assert.deepEqual(health.reasons(), [])
  await follows(
    (it) => (it.figures = async () => ({ ...fine, failingJob: failing(3) })),
    /"flush" failed 3 times in a row: Expected checksum 1/,
  )
})

test("more than two late cycles are a reason", async () => {
  const { health, world } = fixture()
  world.closedUpToMs = nowMs - graceMs - 3 * cycleMs
  assert.deepEqual(health.reasons(), [])
  await follows(
    (it) => (it.closedUpToMs = nowMs - graceMs - 3 * cycleMs - 1),
    /^3 cycles wait to be closed/,
  )
})

test("a query beyond its time budget is a reason", async () => {
  await follows((world) => (world.questionOverdueMs = 6_000), /runs 6 s beyond its time budget/)
})

test("want of memory is a reason", async () => {
  await follows((world) => (world.memoryReason = "Memory is short"), /^Memory is short$/)
})

test("a stopping server gives no other reason", async () => {
  const { health, world } = fixture()
  world.questionOverdueMs = 60_000
  health.markStopping()
  assert.deepEqual(health.reasons(), ["The server is stopping"])
})
