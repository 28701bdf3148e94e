/**
 * The analysis of one element's metrics through one cycle: bands are predicted from what was known
 * before, and then the cycle's values are learned. Closing a cycle and `replay` both run this.
 *
 *     const analysis = new ElementAnalysis()          // holds room to work in; one a thread
 *     analysis.begin(cycle)                           // once a cycle
 *     analysis.step(inputs, columns, bands, { from, to }, correlation)   // once an element
 *
 * Whoever keeps the states hands in, for many elements at once if they like, the metrics' hot parts
 * and the four slot columns of `slotsOfCycle(cycle)`, and an element's correlation state
 * (`correlationFloats` of as many metrics as it has, all zero at first; an element with more
 * metrics than before keeps its numbers and gets zeros behind them).
 */

import type { BaselineColumns } from "./baseline-columns.ts"
import { BaselineStep } from "./baseline.ts"
import {
  inputBaselineOff,
  inputCorrelationOff,
  inputPartial,
  inputPaused,
  inputSparse,
  type CycleBands,
  type CycleInputs,
} from "./columns.ts"
import { ContextualStep, correlatedMetricsMax } from "./contextual.ts"

/** The places of one element's metrics in the columns, `to` excluded. */
export interface MetricRange {
  readonly from: number
  readonly to: number
}

/** A filling is a guess that the strategy makes; it says less than an observation. */
const sparseTrust = 0.25

export class ElementAnalysis {
  readonly #baseline = new BaselineStep()
  readonly #contextual = new ContextualStep()
  /** Errors in σ of the correlated metrics; NaN where one takes no part in this cycle. */
  readonly #sigmas = new Float64Array(correlatedMetricsMax)
  readonly #means = new Float64Array(correlatedMetricsMax)
  readonly #stddevs = new Float64Array(correlatedMetricsMax)
  /** Whether a metric's contextual band may be served. */
  readonly #served = new Uint8Array(correlatedMetricsMax)

  /** Sets the cycle of all steps that follow. */
  begin(cycle: number): void {
    this.#baseline.begin(cycle)
  }

  /**
   * Predicts the bands of the metrics in `range` into the same places of `bands`, and then learns
   * their values. `correlation` is the element's state, `undefined` where it has none: then no
   * contextual bands are given. Its first `correlatedMetricsMax` metrics take part in it.
   */
  step(
    inputs: CycleInputs,
    columns: BaselineColumns,
    bands: CycleBands,
    range: MetricRange,
    correlation: Float32Array | undefined,
  ): void {
    for (let at = range.from; at < range.to; at++) {
      this.#stepBaseline(inputs, columns, bands, at, at - range.from)
    }
    const count = Math.min(correlatedMetricsMax, range.to - range.from)
    if (correlation !== undefined && count > 1) {
      this.#stepContextual(inputs, bands, range.from, count, correlation)
    }
  }

  #stepBaseline(
    inputs: CycleInputs,
    columns: BaselineColumns,
    bands: CycleBands,
    at: number,
    place: number,
  ): void {
    const baseline = this.#baseline
    const flags = inputs.flags[at]!
    clearBands(bands, at)
    baseline.predict(columns, at)
    bands.expectedMean[at] = baseline.mean
    bands.expectedStddev[at] = baseline.stddev
    const isServed = (flags & inputPartial) === 0 && baseline.isReady(columns, at)
    if (isServed && (flags & inputBaselineOff) === 0) {
      bands.baselineMean[at] = baseline.mean
      bands.baselineStddev[at] = baseline.stddev
    }
    const value = inputs.actual[at]!
    if (place < correlatedMetricsMax) this.#noteError(flags, value, place, isServed, columns, at)
    if (Number.isNaN(value) || (flags & inputUnlearned) !== 0) return
    baseline.learn(columns, at, value, (flags & inputSparse) !== 0 ? sparseTrust : 1)
  }

  /** Keeps what the contextual step needs of a metric before the metric's value is learned. */
  #noteError(
    flags: number,
    value: number,
    place: number,
    isServed: boolean,
    columns: BaselineColumns,
    at: number,
  ): void {
    const { mean, stddev } = this.#baseline
    const isLeftOut =
      (flags & inputUncorrelated) !== 0 || this.#baseline.learned(columns, at) < correlatedFrom
    this.#means[place] = mean
    this.#stddevs[place] = stddev
    this.#sigmas[place] = isLeftOut ? NaN : (value - mean) / stddev
    this.#served[place] = isServed && (flags & inputCorrelationOff) === 0 ? 1 : 0
  }

  #stepContextual(
    inputs: CycleInputs,
    bands: CycleBands,
    from: number,
    count: number,
    correlation: Float32Array,
  ): void {
    const contextual = this.#contextual
    contextual.predict(correlation, this.#sigmas, count)
    let isPaused = false
    for (let i = 0; i < count; i++) {
      const at = from + i
      if ((inputs.flags[at]! & inputPaused) !== 0) isPaused = true
      const foretold = contextual.predicted[i]!
      if (Number.isNaN(foretold) || this.#served[i] === 0) continue
      if (!contextual.isReady(correlation, i)) continue
      bands.contextualMean[at] = this.#means[i]! + foretold * this.#stddevs[i]!
      bands.contextualStddev[at] = contextual.spread[i]! * this.#stddevs[i]!
    }
    // Maintenance is of an element: where one metric pauses, all do.
    if (!isPaused) contextual.learn(correlation, this.#sigmas, count)
  }
}

const inputUnlearned = inputPartial | inputPaused
/** A filling is the strategy's guess, and a lone aggregate stands for an unknown shape. */
const inputUncorrelated = inputCorrelationOff | inputSparse | inputPartial
/** Errors of a metric's first day tell more about the day than about the metric. */
const correlatedFrom = 288

function clearBands(bands: CycleBands, at: number): void {
  bands.baselineMean[at] = NaN
  bands.baselineStddev[at] = NaN
  bands.contextualMean[at] = NaN
  bands.contextualStddev[at] = NaN
}
