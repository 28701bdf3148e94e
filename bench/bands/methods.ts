/** Ways to call a cycle deviating, each with no input later than the cycle. */

import { cyclesPerDay } from "../../src/model/resolution.ts"
import { createCycleBands, createCycleInputs } from "../../src/analysis/columns.ts"
import { bandSigmas, deviationOf } from "../../src/model/band.ts"
import { ElementAnalysis } from "../../src/analysis/element-analysis.ts"
import { InMemoryModel } from "../../src/analysis/in-memory-model.ts"

/** 1 for each cycle that deviates. */
export type Method = (values: Float64Array) => Uint8Array

/** 4σ deviation from the baseline. */
export function byBaseline(values: Float64Array): Uint8Array {
  const analysis = new ElementAnalysis()
  const memory = new InMemoryModel(1)
  const inputs = createCycleInputs(1)
  const bands = createCycleBands(1)
  return Uint8Array.from(values, (value, cycle) => {
    inputs.actual[0] = value
    analysis.begin(cycle)
    analysis.step(inputs, memory.columnsOf(cycle), bands, { from: 0, to: 1 }, undefined)
    const deviation = deviationOf(value, {
      mean: bands.baselineMean[0]!,
      stddev: bands.baselineStddev[0]!,
    })
    return deviation === undefined ? 0 : 1
  })
}

/** An operator inspects the first two weeks and sets two thresholds, 4σ about their mean. */
export function byStaticThreshold(values: Float64Array): Uint8Array {
  const { mean, stddev } = moments(values.subarray(0, 14 * cyclesPerDay))
  return Uint8Array.from(values, (value) => (Math.abs(value - mean) > bandSigmas * stddev ? 1 : 0))
}

/** Mean ± 4σ of the day before. */
export function byRollingMean(values: Float64Array): Uint8Array {
  let sum = 0
  let squares = 0
  let count = 0
  const add = (value: number, sign: number) => {
    if (Number.isNaN(value)) return
    sum += sign * value
    squares += sign * value * value
    count += sign
  }
  return Uint8Array.from(values, (value, c) => {
    const mean = sum / count
    const stddev = Math.sqrt(Math.max(0, squares / count - mean * mean))
    add(value, 1)
    if (c >= cyclesPerDay) add(values[c - cyclesPerDay]!, -1)
    return Math.abs(value - mean) > bandSigmas * stddev ? 1 : 0
  })
}

function moments(values: Float64Array): { mean: number; stddev: number } {
  const seen = values.filter((value) => !Number.isNaN(value))
  const mean = seen.reduce((sum, value) => sum + value, 0) / seen.length
  const squares = seen.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, stddev: Math.sqrt(squares / seen.length) }
}
