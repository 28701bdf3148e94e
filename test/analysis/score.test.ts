import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { CycleScore } from "../../src/analysis/score.ts"
import { TailDistribution } from "../../src/analysis/tail-probability.ts"
import { RunLength } from "../../src/analysis/run-length.ts"
import { ModeTracker } from "../../src/analysis/mode-tracker.ts"
import { ElementHistory, noise } from "./element.ts"

function scoresOf(count: number, valueOf: (cycle: number) => number): number[] {
  const history = new ElementHistory()
  const score = new CycleScore(1)
  return Array.from({ length: count }, (_, cycle) => {
    history.step(cycle, valueOf(cycle))
    return score.step(history.inputs.actual, history.bands)
  })
}

const shareAbove = (scores: readonly number[], from: number, threshold: number): number =>
  scores.slice(from).filter((score) => score >= threshold).length / (scores.length - from)

const heavy = (c: number): number => 1 / (1.02 - Math.abs(noise(c)))
const normals = {
  noise: (c: number) => 10 + noise(c),
  day: (c: number) => 50 + 20 * Math.sin((2 * Math.PI * c) / 288) + noise(c),
  heavy: (c: number) => heavy(c) + heavy(c + 1e6),
  counts: (c: number) => Math.round(2 + 2 * noise(c) * noise(c, 1)),
}

for (const [name, valueOf] of Object.entries(normals)) {
  test(`ordinary cycles reach 0.99 in about one of a hundred: ${name}`, () => {
    const share = shareAbove(scoresOf(10_000, valueOf), 288, 0.99)
    assert.ok(share > 0.002 && share < 0.02, `${share}`)
  })
}

test("a constant is never surprising, its first change is, even early on", () => {
  const scores = scoresOf(500, (c) => (c === 60 || c === 400 ? 9 : 8))
  assert.equal(Math.max(...scores.slice(0, 60)), 0)
  assert.ok(scores[60]! > 0.99)
  assert.ok(scores[400]! > 0.99)
  assert.ok(scores[390]! < 0.5)
})

test("a spike, a fall to zero, and stillness are found at their onset", () => {
  const found = (from: number, to: number, valueOf: (c: number) => number): number => {
    const scores = scoresOf(to, (c) => (c >= from ? valueOf(c) : normals.day(c)))
    return Math.max(...scores.slice(from))
  }
  const onsets = [
    found(5000, 5003, () => 120),
    found(5000, 5003, () => 0),
    found(5000, 5012, () => normals.day(4999)),
    found(5000, 5006, () => NaN),
  ]
  for (const score of onsets) assert.ok(score > 0.998, `${onsets}`)
})

test("an hourly metric is not surprising for being silent in between", () => {
  const scores = scoresOf(12 * 500, (c) => (c % 12 === 0 ? 10 + noise(c) : NaN))
  const silent = scores.filter((_, c) => c > 600 && c % 12 !== 0)
  assert.ok(Math.max(...silent) < 0.9, `${Math.max(...silent)}`)
  const spoken = scores.filter((_, c) => c % 12 === 0)
  assert.ok(shareAbove(spoken, 50, 0.99) < 0.04)
})

test("every score lies in [0, 1] and depends on nothing later", () => {
  const value = fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.constant(NaN))
  fc.assert(
    fc.property(fc.array(value, { maxLength: 200 }), value, (values, last) => {
      const scores = scoresOf(values.length + 1, (c) => values[c] ?? last)
      for (const score of scores) assert.ok(score >= 0 && score <= 1, `${score}`)
      assert.deepEqual(
        scores.slice(0, values.length),
        scoresOf(values.length, (c) => values[c]!),
      )
    }),
    { numRuns: 50 },
  )
})

test("rarity: larger is rarer, and beyond all that was seen it goes on", () => {
  const sizes = fc.array(fc.double({ min: 0, max: 1e4, noNaN: true }), { maxLength: 200 })
  fc.assert(
    fc.property(sizes, (seen) => {
      const tail = new TailDistribution(100)
      for (const size of seen) tail.learn(size)
      let before = 0
      for (let size = 0; size < 100; size += 0.37) {
        const nats = tail.nats(size)
        assert.ok(nats >= before - 1e-9, `${size}: ${nats} after ${before}`)
        before = nats
      }
    }),
    { numRuns: 50 },
  )
})

