/**
 * How surprising one metric's cycle is, by everything that can be said of it, in nats.
 *
 *     from its pattern        |value − baseline| in σ
 *     from the moment before  |error − what the latest errors foretell| in its usual size
 *     in the last hour        the mean of those, and their size, beside the usual
 *     stillness, silence      an unchanged or missing value that goes on
 *     contextual, sudden      deviation from the correlated metrics; sudden change
 *
 * Each is a size of its own kind, made comparable by asking how rare that size is for this metric
 * (tail.ts). So a metric that is often wild must be wilder to surprise.
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
/** Ways to foretell an error from the latest ones: none, their average, the very last. */
const predictorGains = [0, 0.25, 1] as const
const predictorMemory = 1 / 288
const errorCut = 4
/** Before that the usual size of an error is a guess. */
const sizeDoubt = 6
/** Two values tell the first difference; only then is a third one near or far. */
const errorsMin = 2
/** Errors a hundred times smaller than σ are no news by themselves. */
const usualShareMin = 0.01
/** A usual size above so many floors is that of a metric that does err. */
const erringFloors = 3
/** Sizes below this are as good as none: a constant metric has no rarest cycle. */
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
  readonly #foretold = new Float64Array(predictorGains.length)
  readonly #foretoldErrors = new Float64Array(predictorGains.length)
  #seen = 0
  #last = NaN
  #usual = 0
  #hourMean = 0
  #hourSize = 1

  /**
   * Surprise of this cycle, which is then learned. `value` NaN: missing; `mean` and `stddev`: the
   * baseline's expectation, NaN before a second value; `contextual`: distance in σ from the
   * contextual band's mean, 0 where there is none.
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

  /** Third power of the rarity in nats: the sum of such is led by the largest. */
  #rarity(tail: number, size: number): number {
    const nats = this.#tails[tail]!.nats(size)
    this.#tails[tail]!.learn(size)
    return nats * nats * nats
  }

  /** The same of a size that is also odd where it is smaller than usual large ones. */
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

  /** A value that the metric nearly always has is no error, and ends what went before. */
  #errors(found: number, stddev: number, isUsual: boolean): number {
    const error = isUsual ? 0 : found
    const trust = Math.sqrt(this.#seen / (this.#seen + sizeDoubt))
    let total = this.#oddity(3, beyondOrdinary((trust * Math.abs(error)) / stddev))
    const foretold = isUsual ? 0 : this.#foretold[this.#bestForeteller()]!
    const novelty = error - foretold
    this.#foretell(error)
    const floor = stddev * usualShareMin
    const usual = Math.max(this.#usual, floor)
    const size = Math.abs(novelty) / usual
    total += this.#oddity(4, beyondOrdinary(trust * size))
    const cut = Math.min(size, errorCut)
    this.#hourMean += hourGain * (Math.sign(novelty) * cut - this.#hourMean)
    // A metric that never errs has no usual size from which the last hour could differ.
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

  /** Which way of foretelling has been the least wrong of late. */
  #bestForeteller(): number {
    let best = 0
    for (let i = 1; i < predictorGains.length; i++) {
      if (this.#foretoldErrors[i]! < this.#foretoldErrors[best]!) best = i
    }
    return best
  }

  #foretell(error: number): void {
    const gain = Math.max(predictorMemory, 1 / (this.#seen + 1))
    for (let i = 0; i < predictorGains.length; i++) {
      const wrong = Math.abs(error - this.#foretold[i]!)
      this.#foretoldErrors[i] = this.#foretoldErrors[i]! + gain * (wrong - this.#foretoldErrors[i]!)
      this.#foretold[i] = this.#foretold[i]! + predictorGains[i]! * (error - this.#foretold[i]!)
    }
  }
}
