import assert from "node:assert/strict"
import { test } from "node:test"
import { inputCorrelationOff } from "../../src/analysis/columns.ts"
import { correlationFloats } from "../../src/analysis/contextual.ts"
import { cyclesPerDay } from "../../src/model/resolution.ts"
import { cyclesPerWeek } from "../../src/analysis/cycle.ts"
import { deviationOf } from "../../src/model/band.ts"
import { ElementHistory, noise } from "./element.ts"

/** Load drives metrics 0 and 1; metric 2 has only its own noise. All share the hours of the day. */
function valuesOf(cycle: number): [number, number, number] {
  const load = 10 * (noise(cycle) + noise(cycle, 3))
  const day = 30 * Math.sin((2 * Math.PI * cycle) / cyclesPerDay)
  return [
    100 + day + load,
    50 + day / 2 + 2 * load + noise(cycle, 1),
    20 + day + 5 * noise(cycle, 2),
  ]
}

function learned(flag = 0): ElementHistory {
  const history = new ElementHistory(3)
  history.inputs.flags[1] = flag
  for (let cycle = 0; cycle < 3 * cyclesPerWeek; cycle++) history.step(cycle, ...valuesOf(cycle))
  return history
}

const contextual = (history: ElementHistory, metric: number, value: number) =>
  deviationOf(value, {
    mean: history.bands.contextualMean[metric]!,
    stddev: history.bands.contextualStddev[metric]!,
  })

test("correlated metrics get a band that is narrower than the baseline's, others none", () => {
  const { bands } = learned()
  assert.ok(bands.contextualStddev[0]! < bands.baselineStddev[0]! / 3)
  assert.ok(bands.contextualStddev[1]! < bands.baselineStddev[1]! / 3)
  assert.ok(Number.isNaN(bands.contextualMean[2]!), "shared hours are no correlation")
})

test("one metric without the other deviates though each is ordinary by itself", () => {
  const history = learned()
  const cycle = 3 * cyclesPerWeek
  const [, high] = valuesOf(cycle)
  const day = 0
  history.step(cycle, 100 + day - 12, 50 + 24, 20)
  assert.equal(contextual(history, 0, 100 - 12), "lower")
  assert.equal(
    deviationOf(88, {
      mean: history.bands.baselineMean[0]!,
      stddev: history.bands.baselineStddev[0]!,
    }),
    undefined,
  )
  assert.ok(Number.isFinite(high))
})

test("correlated metrics that deviate together are within their contextual bands", () => {
  const history = learned()
  history.step(3 * cyclesPerWeek, 100 + 30, 50 + 60, 20)
  assert.equal(contextual(history, 0, 130), undefined)
})

test("correlation switched off for one leaves none for the pair", () => {
  const { bands } = learned(inputCorrelationOff)
  assert.ok(Number.isNaN(bands.contextualMean[0]!))
  assert.ok(Number.isNaN(bands.contextualMean[1]!))
  assert.ok(Number.isFinite(bands.baselineMean[1]!))
})

test("a row a metric: an element that gets a metric keeps what was learned", () => {
  assert.equal(correlationFloats(0), 1)
  assert.equal(correlationFloats(1), 4)
  assert.equal(correlationFloats(64), correlationFloats(200))
  assert.ok(correlationFloats(64) * 4 < 9000)
})