test("rarity of an exponential size is the size itself", () => {
  const tail = new TailDistribution(1e9)
  const count = 20_000
  for (let i = 0; i < count; i++) tail.learn(-Math.log((i + 0.5) / count))
  for (const size of [0.5, 1, 2, 4]) assert.ok(Math.abs(tail.nats(size) - size) < 0.15)
})

test("a stretch as long as the usual ones is no news, a longer one is", () => {
  const run = new RunLength()
  for (let i = 0; i < 4000; i++) run.step(i % 10 < 5)
  for (let i = 0; i < 5; i++) assert.equal(run.step(true), 0)
  let nats = 0
  for (let i = 0; i < 60; i++) nats = run.step(true)
  assert.ok(nats > 4, `${nats}`)
})

test("the nth cycle scores at most 1 − 1/n²", () => {
  const value = fc.double({ min: -1e9, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), (values) => {
      scoresOf(values.length, (c) => values[c]!).forEach((score, i) => {
        assert.ok(score <= 1 - 1 / (i + 1) ** 2 + 1e-12, `${i}: ${score}`)
      })
    }),
    { numRuns: 50 },
  )
})

test("months of a constant do not hide its first change", () => {
  const scores = scoresOf(6000, (c) => (c >= 5900 ? 9 : 8))
  assert.equal(Math.max(...scores.slice(0, 5900)), 0)
  assert.ok(scores[5900]! > 0.999)
})

test("a constant that is back at its value is not surprising in the days after", () => {
  const scores = scoresOf(8000, (c) => (c >= 4000 && c < 4020 ? 9 : 8))
  assert.ok(shareAbove(scores, 4032, 0.99) < 0.01, `${shareAbove(scores, 4032, 0.99)}`)
})

test("within an anomaly that goes on, a wilder one is news", () => {
  const level = (c: number): number => (c < 5000 ? 0 : c < 5060 ? 12 : 300)
  const scores = scoresOf(5062, (c) => 10 + noise(c) + level(c))
  assert.ok(scores[5000]! > 0.999)
  assert.ok(scores[5060]! > 0.99, `${scores[5060]}`)
})

test("a value between the usual and the usual spikes is found", () => {
  const spiky = (c: number): number => 2 + 0.1 * noise(c) + (noise(c, 1) > 0.96 ? 30 : 0)
  const scores = scoresOf(4100, (c) => spiky(c) + (c >= 4000 ? 3 : 0))
  assert.ok(Math.max(...scores.slice(4000, 4006)) > 0.99)
  assert.ok(shareAbove(scores.slice(0, 4000), 288, 0.99) < 0.02)
})

test("an odd size is at least as rare as a large one, and rarer in a gap", () => {
  const sizes = fc.array(fc.double({ min: 0, max: 1e4, noNaN: true }), { maxLength: 100 })
  fc.assert(
    fc.property(sizes, fc.double({ min: 0, max: 1e4, noNaN: true }), (seen, size) => {
      const tail = new TailDistribution(100)
      for (const one of seen) tail.learn(one)
      assert.ok(tail.oddNats(size) >= tail.nats(size))
    }),
  )
  const tail = new TailDistribution(1e9)
  for (let i = 0; i < 1000; i++) tail.learn(i % 20 === 0 ? 200 + (i % 7) : 1)
  assert.ok(tail.nats(20) < 3.1)
  assert.ok(tail.oddNats(20) > 5)
})

test("the mode: of a constant, not of half of the time, and a new one after a change", () => {
  const usual = new ModeTracker()
  for (let i = 0; i < 3000; i++) usual.step(8)
  assert.ok(usual.step(8))
  assert.ok(!usual.step(9))
  for (let i = 0; i < 3000; i++) usual.step(9)
  assert.ok(usual.step(9))
  assert.ok(!usual.step(8))
  const half = new ModeTracker()
  for (let i = 0; i < 5000; i++) assert.ok(!half.step(i % 288 < 144 ? 0 : 5) || i % 288 > 1)
})
