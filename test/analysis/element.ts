/** One element's history through the analysis, for the tests of all its parts. */

import { createCycleBands, createCycleInputs, type CycleBands } from "../../src/analysis/columns.ts"
import { ElementAnalysis } from "../../src/analysis/element-analysis.ts"
import { InMemoryModel } from "../../src/analysis/in-memory-model.ts"

export class ElementHistory {
  readonly inputs
  readonly bands: CycleBands
  readonly memory: InMemoryModel
  readonly #analysis = new ElementAnalysis()
  readonly #count: number

  constructor(metrics = 1) {
    this.#count = metrics
    this.inputs = createCycleInputs(metrics)
    this.bands = createCycleBands(metrics)
    this.memory = new InMemoryModel(metrics)
  }

  /** One cycle; leaves its bands in `bands`. */
  step(cycle: number, ...values: number[]): CycleBands {
    this.inputs.actual.set(values)
    this.#analysis.begin(cycle)
    const columns = this.memory.columnsOf(cycle)
    const range = { from: 0, to: this.#count }
    this.#analysis.step(this.inputs, columns, this.bands, range, this.memory.correlation)
    return this.bands
  }

  /** Cycles [from, to) of one metric. */
  run(from: number, to: number, valueOf: (cycle: number) => number): CycleBands {
    for (let cycle = from; cycle < to; cycle++) this.step(cycle, valueOf(cycle))
    return this.bands
  }
}

/** Uniform noise in [−1, 1) that is a pure function of the cycle. */
export function noise(cycle: number, seed = 0): number {
  let mixed = Math.imul(cycle ^ (seed * 0x9e3779b9), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x27d4eb2f)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 31 - 1
}
