/**
 * Baseline: the value that a metric's own weekly pattern predicts, learned value by value.
 *
 *     mean = level + daily slots + weekly slots          interpolated between middles of slots
 *     σ²   = scale × daily shape × weekly shape          shapes are about 1, more in noisy hours
 *
 * This is additive Holt-Winters smoothing in error-correction form, with two seasonal patterns and
 * without a trend (a level that follows within days does that), made robust after Gelper, Fried and
 * Croux, "Robust forecasting with exponential and Holt-Winters smoothing" (Journal of Forecasting
 * 29, 2010): errors are clipped before they are learned. Three extensions are our own: noise has a
 * pattern, too; a run of outliers is learned with a tenth of the gain; and a run that lasts for
 * half a day replaces level and scale, as the new normal.
 *
 * The state is plain numbers, which the store keeps as bytes: one hot part, and slots of which a
 * cycle touches four. Together `baselineBytes`; all zero means that nothing is learned yet.
 */

import { baselineHotFloats, slotFloats, type BaselineColumns } from "./baseline-columns.ts"
import { cyclesPerWeek, dailyShare, weeklyShare } from "./cycle.ts"

// — Offsets in the hot part —
const first = 0 // cycle of the first learned value
const latest = 1 // cycle of the latest learned value
const learned = 2 // learned values; gap fills count as a quarter
const level = 3
const scale = 4 // variance of errors, without shape
const lastValue = 5
const quantum = 6 // smallest step between two values
const steps = 7 // how often the value changed, up to `stepsNeeded`
const outlying = 8 // outlying cycles of the current run, minus two for each other cycle
const stretchCount = 9
const stretchMean = 10 // mean and
const stretchSquares = 11 // squared deviations of the errors in the current run

// — Offsets in a slot —
const offset = 0 // what the slot adds to the mean
const shape = 1 // its factor of the variance, minus 1
const weight = 2 // values that it has learned

/** Values that a week must have for a band to be served: half a day of them. */
const learnedMin = 144
/** The first values are learned unclipped: outliers cannot be recognized yet. */
const uncutValues = 12
/** Errors are clipped at this many σ: three contain 99.7 % of a normal distribution. */
const cutSigmas = 3
/** In the first week, which includes the first weekend, only extreme errors are clipped. */
const cutSigmasFirstWeek = 8
/** The level follows within two days; within seven in the first week, when weekends are new. */
const levelGain = 1 / 576
const levelGainFirstWeek = 1 / cyclesPerWeek
const scaleGain = 1 / 576
/** Values after which a slot's gain stays constant: two weeks of a daily slot, six of a weekly. */
const dailyWeightMax = 84
const weeklyWeightMax = 72
/** Prior weight of a slot: as if it had already learned this many values without error. */
const dailyPrior = 2
const weeklyPrior = 2
const shapePrior = 24
const shapeMin = 0.04
const shapeMax = 25
/** A cycle is outlying from this many σ on: the width of the band. */
const outlyingSigmas = 4
/** Successive outlying cycles that count as an anomaly, which is learned with `stretchGain`. */
const stretchStart = 3
const stretchGain = 0.1
/** Twelve hours of outlying cycles are the new normal. Office hours of a holiday are shorter. */
const stretchMax = 144
/** Longer gaps do not raise the gain further: a value counts at most for the last hour. */
const gapMax = 12
/** For values on a grid: a deviation below this fraction of a step is rounding, not noise. */
const quantumShare = 0.3
const stepsNeeded = 32
/** Noise below a millionth of the level is a rounding residue of averaging equal values. */
const levelShareMin = 1e-6
const stddevMin = 1e-9

/** Predicts and learns one metric at a time; keeps no state but the current cycle's position. */
export class BaselineStep {
  /** Result of `predict`: the cycle's expected value and its standard deviation. */
  mean = NaN
  stddev = NaN
  #cycle = 0
  #daily = 0
  #weekly = 0

  /** Sets the cycle of all further calls. */
  begin(cycle: number): void {
    this.#cycle = cycle
    this.#daily = dailyShare(cycle)
    this.#weekly = weeklyShare(cycle)
  }

