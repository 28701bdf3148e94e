/** One element's cycles of a history: actual values, fillings, bands, score. */

import {
  createCycleBands,
  createCycleInputs,
  inputSparse,
  type CycleBands,
} from "../analysis/columns.ts"
import { ElementAnalysis } from "../analysis/element-analysis.ts"
import { ElementMemory } from "../analysis/memory.ts"
import { CycleScore } from "../analysis/score.ts"
import type { SparseStrategy } from "../model/element.ts"
import type { ReplayOptions } from "./replay-arguments.ts"
import type { CycleRows } from "./replay-rows.ts"

/** An element that is silent for seven hours gets no fillings until it speaks (decisions §4). */
const activeCyclesMax = 84

export class ReplayCycle {
  /** What the latest `close` found. */
  readonly actual: Float64Array
  /** The filling where `actual` is one; NaN elsewhere. */
  readonly sparseValue: Float64Array
  readonly bands: CycleBands
  score = 0

  readonly #options: Pick<ReplayOptions, "sparse" | "isCounter">
  readonly #inputs
  readonly #analysis = new ElementAnalysis()
  readonly #memory: ElementMemory
  readonly #score: CycleScore
  /** Of the running totals, and of the actual values. */
  readonly #lastTotal: Float64Array
  readonly #last: Float64Array
  readonly #min: Float64Array
  readonly #max: Float64Array
  #spokeAt = -Infinity

  constructor(metrics: number, options: Pick<ReplayOptions, "sparse" | "isCounter">) {
    const column = (): Float64Array => new Float64Array(metrics).fill(NaN)
    this.#options = options
    this.#inputs = createCycleInputs(metrics)
    this.#memory = new ElementMemory(metrics)
    this.#score = new CycleScore(metrics)
    this.actual = this.#inputs.actual
    this.sparseValue = column()
    this.bands = createCycleBands(metrics)
    this.#lastTotal = column()
    this.#last = column()
    this.#min = column()
    this.#max = column()
  }

  /** Closes a cycle, later than the one before; `rows` is undefined for one without a row. */
  close(cycle: number, rows: CycleRows | undefined): void {
    const count = this.actual.length
    let spoke = false
    for (let i = 0; i < count; i++) {
      const value = rows === undefined ? NaN : this.#actualOf(rows, i)
      this.actual[i] = value
      this.sparseValue[i] = NaN
      this.#inputs.flags[i] = 0
      if (rows !== undefined && !Number.isNaN(rows.last[i]!)) spoke = true
      if (!Number.isNaN(value)) this.#remember(i, value)
    }
    if (spoke) this.#spokeAt = cycle
    if (this.#options.sparse !== "None" && cycle - this.#spokeAt < activeCyclesMax) {
      for (let i = 0; i < count; i++) this.#fill(i, this.#options.sparse)
    }
    this.#analysis.begin(cycle)
    const range = { from: 0, to: count }
    const columns = this.#memory.columnsOf(cycle)
    this.#analysis.step(this.#inputs, columns, this.bands, range, this.#memory.correlation)
    this.score = this.#score.step(this.actual, this.bands)
  }

  /** A counter's value is its increase; a fall means a restart, and then the new total is it. */
  #actualOf(rows: CycleRows, i: number): number {
    if (!this.#options.isCounter) return rows.average[i]!
    const total = rows.last[i]!
    if (Number.isNaN(total)) return NaN
    const before = this.#lastTotal[i]!
    this.#lastTotal[i] = total
    return total < before ? total : total - before
  }

  #remember(i: number, value: number): void {
    this.#last[i] = value
    this.#min[i] = Number.isNaN(this.#min[i]!) ? value : Math.min(this.#min[i]!, value)
    this.#max[i] = Number.isNaN(this.#max[i]!) ? value : Math.max(this.#max[i]!, value)
  }

  #fill(i: number, strategy: SparseStrategy): void {
    if (!Number.isNaN(this.actual[i]!) || Number.isNaN(this.#last[i]!)) return
    const fillings = {
      None: NaN,
      ReplaceWithZero: 0,
      ReplaceWithHistoricalMax: this.#max[i]!,
      ReplaceWithHistoricalMin: this.#min[i]!,
      ReplaceWithLast: this.#last[i]!,
    }
    this.actual[i] = this.sparseValue[i] = fillings[strategy]
    this.#inputs.flags[i] = inputSparse
  }
}
