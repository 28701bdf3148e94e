/** One element's cycles of a history, closed by the steps by which the server closes its own. */

import { ElementAnalysis } from "../../analysis/element-analysis.ts"
import { InMemoryModel } from "../../analysis/in-memory-model.ts"
import { CycleScore } from "../../analysis/score.ts"
import { loadRow } from "../../cycle/load-row.ts"
import { Rows } from "../../cycle/rows.ts"
import { fillGap, isActive, predictRows, updateHistory } from "../../cycle/row-steps.ts"
import { isCounter, sparseStrategyOf } from "../../model/effective-settings.ts"
import { defaultDefinition, type MetricDefinition } from "../../model/element.ts"
import { CellColumns, clearCells, computeCell } from "../../rollup/cell.ts"
import { actualKindOf } from "../../rollup/actual-kind.ts"
import { applyCounter } from "../../rollup/counter.ts"
import type { ReplayOptions } from "./replay-commands.ts"
import type { MetricValues } from "./replay-rows.ts"

/** An element that is silent for seven hours gets no fillings until it speaks (spec/samples §7). */
const inactiveCycles = 84

export class ReplayCycle {
  /** Results of the latest `close`: actual values, flags, bands. */
  readonly rows: Rows
  /** The filling where the actual value is one; NaN elsewhere. */
  readonly sparseValue: Float64Array
  score = 0

  readonly #definition: MetricDefinition
  readonly #code: number
  readonly #cells: CellColumns
  readonly #analysis = new ElementAnalysis()
  readonly #memory: InMemoryModel
  readonly #score: CycleScore
  /** A counter's latest running total; undefined before the first. */
  readonly #totals: (number | undefined)[]

  constructor(metrics: number, { sparse, isCounter }: Pick<ReplayOptions, "sparse" | "isCounter">) {
    const type = isCounter ? "COUNTER" : ""
    this.#definition = { ...defaultDefinition, type, sparseDataStrategy: sparse }
    this.#code = actualKindOf(this.#definition)
    this.rows = new Rows(metrics)
    this.rows.reset(metrics)
    this.sparseValue = new Float64Array(metrics).fill(NaN)
    this.#cells = new CellColumns(metrics)
    this.#memory = new InMemoryModel(metrics)
    this.#score = new CycleScore(metrics)
    this.#totals = Array.from({ length: metrics }, () => undefined)
  }

  /** Closes a cycle, later than the one before; `values` of each metric, `undefined` for none. */
  close(cycle: number, values: readonly MetricValues[] | undefined): void {
    const { rows } = this
    const range = { from: 0, to: rows.count }
    rows.clearCycle()
    rows.columns = this.#memory.columnsOf(cycle)
    for (let row = 0; row < rows.count; row++) {
      this.#roll(row, values?.[row])
      loadRow(rows, row, cycle, this.#definition, { cells: this.#cells, at: row })
    }
    this.sparseValue.fill(NaN)
    if (isActive(rows, range, cycle, inactiveCycles)) this.#work(cycle)
    this.score = this.#score.step(rows.inputs.actual, rows.bands)
  }

  /** Makes the metric's cell of the cycle, as the store rolls samples up. */
  #roll(row: number, samples: MetricValues | undefined): void {
    const cells = this.#cells
    if (samples === undefined || samples.count === 0) return clearCells(cells, row, row + 1)
    cells.actualKind[row] = this.#code
    computeCell(samples.values, 0, samples.count, cells, row)
    if (!isCounter(this.#definition)) return
    applyCounter(cells, row, this.#totals[row])
    this.#totals[row] = cells.last[row]!
  }

  #work(cycle: number): void {
    const { rows } = this
    const strategy = sparseStrategyOf(this.#definition)
    const when = { cycle, isMissed: false }
    for (let row = 0; row < rows.count; row++) {
      this.sparseValue[row] = fillGap(rows, row, strategy, when)
    }
    this.#analysis.begin(cycle)
    predictRows(this.#analysis, rows, { from: 0, to: rows.count }, this.#memory.correlation)
    for (let row = 0; row < rows.count; row++) {
      updateHistory(rows, row)
      if (this.#cells.count[row]! > 0) rows.known[row] = 1
    }
  }
}