  /**
   * Sets `mean` and `stddev` for the metric of row `at`; NaN before its first value. `isReady` says
   * whether enough is learned to serve them.
   */
  predict(columns: BaselineColumns, at: number): void {
    const { hot, slots } = columns
    const h = at * baselineHotFloats
    if (hot[h + learned] === 0) {
      this.mean = this.stddev = NaN
      return
    }
    const s = at * slotFloats
    const d = this.#daily
    const w = this.#weekly
    const [d0, d1, w0, w1] = slots
    this.mean =
      hot[h + level]! +
      d0[s + offset]! * (1 - d) +
      d1[s + offset]! * d +
      w0[s + offset]! * (1 - w) +
      w1[s + offset]! * w
    const dailyShape = 1 + d0[s + shape]! * (1 - d) + d1[s + shape]! * d
    const weeklyShape = 1 + w0[s + shape]! * (1 - w) + w1[s + shape]! * w
    const stddev = Math.sqrt(hot[h + scale]! * dailyShape * weeklyShape)
    this.stddev = Math.max(stddev, stddevFloor(hot, h))
  }

  /** Whether a week has passed since the first value, with at least `learnedMin` values. */
  isReady(columns: BaselineColumns, at: number): boolean {
    const h = at * baselineHotFloats
    const { hot } = columns
    return hot[h + learned]! >= learnedMin && this.#cycle - hot[h + first]! >= cyclesPerWeek
  }

  /** Count of learned values. */
  learned(columns: BaselineColumns, at: number): number {
    return columns.hot[at * baselineHotFloats + learned]!
  }

  /**
   * Learns a value after `predict` of the same metric and cycle. `trust` is 1 for an observed
   * value, less for a gap fill.
   */
  learn(columns: BaselineColumns, at: number, value: number, trust: number): void {
    const { hot } = columns
    const h = at * baselineHotFloats
    const count = hot[h + learned]!
    if (count === 0) return this.#start(hot, h, value, trust)
    updateQuantum(hot, h, value)
    const error = value - this.mean
    const sigmas = Math.abs(error) / this.stddev
    const isSettled = count >= uncutValues
    const isYoung = this.#cycle - hot[h + first]! < cyclesPerWeek
    const isOutlying = !isYoung && sigmas >= outlyingSigmas
    const gain = trust * this.#stretch(hot, h, error, isOutlying)
    const cut = isSettled ? Math.min(1, (isYoung ? cutSigmasFirstWeek : cutSigmas) / sigmas) : 1
    this.#learnLevel(hot, h, error * cut, gain)
    this.#learnScale(hot, h, error, sigmas, gain)
    if (isSettled) {
      this.#learnSlots(columns, at, error * cut, Math.min(sigmas, cutSigmas) ** 2, gain)
    }
    hot[h + learned] = count + trust
    hot[h + latest] = this.#cycle
    hot[h + lastValue] = value
  }

