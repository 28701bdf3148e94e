/**
 * Contextual band: the value of a metric that the other metrics of its element predict.
 *
 * It compares not values but their errors against their own baselines, in σ: two metrics that
 * merely share office hours are not correlated, two that deviate together are. The covariance of
 * errors is learned online, a metric's error is predicted by ridge regression on its three
 * strongest correlates (Hoerl and Kennard, Technometrics 12, 1970), and the width of the band is
 * the error of past predictions.
 *
 * State of an element, as 32-bit floats: count of learned cycles, then a row for each metric, so
 * that a further metric only appends:
 *
 *     row i:   covariance with metrics 0 … i │ squared prediction error │ count of predictions
 */

/** Correlated metrics of an element: work grows with the square, 64 take 8.5 kB of state. */
export const correlatedMetricsMax = 64

/** A fourth correlate adds little and makes the system to solve larger. */
const predictorsMax = 3
/** Correlation from which a metric is a predictor. */
const correlationMin = 0.5
/** Fraction of the variance that predictors must explain before there is a band. */
const explainedMin = 0.3
/** Keeps the weights small if predictors are correlated with each other. */
const ridge = 0.05
const header = 1
/** The covariance averages over two weeks. */
const covarianceGain = 1 / 4032
const errorGain = 1 / 576
/** Learned errors are clipped here, so that one incident makes no correlation. */
const learnedSigmasMax = 4
const cutSigmas = 3
/** Predictions that must have been made before a band is served: half a day. */
const errorsMin = 144
/** Lower bound of the error, since two metrics that always agree may differ by rounding. */
const errorMin = 0.02

/** Floats of the state of an element with `metrics` metrics, of which at most 64 count. */
export function correlationFloats(metrics: number): number {
  return rowStart(Math.min(metrics, correlatedMetricsMax))
}

function rowStart(metric: number): number {
  return header + (metric * (metric + 1)) / 2 + 2 * metric
}

/** Predicts and learns one element at a time; its fields are work space and results. */
export class ContextualStep {
  /** Predicted errors in σ and their standard deviation; NaN if nothing is predicted. */
  readonly predicted = new Float64Array(correlatedMetricsMax)
  readonly spread = new Float64Array(correlatedMetricsMax)
  /** Learned standard deviations of the metrics' errors; 0 if nothing is learned. */
  readonly #deviations = new Float64Array(correlatedMetricsMax)
  readonly #predictors = new Int32Array(predictorsMax)
  readonly #strengths = new Float64Array(predictorsMax)
  readonly #weights = new Float64Array(predictorsMax)
  readonly #matrix = new Float64Array(predictorsMax * predictorsMax)
  #predictorCount = 0

