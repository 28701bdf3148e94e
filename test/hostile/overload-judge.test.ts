import assert from "node:assert/strict"
import { test } from "node:test"
import type { Answered } from "./overload-client.ts"
import { brokenPromises, flowsOf } from "./overload-judge.ts"
import type { Flows, OverloadResult } from "./overload-judge.ts"

/** Ten seconds, the last `disturbedMs` of which others had. */
const watchOf = (disturbedMs: number) => ({
  watchedMs: 10_000,
  quietMs: 10_000 - disturbedMs,
  isQuiet: (_fromMs: number, toMs: number) => toMs < 10_000 - disturbedMs,
})
const answersOf = (status: number, everyMs: number, lastMs: (atMs: number) => number) =>
  Array.from({ length: 10_000 / everyMs }, (_, i): Answered => {
    const atMs = (i + 0.5) * everyMs
    return { status, sentMs: atMs - lastMs(atMs), atMs }
  })

const resultOf = (calm: Flows, storm: Flows, change: Partial<OverloadResult> = {}) => ({
  calm,
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

const calm = flowsOf(
  answersOf(202, 10, () => 100),
  watchOf(0),
)
/** Refuses fast and accepts 95 % of the capacity, but for the last `disturbedMs`. */
const stormOf = (disturbedMs: number, told = disturbedMs): Flows => {
  const isLate = (atMs: number) => atMs > 10_000 - disturbedMs
  const taken = answersOf(202, 10, () => 100).filter(({ atMs }, i) => !isLate(atMs) && i % 20 > 0)
  return flowsOf([...taken, ...answersOf(429, 1, (at) => (isLate(at) ? 400 : 5))], watchOf(told))
}

test("what others took of a storm is not held against the server, what it took itself is", () => {
  assert.deepEqual(brokenPromises(resultOf(calm, stormOf(0))), [])
  assert.deepEqual(brokenPromises(resultOf(calm, stormOf(3_000))), [])
  assert.equal(brokenPromises(resultOf(calm, stormOf(3_000, 0))).length, 2)
})

test("a storm that was hardly ever quiet is judged as it was", () => {
  assert.equal(brokenPromises(resultOf(calm, stormOf(9_000))).length, 2)
})

test("each broken promise is named", () => {
  const f = (change: Partial<OverloadResult>) =>
    assert.equal(brokenPromises(resultOf(calm, stormOf(0), change)).length, 1)
  f({ besideNoise: { due: 100, accepted: 89 } })
  f({ eventLoopMsP99: 101 })
  f({ rssMax: 2.3 })
  f({ broken: 1 })
  f({ offered: 499 })
})