  #start(hot: Float64Array, h: number, value: number, trust: number): void {
    hot[h + first] = this.#cycle
    hot[h + latest] = this.#cycle
    hot[h + learned] = trust
    hot[h + level] = value
    hot[h + lastValue] = value
  }

  #learnLevel(hot: Float64Array, h: number, error: number, gain: number): void {
    const isYoung = this.#cycle - hot[h + first]! < cyclesPerWeek
    const gap = Math.min(gapMax, Math.max(1, this.#cycle - hot[h + latest]!))
    const steady = (isYoung ? levelGainFirstWeek : levelGain) * gap
    hot[h + level] = hot[h + level]! + gain * Math.max(1 / (hot[h + learned]! + 1), steady) * error
  }

  /** Errors are clipped at three σ: in steady state, doubling the scale takes hours, not cycles. */
  #learnScale(hot: Float64Array, h: number, error: number, sigmas: number, gain: number): void {
    const count = hot[h + learned]!
    const was = hot[h + scale]!
    const rate = gain * Math.max(1 / (count + 1), scaleGain)
    if (count < uncutValues) {
      hot[h + scale] = was + rate * (error * error - was)
      return
    }
    const squares = Math.min(sigmas, cutSigmas) ** 2
    // Below the floor of the deviation, the scale learns the error itself.
    const floor = stddevFloor(hot, h) ** 2
    const base = Math.max(was, floor)
    hot[h + scale] =
      was < floor ? was + rate * (squares * base - was) : was * (1 + rate * (squares - 1))
  }

  /**
   * Tracks runs of outlying cycles, and returns the gain with which this cycle is learned. A run of
   * half a day becomes the new level and scale.
   */
  #stretch(hot: Float64Array, h: number, error: number, isOutlying: boolean): number {
    const before = hot[h + outlying]!
    if (!isOutlying && before === 0) return 1
    const now = isOutlying ? before + 1 : Math.max(0, before - 2)
    hot[h + outlying] = now
    const count = before === 0 ? 1 : hot[h + stretchCount]! + 1
    const was = before === 0 ? 0 : hot[h + stretchMean]!
    const mean = was + (error - was) / count
    hot[h + stretchCount] = count
    hot[h + stretchMean] = mean
    hot[h + stretchSquares] =
      (before === 0 ? 0 : hot[h + stretchSquares]!) + (error - was) * (error - mean)
    if (now >= stretchMax) this.#adoptStretch(hot, h)
    return now >= stretchStart ? stretchGain : 1
  }

  #adoptStretch(hot: Float64Array, h: number): void {
    hot[h + level] = hot[h + level]! + hot[h + stretchMean]!
    const variance = hot[h + stretchSquares]! / hot[h + stretchCount]!
    hot[h + scale] = Math.max(hot[h + scale]!, variance)
    hot[h + outlying] = 0
  }

  #learnSlots(
    columns: BaselineColumns,
    at: number,
    error: number,
    squares: number,
    gain: number,
  ): void {
    const [d0, d1, w0, w1] = columns.slots
    const s = at * slotFloats
    const d = this.#daily
    const left = updatePair(d0, d1, s, d, error, squares, gain, dailyPrior, dailyWeightMax)
    updatePair(w0, w1, s, this.#weekly, left, squares, gain, weeklyPrior, weeklyWeightMax)
  }
}

/**
 * Corrects two neighbouring slots in proportion to their contribution to the error (normalized
 * least mean squares), and returns the remaining error.
 */
function updatePair(
  earlier: Float32Array,
  later: Float32Array,
  s: number,
  share: number,
  error: number,
  squares: number,
  gain: number,
  prior: number,
  weightMax: number,
): number {
  const norm = 1 / ((1 - share) * (1 - share) + share * share)
  const a = updateSlot(earlier, s, 1 - share, error, squares, gain, norm, prior, weightMax)
  const b = updateSlot(later, s, share, error, squares, gain, norm, prior, weightMax)
  return error - a * (1 - share) - b * share
}

function updateSlot(
  slot: Float32Array,
  s: number,
  share: number,
  error: number,
  squares: number,
  gain: number,
  norm: number,
  prior: number,
  weightMax: number,
): number {
  const known = slot[s + weight]!
  const step = (gain * share * norm * error) / (known + prior + 1)
  slot[s + offset] = slot[s + offset]! + step
  const was = 1 + slot[s + shape]!
  const grown = was * (1 + (gain * share * (squares - 1)) / (known + shapePrior))
  slot[s + shape] = Math.min(shapeMax, Math.max(shapeMin, grown)) - 1
  slot[s + weight] = Math.min(weightMax, known + gain * share)
  return step
}

/** Updates the smallest step between two values, the distance of their grid. */
function updateQuantum(hot: Float64Array, h: number, value: number): void {
  const step = Math.abs(value - hot[h + lastValue]!)
  if (step === 0) return
  if (hot[h + steps]! < stepsNeeded) hot[h + steps] = hot[h + steps]! + 1
  const smallest = hot[h + quantum]!
  if (smallest === 0 || step < smallest) hot[h + quantum] = step
}

function stddevFloor(hot: Float64Array, h: number): number {
  const grid = hot[h + steps]! >= stepsNeeded ? quantumShare * hot[h + quantum]! : 0
  return Math.max(grid, levelShareMin * Math.abs(hot[h + level]!), stddevMin)
}
