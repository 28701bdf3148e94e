/**
 * Rows: one per metric of the elements of a batch, with all columns that a closing reads and
 * writes. The metrics of an element are in the order of `CycleSource.seriesOf`, so that a state
 * stored for the first n of them still fits after further metrics have been added.
 */

import { createBaselineColumns, type BaselineColumns } from "../analysis/baseline-columns.ts"
import {
  createCycleBands,
  createCycleInputs,
  type CycleBands,
  type CycleInputs,
} from "../analysis/columns.ts"

/** Numbers of a metric's history: historical min, max, last actual, last cycle with a sample. */
export const historyFloats = 4
export const historyMin = 0
export const historyMax = 1
export const historyLast = 2
export const historyCycle = 3

export class Rows {
  /** Rows in use. */
  count = 0
  series: Int32Array
  inputs: CycleInputs
  columns: BaselineColumns
  bands: CycleBands
  /** `historyFloats` a row; all NaN before the first value. */
  history: Float64Array
  /** 1 if the metric existed when an earlier cycle closed. */
  known: Uint8Array

  constructor(length = 1024) {
    this.series = new Int32Array(length)
    this.inputs = createCycleInputs(length)
    this.columns = createBaselineColumns(length)
    this.bands = createCycleBands(length)
    this.history = new Float64Array(length * historyFloats)
    this.known = new Uint8Array(length)
  }

  /** Clears the first `count` rows. The columns grow by doubling and never shrink. */
  reset(count: number): void {
    if (count > this.series.length) {
      const grown = new Rows(Math.max(count, 2 * this.series.length))
      this.series = grown.series
      this.inputs = grown.inputs
      this.columns = grown.columns
      this.bands = grown.bands
      this.history = grown.history
      this.known = grown.known
    }
    this.count = count
    this.clearCycle()
    const { columns } = this
    columns.hot.fill(0)
    for (const slot of columns.slots) slot.fill(0)
    this.history.fill(NaN, 0, count * historyFloats)
    this.known.fill(0, 0, count)
  }

  /** Clears the columns that belong to a single cycle. */
  clearCycle(): void {
    const { inputs, bands, count } = this
    inputs.actual.fill(NaN, 0, count)
    inputs.flags.fill(0, 0, count)
    for (const column of Object.values(bands) as Float64Array[]) column.fill(NaN, 0, count)
  }
}
