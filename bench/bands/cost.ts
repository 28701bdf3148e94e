/** Cost of a step: the batch of a fleet that one worker closes at a time. */

import { Bench } from "tinybench"
import { baselineBytes, createBaselineColumns } from "../../src/analysis/baseline-columns.ts"
import { createCycleBands, createCycleInputs } from "../../src/analysis/columns.ts"
import { correlationFloats } from "../../src/analysis/contextual.ts"
import { ElementAnalysis } from "../../src/analysis/element-analysis.ts"
import { gauss, randomFrom } from "./series.ts"

/** Series of a part: 256 elements of 50 metrics. */
const seriesOfPart = 12_800

export interface Cost {
  readonly name: string
  readonly microsecondsPerMetric: number
  readonly bytesPerMetric: number
}

/** Measures elements of 25, 50 and 64 metrics, without and with their correlation. */
export async function measureCost(timeMs: number): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const metrics of [25, 50, 64]) {
    for (const isCorrelated of [false, true]) {
      costs.push(await measureOne(metrics, isCorrelated, timeMs))
    }
  }
  return costs
}

async function measureOne(metrics: number, isCorrelated: boolean, timeMs: number): Promise<Cost> {
  const part = makePart(metrics, isCorrelated)
  for (let i = 0; i < 400; i++) part.step()
  const name = `${metrics} metrics an element, ${isCorrelated ? "with" : "without"} contextual`
  const bench = new Bench({ time: timeMs, warmup: false, throws: true })
  bench.add(name, () => part.step())
  const [task] = await bench.run()
  if (task!.result.state !== "completed") throw new Error(`${name}: ${task!.result.state}`)
  const correlation = isCorrelated ? (4 * correlationFloats(metrics)) / metrics : 0
  return {
    name,
    microsecondsPerMetric: (1000 * task!.result.latency.p50) / part.series,
    bytesPerMetric: baselineBytes + correlation,
  }
}

/** Half of the metrics of an element follow one load, so that there is something to foretell. */
function makePart(metrics: number, isCorrelated: boolean) {
  const elements = Math.floor(seriesOfPart / metrics)
  const series = elements * metrics
  const analysis = new ElementAnalysis()
  const inputs = createCycleInputs(series)
  const bands = createCycleBands(series)
  const columns = createBaselineColumns(series)
  const floats = correlationFloats(metrics)
  const states = Array.from({ length: elements }, () => new Float32Array(floats))
  const random = randomFrom(1)
  const rounds = Array.from({ length: 8 }, () => {
    const values = new Float64Array(series)
    for (let e = 0; e < elements; e++) {
      const load = gauss(random)
      for (let i = 0; i < metrics; i++) {
        values[e * metrics + i] = 100 + (i % 2 === 0 ? 5 * load : 0) + gauss(random)
      }
    }
    return values
  })
  let cycle = 0
  const step = (): void => {
    inputs.actual.set(rounds[cycle % rounds.length]!)
    analysis.begin(++cycle)
    for (let e = 0; e < elements; e++) {
      const range = { from: e * metrics, to: (e + 1) * metrics }
      analysis.step(inputs, columns, bands, range, isCorrelated ? states[e]! : undefined)
    }
  }
  return { series, step }
}
