import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  inputPartial,
  inputPaused,
  inputBaselineOff,
  inputSparse,
} from "../../src/analysis/columns.ts"
import { cyclesPerDay } from "../../src/model/resolution.ts"
import { cyclesPerWeek } from "../../src/analysis/cycle.ts"
import { deviationOf } from "../../src/model/band.ts"
import { ElementHistory, noise } from "./element.ts"

const week = cyclesPerWeek
const daily = (cycle: number): number => {
  return 100 + 40 * Math.sin((2 * Math.PI * cycle) / cyclesPerDay) + 2 * noise(cycle)
}
/** Weekends, the last two days of an epoch's week, are quiet. */
const weekly = (cycle: number): number =>
  cycle % week >= 5 * cyclesPerDay ? 60 + 2 * noise(cycle) : daily(cycle)

const deviates = (history: ElementHistory, value: number) =>
  deviationOf(value, {
    mean: history.bands.baselineMean[0]!,
    stddev: history.bands.baselineStddev[0]!,
  })

test("there is no band before a week has passed since the first value, and one right after", () => {
  const history = new ElementHistory()
  history.run(1000, 1000 + week, daily)
  assert.ok(Number.isNaN(history.bands.baselineMean[0]!))
  history.step(1000 + week, 0)
  assert.ok(history.bands.baselineMean[0]! > 50)
})

test("the band of a cycle does not depend on its value", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e12, max: 1e12, noNaN: true }), (value) => {
      const [one, other] = [new ElementHistory(), new ElementHistory()]
      for (const history of [one, other]) history.run(0, 100, daily)
      one.step(100, value)
      other.step(100, daily(100))
      assert.deepEqual(one.bands, other.bands)
    }),
    { numRuns: 20 },
  )
})

test("days and weeks are learned: expectations within the noise after three weeks", () => {
  const history = new ElementHistory()
  history.run(0, 4 * week, weekly)
  let worst = 0
  for (let cycle = 4 * week; cycle < 5 * week; cycle++) {
    history.step(cycle, weekly(cycle))
    // Within an hour of midnight before and after a weekend the slots are interpolated.
    const edge = cycle % week
    if (Math.abs(edge - 5 * cyclesPerDay) < 24 || edge < 24 || edge > week - 24) continue
    const expected = weekly(cycle) - 2 * noise(cycle)
    worst = Math.max(worst, Math.abs(history.bands.baselineMean[0]! - expected))
    assert.equal(deviates(history, weekly(cycle)), undefined)
  }
  assert.ok(worst < 6, `${worst}`)
})

test("the night's value at noon deviates though it is ordinary at night", () => {
  const history = new ElementHistory()
  history.run(0, 3 * week, daily)
  const high = 3 * week + cyclesPerDay / 4
  history.run(3 * week, high, daily)
  history.step(high, 60)
  assert.equal(deviates(history, 60), "lower")
  assert.equal(deviates(history, 60 + 80), undefined)
})

test("an anomaly of two hours neither pulls the mean nor widens the band", () => {
  const [calm, hit] = [new ElementHistory(), new ElementHistory()]
  const from = 3 * week + 100
  calm.run(0, from + 25, daily)
  hit.run(0, from + 25, (c) => daily(c) + (c >= from && c < from + 24 ? 400 : 0))
  const [a, b] = [calm.bands, hit.bands]
  const sigma = a.baselineStddev[0]!
  assert.ok(Math.abs(a.baselineMean[0]! - b.baselineMean[0]!) < sigma)
  assert.ok(b.baselineStddev[0]! < 1.5 * sigma)
})

test("a lasting shift of the level is the new normal within a day", () => {
  const history = new ElementHistory()
  history.run(0, 3 * week, daily)
  const shifted = (c: number): number => daily(c) + 300
  history.run(3 * week, 3 * week + cyclesPerDay, shifted)
  history.step(3 * week + cyclesPerDay, shifted(3 * week + cyclesPerDay))
  assert.equal(deviates(history, shifted(3 * week + cyclesPerDay)), undefined)
  assert.equal(deviates(history, daily(3 * week + cyclesPerDay)), "lower")
})

test("nothing is learned from paused and partial cycles, and partial ones get no band", () => {
  for (const flag of [inputPaused, inputPartial]) {
    const [one, other] = [new ElementHistory(), new ElementHistory()]
    for (const history of [one, other]) history.run(0, week + 10, daily)
    one.inputs.flags[0] = flag
    one.run(week + 10, week + 60, () => 1e6)
    assert.equal(Number.isNaN(one.bands.baselineMean[0]!), flag === inputPartial)
    one.inputs.flags[0] = 0
    assert.deepEqual(one.step(week + 60, 1), other.step(week + 60, 1))
  }
})

test("a band that is switched off is not served, and is served again when switched on", () => {
  const history = new ElementHistory()
  history.inputs.flags[0] = inputBaselineOff
  history.run(0, week + 10, daily)
  assert.ok(Number.isNaN(history.bands.baselineMean[0]!))
  history.inputs.flags[0] = 0
  history.step(week + 10, 1)
  assert.ok(history.bands.baselineMean[0]! > 0)
})

test("gap fills are learned with a quarter of the weight of observations", () => {
  const levelAfter = (flag: number): number => {
    const history = new ElementHistory()
    history.run(0, 11, (c) => 10 + noise(c))
    history.inputs.flags[0] = flag
    history.run(11, 12, () => 0)
    history.inputs.flags[0] = 0
    return history.step(12, 10).expectedMean[0]!
  }
  const before = 10
  assert.ok(levelAfter(inputSparse) < before)
  assert.ok(levelAfter(0) < levelAfter(inputSparse))
})

test("a constant deviates by any change, a count that often moves by one does not", () => {
  const constant = new ElementHistory()
  constant.run(0, week + 1, () => 7)
  assert.equal(deviates(constant, 7), undefined)
  assert.equal(deviates(constant, 7.001), "upper")
  const count = new ElementHistory()
  count.run(0, 2 * week, (c) => (noise(c) > 0.9 ? 1 : 0))
  assert.equal(deviates(count, 1), undefined)
  assert.equal(deviates(count, 5), "upper")
})

test("scaling the values scales the band: no unit is built in", () => {
  fc.assert(
    fc.property(fc.integer({ min: -8, max: 20 }), (e) => {
      const [one, other] = [new ElementHistory(), new ElementHistory()]
      one.run(0, week + 50, daily)
      other.run(0, week + 50, (c) => daily(c) * 2 ** e)
      const ratio = other.bands.baselineStddev[0]! / one.bands.baselineStddev[0]! / 2 ** e
      assert.ok(Math.abs(ratio - 1) < 1e-3, `${ratio}`)
    }),
    { numRuns: 5 },
  )
})

test("gaps and wild values never leave anything but finite bands", () => {
  const wild = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.constant(NaN),
  )
  fc.assert(
    fc.property(fc.array(wild, { minLength: 20, maxLength: 300 }), (values) => {
      const history = new ElementHistory()
      let last = NaN
      for (let i = 0; i < 4 * values.length; i++) {
        const value = values[i % values.length]!
        history.step(i * 7, value)
        if (!Number.isNaN(history.bands.expectedMean[0]!)) last = history.bands.expectedStddev[0]!
        assert.ok(Number.isNaN(last) || (Number.isFinite(last) && last > 0), `${last}`)
      }
    }),
    { numRuns: 30 },
  )
})
