/**
 * Surprisal of one metric in one cycle, from several features, in nats.
 *
 *     from its pattern        |value − baseline| in σ
 *     from the moment before  |error − error predicted from the latest ones|, in usual sizes
 *     in the last hour        mean and size of those, relative to the usual ones
 *     stillness, silence      runs of unchanged or missing values
 *     contextual, sudden      deviation from the correlated metrics; sudden change
 *
 * The features become comparable by their rarity for this metric (tail-probability.ts). So the more
 * a metric varies, the larger a deviation must be to surprise.
 */

import { RunLength } from "./run-length.ts"
import { suddenChange, suddenChangeValues } from "./sudden-change.ts"
import { TailDistribution } from "./tail-probability.ts"
import { ModeTracker } from "./mode-tracker.ts"

/** Two weeks: normal weekends must not look rare on Saturdays. */
const tailMemory = 4032
/** Latest errors that are averaged: an hour. */
const hourValues = 12
const hourGain = 1 / hourValues
const sizeGain = 1 / 1000
/** Predictors of an error from earlier ones, as smoothing gains: zero, the average, the last. */
const predictorGains = [0, 0.25, 1] as const
const predictorMemory = 1 / 288
const errorCut = 4
/** Values after which the usual size of an error is trusted by √½. */
const sizeDoubt = 6
/** Two values give the first difference, with which a third one can be compared. */
const errorsMin = 2
/** Lower bound of the usual error as a fraction of σ: smaller errors are no surprise. */
const usualShareMin = 0.01
/** A metric has real errors if their usual size exceeds its lower bound by this factor. */
const erringFloors = 3
/** Smaller sizes count as 0, so that no cycle of a constant metric is its rarest. */
const ordinarySize = 0.25

function beyondOrdinary(size: number): number {
  return Math.max(0, size - ordinarySize)
}

export class MetricSurprisal {
  readonly #tails = Array.from({ length: 7 }, () => new TailDistribution(tailMemory))
  readonly #silence = new RunLength()
  readonly #stillness = new RunLength()
  readonly #usualValue = new ModeTracker()
  readonly #recent = new Float64Array(suddenChangeValues).fill(NaN)
  readonly #predicted = new Float64Array(predictorGains.length)
  readonly #predictorErrors = new Float64Array(predictorGains.length)
  #seen = 0
  #last = NaN
  #usual = 0
  #hourMean = 0
  #hourSize = 1

  /**
   * Returns the surprisal of this cycle, and learns it. `value`: NaN if missing; `mean`, `stddev`:
   * the baseline's expectation, NaN before a second value; `contextual`: distance in σ from the
   * contextual band's mean, 0 if there is no band.
   */
  step(value: number, mean: number, stddev: number, contextual: number): number {
    const isMissing = Number.isNaN(value)
    const silence = this.#seen === 0 ? 0 : this.#silence.step(isMissing)
    const sudden = this.#sudden(value)
    if (isMissing) return silence
    const stillness = this.#seen === 0 ? 0 : this.#stillness.step(value === this.#last)
    let total = this.#rarity(0, stillness)
    total += this.#rarity(1, sudden) + this.#rarity(2, contextual)
    const isUsual = this.#usualValue.step(value)
    if (this.#seen >= errorsMin) total += this.#errors(value - mean, stddev, isUsual)
    this.#last = value
    this.#seen++
    return Math.cbrt(total)
  }

  /** Third power of the rarity in nats, so that the largest dominates their sum. */
  #rarity(tail: number, size: number): number {
    const nats = this.#tails[tail]!.nats(size)
    this.#tails[tail]!.learn(size)
    return nats * nats * nats
  }

  /** As `#rarity`, but a size in a gap between usual sizes is rare, too. */
  #oddity(tail: number, size: number): number {
    const nats = this.#tails[tail]!.oddNats(size)
    this.#tails[tail]!.learn(size)
    return nats * nats * nats
  }

  #sudden(value: number): number {
    const change = suddenChange(this.#recent, value)
    this.#recent.copyWithin(0, 1)
    this.#recent[suddenChangeValues - 1] = value
    return change === undefined ? 0 : change.change
  }

  /** Surprisal of the error. The value that the metric nearly always has counts as no error. */
  #errors(found: number, stddev: number, isUsual: boolean): number {
    const error = isUsual ? 0 : found
    const trust = Math.sqrt(this.#seen / (this.#seen + sizeDoubt))
    let total = this.#oddity(3, beyondOrdinary((trust * Math.abs(error)) / stddev))
    const predicted = isUsual ? 0 : this.#predicted[this.#bestPredictor()]!
    const novelty = error - predicted
    this.#updatePredictors(error)
    const floor = stddev * usualShareMin
    const usual = Math.max(this.#usual, floor)
    const size = Math.abs(novelty) / usual
    total += this.#oddity(4, beyondOrdinary(trust * size))
    const cut = Math.min(size, errorCut)
    this.#hourMean += hourGain * (Math.sign(novelty) * cut - this.#hourMean)
    // Without real errors there is no usual size from which the last hour could differ.
    this.#hourSize =
      this.#usual > erringFloors * floor ? this.#hourSize + hourGain * (cut - this.#hourSize) : 1
    const hourMean = trust * Math.abs(this.#hourMean) * Math.sqrt(hourValues)
    total += this.#rarity(5, isUsual ? 0 : beyondOrdinary(hourMean))
    const hourSize = trust * Math.abs(Math.log(Math.max(this.#hourSize, 0.01)))
    total += this.#rarity(6, isUsual ? 0 : hourSize)
    const gain = Math.max(sizeGain, 1 / (this.#seen + 1))
    const most = this.#seen < hourValues ? Infinity : errorCut * usual
    this.#usual += gain * (Math.min(Math.abs(novelty), most) - this.#usual)
    return total
  }

  /** Index of the predictor with the smallest recent error. */
  #bestPredictor(): number {
    let best = 0
    for (let i = 1; i < predictorGains.length; i++) {
      if (this.#predictorErrors[i]! < this.#predictorErrors[best]!) best = i
    }
    return best
  }

  #updatePredictors(error: number): void {
    const gain = Math.max(predictorMemory, 1 / (this.#seen + 1))
    for (let i = 0; i < predictorGains.length; i++) {
      const wrong = Math.abs(error - this.#predicted[i]!)
      this.#predictorErrors[i] =
        this.#predictorErrors[i]! + gain * (wrong - this.#predictorErrors[i]!)
      this.#predicted[i] = this.#predicted[i]! + predictorGains[i]! * (error - this.#predicted[i]!)
    }
  }
}
