import assert from "node:assert/strict"
import { test } from "node:test"
import type { Answered } from "./overload-client.ts"
import { brokenPromises, flowOf, requestsMin, tooSlowToMeasure } from "./overload-laws.ts"
import type { Flow, OverloadResult } from "./overload-laws.ts"

const answersOf = (status: number, everyMs: number, lastMs: (atMs: number) => number) =>
  Array.from({ length: 10_000 / everyMs }, (_, i): Answered => {
    const atMs = (i + 0.5) * everyMs
    return { status, sentMs: atMs - lastMs(atMs), atMs }
  })

const resultOf = (storm: Flow, change: Partial<OverloadResult> = {}) => ({
  calm: flowOf(
    answersOf(202, 10, () => 100),
    10_000,
    10_000,
  ),
  storm,
  offered: 1_000,
  broken: 0,
  unsent: 0,
  eventLoopMsP99: 20,
  rssAtCapacity: 1,
  rssMax: 2,
  rssBound: 2,
  besideNoise: { due: 100, accepted: 90 },
  ...change,
})

/** Refuses fast and accepts 95 % of the capacity, but for the last `lateMs`. */
const stormOf = (lateMs: number): Flow => {
  const isLate = (atMs: number) => atMs > 10_000 - lateMs
  const taken = answersOf(202, 10, () => 100).filter(({ atMs }, i) => !isLate(atMs) && i % 20 > 0)
  const refused = answersOf(429, 1, (at) => (isLate(at) ? 400 : 5))
  return flowOf([...taken, ...refused], 10_000, 10_000)
}

test("a storm of which two thirds are late breaks three promises, one that never is none", () => {
  assert.deepEqual(brokenPromises(resultOf(stormOf(0))), [])
  assert.equal(brokenPromises(resultOf(stormOf(6_600))).length, 3)
})

test("each broken promise is named", () => {
  const named = (change: Partial<OverloadResult>) =>
    assert.equal(brokenPromises(resultOf(stormOf(0), change)).length, 1)
  named({ besideNoise: { due: 100, accepted: 89 } })
  named({ eventLoopMsP99: 101 })
  named({ rssMax: 2.3 })
  named({ broken: 1 })
  named({ offered: 499 })
})

test("a run whose calm time had too few answers says so, and any other is judged", () => {
  const calmOf = (accepted: number) => ({ calm: { ...stormOf(0), accepted, ms: 2_000 } })
  assert.equal(tooSlowToMeasure(calmOf(requestsMin / 2)), null)
  assert.match(tooSlowToMeasure(calmOf(0))!, /^Too slow to judge: 0 requests in 2000 ms/)
  assert.match(tooSlowToMeasure(calmOf(requestsMin / 2 - 1))!, /^Too slow to judge/)
})
