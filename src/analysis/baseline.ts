/**
 * Baseline: what a metric's own weekly pattern lets expect of a cycle, learned value by value.
 *
 *     mean = level + daily slots + weekly slots          interpolated between middles of slots
 *     σ²   = scale × daily shape × weekly shape          shapes are about 1, more in noisy hours
 *
 * This is additive Holt-Winters smoothing in error-correction form, with two seasonal patterns and
 * without a trend (a level that follows within days does that), made robust after Gelper, Fried and
 * Croux, "Robust forecasting with exponential and Holt-Winters smoothing" (Journal of Forecasting
 * 29, 2010): errors are cut off before they are learned. Three things are our own: noise has a
 * pattern too; a stretch of outliers is hardly learned at all; and where one lasts for half a day,
 * it is the new normal and is taken over at once.
 *
 * The state is plain numbers, so that others keep it as bytes: one hot part, and slots of which a
 * cycle touches four. Together `baselineBytes`; all zero means that nothing is known.
 */

import { baselineHotFloats, slotFloats, type BaselineColumns } from "./baseline-columns.ts"
import { cyclesPerWeek, dailyShare, weeklyShare } from "./cycle.ts"

// — Places in the hot part —
const first = 0 // cycle of the first learned value
const latest = 1 // cycle of the latest learned value
const learned = 2 // learned values; sparse fillings count as a quarter
const level = 3
const scale = 4 // variance of errors, without shape
const lastValue = 5
const quantum = 6 // smallest step between two values
const steps = 7 // how often the value changed, up to `stepsNeeded`
const outlying = 8 // outlying cycles of the current stretch, as they outweigh the others
const stretchCount = 9
const stretchMean = 10 // mean and
const stretchSquares = 11 // squared deviations of the errors in the current stretch

// — Places in a slot —
const offset = 0 // what the slot adds to the mean
const shape = 1 // what its share of variance is beside 1
const weight = 2 // how much it has learned, in values

/** Values below which a week says nothing: half a day of them. */
export const learnedMin = 144
/** The first values are learned as they are: nothing is known by which to call one an outlier. */
const uncutValues = 12
/** Errors count at most as this many σ: three hold 99.7 % of a normal distribution. */
const cutSigmas = 3
/** In its first week a metric's first weekend is no anomaly: only what is wild is cut. */
const cutSigmasFirstWeek = 8
/** The level follows within two days; within seven in its first week, when weekends are new. */
const levelGain = 1 / 576
const levelGainFirstWeek = 1 / cyclesPerWeek
const scaleGain = 1 / 576
/** Values after which a slot learns no slower: two weeks of a daily slot, six of a weekly one. */
const dailyWeightMax = 84
const weeklyWeightMax = 72
/** A slot's first values are trusted as if it had already seen this many that fitted. */
const dailyPrior = 2
const weeklyPrior = 2
const shapePrior = 24
const shapeMin = 0.04
const shapeMax = 25
/** From this many σ on a cycle is outlying: the width of the band. */
const outlyingSigmas = 4
/** So many outlying cycles on end are an anomaly, of which little is learned. */
const stretchStart = 3
const stretchGain = 0.1
/** Twelve hours of outlying cycles are the new normal. A holiday's office hours are fewer. */
const stretchMax = 144
/** A value that was missed for longer is not worth more than the last hour. */
const gapMax = 12
/** Values on a grid: less than this share of a step is rounding, not noise. */
const quantumShare = 0.3
const stepsNeeded = 32
/** Noise below a millionth of the level is what averaging of equal values leaves. */
const levelShareMin = 1e-6
const stddevMin = 1e-9

/** Predicts and learns one metric at a time; holds nothing but where the current cycle stands. */
export class BaselineStep {
  /** What `predict` found: the cycle's expected value and the standard deviation about it. */
  mean = NaN
  stddev = NaN
  #cycle = 0
  #daily = 0
  #weekly = 0

  /** Sets the cycle for all that follows. */
  begin(cycle: number): void {
    this.#cycle = cycle
    this.#daily = dailyShare(cycle)
    this.#weekly = weeklyShare(cycle)
  }

  /**
   * Sets `mean` and `stddev` for the metric at place `at`; NaN before its first value. Whether
   * enough is known to serve them is told by `isReady`.
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

  /** Whether a week has passed since the first value and enough of it was seen. */
  isReady(columns: BaselineColumns, at: number): boolean {
    const h = at * baselineHotFloats
    const { hot } = columns
    return hot[h + learned]! >= learnedMin && this.#cycle - hot[h + first]! >= cyclesPerWeek
  }

  /** Learned values so far. */
  learned(columns: BaselineColumns, at: number): number {
    return columns.hot[at * baselineHotFloats + learned]!
  }

  /**
   * Learns a value after `predict` of the same metric and cycle. `trust` is 1 for what was
   * observed, less for a sparse filling.
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

  /** Errors beyond the cut count as three σ; in steady state a doubling takes hours, not cycles. */
  #learnScale(hot: Float64Array, h: number, error: number, sigmas: number, gain: number): void {
    const count = hot[h + learned]!
    const was = hot[h + scale]!
    const rate = gain * Math.max(1 / (count + 1), scaleGain)
    if (count < uncutValues) {
      hot[h + scale] = was + rate * (error * error - was)
      return
    }
    const squares = Math.min(sigmas, cutSigmas) ** 2
    // Of an error within what the floor allows, the scale learns the error itself.
    const floor = stddevFloor(hot, h) ** 2
    const base = Math.max(was, floor)
    hot[h + scale] =
      was < floor ? was + rate * (squares * base - was) : was * (1 + rate * (squares - 1))
  }

  /**
   * Follows stretches of outlying cycles: the share with which this cycle is learned. A stretch of
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
    if (now >= stretchMax) this.#takeOver(hot, h)
    return now >= stretchStart ? stretchGain : 1
  }

  #takeOver(hot: Float64Array, h: number): void {
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
 * Corrects two neighbouring slots by what each contributed to the error (normalised least mean
 * squares), and gives the error that is left.
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

/** Remembers on how fine a grid the values lie, once they have moved often enough. */
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