  /**
   * Fills `predicted` and `spread` for `count` metrics from their errors in σ, NaN for a metric
   * that takes no part. A metric's own error is not used for its own prediction.
   */
  predict(state: Float32Array, sigmas: Float64Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const start = rowStart(i)
      this.#deviations[i] = Math.sqrt(state[start + i]!)
    }
    for (let i = 0; i < count; i++) this.#predictOne(state, sigmas, count, i)
  }

  /** Whether a metric has been predicted often enough to serve its band. */
  isReady(state: Float32Array, metric: number): boolean {
    return state[rowStart(metric) + metric + 2]! >= errorsMin
  }

  /** Learns the errors that were passed to `predict`, and the errors of its predictions. */
  learn(state: Float32Array, sigmas: Float64Array, count: number): void {
    const gain = Math.max(1 / (state[0]! + 1), covarianceGain)
    for (let i = 0; i < count; i++) {
      if (Number.isNaN(sigmas[i]!)) continue
      const start = rowStart(i)
      const own = clampSigmas(sigmas[i]!)
      for (let j = 0; j <= i; j++) {
        const other = sigmas[j]!
        if (Number.isNaN(other)) continue
        const was = state[start + j]!
        state[start + j] = was + gain * (own * clampSigmas(other) - was)
      }
      this.#learnError(state, start + i + 1, sigmas[i]! - this.predicted[i]!)
    }
    state[0] = state[0]! + 1
  }

  #learnError(state: Float32Array, at: number, error: number): void {
    if (Number.isNaN(error)) return
    const was = state[at]!
    const tries = state[at + 1]!
    const most = tries < 12 ? Infinity : cutSigmas * cutSigmas * Math.max(was, errorMin ** 2)
    state[at] = was + Math.max(1 / (tries + 1), errorGain) * (Math.min(error * error, most) - was)
    state[at + 1] = Math.min(tries + 1, cyclesRemembered)
  }

  #predictOne(state: Float32Array, sigmas: Float64Array, count: number, i: number): void {
    this.predicted[i] = NaN
    this.spread[i] = NaN
    this.#choosePredictors(state, sigmas, count, i)
    if (this.#predictorCount === 0) return
    const explained = this.#solve(state)
    if (!(explained >= explainedMin)) return
    let sum = 0
    for (let p = 0; p < this.#predictorCount; p++) {
      const j = this.#predictors[p]!
      sum += (this.#weights[p]! * sigmas[j]!) / this.#deviations[j]!
    }
    this.predicted[i] = sum * this.#deviations[i]!
    this.spread[i] = Math.max(errorMin, Math.sqrt(state[rowStart(i) + i + 1]!))
  }

  /** The strongest correlates that have a value in this cycle, strongest first. */
  #choosePredictors(state: Float32Array, sigmas: Float64Array, count: number, i: number): void {
    const strengths = this.#strengths
    const predictors = this.#predictors
    const own = this.#deviations[i]!
    let chosen = 0
    for (let j = 0; j < count && own > 0; j++) {
      if (j === i || Number.isNaN(sigmas[j]!) || this.#deviations[j] === 0) continue
      const shared = covariance(state, i, j) / (own * this.#deviations[j]!)
      const strength = Math.abs(shared)
      if (strength < correlationMin) continue
      if (chosen === predictorsMax && strength <= Math.abs(strengths[chosen - 1]!)) continue
      let rank = chosen < predictorsMax ? chosen++ : chosen - 1
      for (; rank > 0 && Math.abs(strengths[rank - 1]!) < strength; rank--) {
        strengths[rank] = strengths[rank - 1]!
        predictors[rank] = predictors[rank - 1]!
      }
      strengths[rank] = shared
      predictors[rank] = j
    }
    this.#predictorCount = chosen
  }

  /** Solves (R + ridge) w = r by elimination; returns the explained fraction of variance, r · w. */
  #solve(state: Float32Array): number {
    const n = this.#predictorCount
    const m = this.#matrix
    const w = this.#weights
    for (let a = 0; a < n; a++) {
      const i = this.#predictors[a]!
      for (let b = 0; b < n; b++) {
        const j = this.#predictors[b]!
        const shared = covariance(state, i, j) / (this.#deviations[i]! * this.#deviations[j]!)
        m[a * n + b] = a === b ? 1 + ridge : shared
      }
      w[a] = this.#strengths[a]!
    }
    for (let a = 0; a < n; a++) {
      // Covariances learned over different cycles may be inconsistent.
      if (m[a * n + a]! < ridge / 2) return NaN
      for (let b = a + 1; b < n; b++) {
        const factor = m[b * n + a]! / m[a * n + a]!
        for (let c = a; c < n; c++) m[b * n + c] = m[b * n + c]! - factor * m[a * n + c]!
        w[b] = w[b]! - factor * w[a]!
      }
    }
    let explained = 0
    for (let a = n - 1; a >= 0; a--) {
      for (let b = a + 1; b < n; b++) w[a] = w[a]! - m[a * n + b]! * w[b]!
      w[a] = w[a]! / m[a * n + a]!
      explained += w[a]! * this.#strengths[a]!
    }
    return explained
  }
}

/** Counts stop here: beyond, the gain is constant; it is well below 2²⁴, where floats lose 1. */
const cyclesRemembered = 4096

function covariance(state: Float32Array, i: number, j: number): number {
  return i > j ? state[rowStart(i) + j]! : state[rowStart(j) + i]!
}

function clampSigmas(sigmas: number): number {
  return Math.max(-learnedSigmasMax, Math.min(learnedSigmasMax, sigmas))
}
