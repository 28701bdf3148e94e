import assert from "node:assert/strict"
import { test } from "node:test"
import { Health } from "../../src/engine/health.ts"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"

const nowMs = 20_000 * dayMs
const graceMs = 60_000
const fine = { refusals: [] as string[], failingJob: null as object | null }

function fixture() {
  const observed = {
    figures: async (): Promise<object> => fine,
    elapsedMs: 0,
    closedUpToMs: nowMs,
    questionOverdueMs: 0,
    memoryReason: null as string | null,
    repeating: [] as (() => void)[],
  }
  const health = new Health({
    figures: () => observed.figures() as never,
    nowMs: () => nowMs,
    elapsedMs: () => observed.elapsedMs,
    closedUpToMs: () => observed.closedUpToMs,
    cycleGraceMs: graceMs,
    queryOverdueMs: () => observed.questionOverdueMs,
    memoryReason: () => observed.memoryReason,
    repeat: (callback) => {
      observed.repeating.push(callback)
      return () => observed.repeating.splice(observed.repeating.indexOf(callback), 1)
    },
  })
  return { health, observed }
}

/** Asserts that readiness follows the begin and the end of a cause. */
async function follows(
  cause: (observed: ReturnType<typeof fixture>["observed"]) => void,
  reason: RegExp,
): Promise<void> {
  const { health, observed } = fixture()
  await health.poll()
  assert.deepEqual(health.reasons(), [])
  const before = { ...observed }
  cause(observed)
  await health.poll()
  assert.equal(health.reasons().length, 1, String(health.reasons()))
  assert.match(health.reasons()[0]!, reason)
  Object.assign(observed, before)
  await health.poll()
  assert.deepEqual(health.reasons(), [])
}

test("a store that refuses samples is a reason", async () => {
  await follows(
    (observed) => (observed.figures = async () => ({ ...fine, refusals: ["The disk is full"] })),
    /^The disk is full$/,
  )
})

test("a thread that fails is a reason", async () => {
  await follows(
    (observed) => (observed.figures = () => Promise.reject(new Error("Worker terminated"))),
    /thread that stores samples failed: Worker terminated/,
  )
})

test("a thread that does not answer is a reason after 10 s, and is asked only once", async () => {
  const { health, observed } = fixture()
  let asked = 0
  let answer: (figures: object) => void = () => {}
  observed.figures = () => {
    asked++
    return new Promise((resolve) => (answer = resolve))
  }
  health.start()
  for (let second = 0; second < 11; second++) {
    observed.elapsedMs += 1000
    for (const callback of observed.repeating) callback()
    assert.equal(health.reasons().length, second < 10 ? 0 : 1)
  }
  assert.equal(asked, 1)
  assert.match(health.reasons()[0]!, /has not answered for 11 s/)
  answer(fine)
  await new Promise(setImmediate)
  assert.deepEqual(health.reasons(), [])
  health.stop()
  assert.deepEqual(observed.repeating, [])
})

test("a background job that failed three times in a row is a reason", async () => {
  const failing = (failures: number) => ({ job: "flush", failures, reason: "Expected checksum 1" })
  const { health, observed } = fixture()
  observed.figures = async () => ({ ...fine, failingJob: failing(2) })
  await health.poll()
  assert.deepEqual(health.reasons(), [])
  await follows(
    (it) => (it.figures = async () => ({ ...fine, failingJob: failing(3) })),
    /"flush" failed 3 times in a row: Expected checksum 1/,
  )
})

test("more than two late cycles are a reason", async () => {
  const { health, observed } = fixture()
  observed.closedUpToMs = nowMs - graceMs - 3 * cycleMs
  assert.deepEqual(health.reasons(), [])
  await follows(
    (it) => (it.closedUpToMs = nowMs - graceMs - 3 * cycleMs - 1),
    /^3 cycles wait to be closed/,
  )
})

test("a closed cycle in the future is a reason", async () => {
  const { health, observed } = fixture()
  observed.closedUpToMs = nowMs + cycleMs
  assert.deepEqual(health.reasons(), [])
  await follows(
    (it) => (it.closedUpToMs = nowMs + cycleMs + 1),
    /^The clock was set back: the last cycle that is closed ends in the future/,
  )
})

test("a query beyond its time budget is a reason", async () => {
  await follows(
    (observed) => (observed.questionOverdueMs = 6_000),
    /runs 6 s beyond its time budget/,
  )
})

test("want of memory is a reason", async () => {
  await follows((observed) => (observed.memoryReason = "Memory is short"), /^Memory is short$/)
})

test("a stopping server gives no other reason", async () => {
  const { health, observed } = fixture()
  observed.questionOverdueMs = 60_000
  health.markStopping()
  assert.deepEqual(health.reasons(), ["The server is stopping"])
})
