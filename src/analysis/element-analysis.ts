/**
 * The analysis of one element's metrics in one cycle: predicts bands from earlier cycles, and then
 * learns the cycle's values. The closing of a cycle and `replay` both run this.
 *
 *     const analysis = new ElementAnalysis()          // contains work space; one a thread
 *     analysis.begin(cycle)                           // once a cycle
 *     analysis.step(inputs, columns, bands, { from, to }, correlation)   // once an element
 *
 * The caller stores the states. It passes the metrics' hot parts and the four slot columns of
 * `slotsOfCycle(cycle)`, possibly of many elements, and an element's correlation state:
 * `correlationFloats(metrics)` numbers, all zero at first; when the element gets more metrics, its
 * numbers are extended by zeros.
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

/** The rows `[from, to)` of one element's metrics in the columns. */
export interface MetricRange {
  readonly from: number
  readonly to: number
}

/** A gap fill is a guess, and counts less than an observation. */
const sparseTrust = 0.25

export class ElementAnalysis {
  readonly #baseline = new BaselineStep()
  readonly #contextual = new ContextualStep()
  /** Errors in σ of the correlated metrics; NaN if one takes no part in this cycle. */
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
   * Predicts the bands of the metrics in `range` into the same rows of `bands`, and then learns
   * their values. `correlation` is the element's state; if it is undefined, there are no contextual
   * bands. The first `correlatedMetricsMax` metrics take part in it.
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
    index: number,
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
    if (index < correlatedMetricsMax) this.#noteError(flags, value, index, isServed, columns, at)
    if (Number.isNaN(value) || (flags & inputUnlearned) !== 0) return
    baseline.learn(columns, at, value, (flags & inputSparse) !== 0 ? sparseTrust : 1)
  }

  /** Stores a metric's inputs of the contextual step, before the metric's value is learned. */
  #noteError(
    flags: number,
    value: number,
    index: number,
    isServed: boolean,
    columns: BaselineColumns,
    at: number,
  ): void {
    const { mean, stddev } = this.#baseline
    const isExcluded =
      (flags & inputUncorrelated) !== 0 || this.#baseline.learned(columns, at) < correlatedFrom
    this.#means[index] = mean
    this.#stddevs[index] = stddev
    this.#sigmas[index] = isExcluded ? NaN : (value - mean) / stddev
    this.#served[index] = isServed && (flags & inputCorrelationOff) === 0 ? 1 : 0
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
      const predicted = contextual.predicted[i]!
      if (Number.isNaN(predicted) || this.#served[i] === 0) continue
      if (!contextual.isReady(correlation, i)) continue
      bands.contextualMean[at] = this.#means[i]! + predicted * this.#stddevs[i]!
      bands.contextualStddev[at] = contextual.spread[i]! * this.#stddevs[i]!
    }
    // Maintenance is a state of the element: if one metric is paused, all are.
    if (!isPaused) contextual.learn(correlation, this.#sigmas, count)
  }
}

const inputUnlearned = inputPartial | inputPaused
/** A gap fill is a guess, and a partial aggregate has an unknown distribution. */
const inputUncorrelated = inputCorrelationOff | inputSparse | inputPartial
/** Learned values before a metric takes part: errors of its first day are mostly the day's. */
const correlatedFrom = 288

function clearBands(bands: CycleBands, at: number): void {
  bands.baselineMean[at] = NaN
  bands.baselineStddev[at] = NaN
  bands.contextualMean[at] = NaN
  bands.contextualStddev[at] = NaN
}
