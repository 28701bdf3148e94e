/** Raw samples of one slot, collected for percentiles and `showValues`. */

import { assert } from "../../../base/assert.ts"
import type { MergedQuantiles } from "../../../digest/merged-quantiles.ts"
import type { Contributions } from "../../../rollup/contribution.ts"
import type { Observations } from "../../../rollup/weighted-values.ts"
import { collectContributions, hasAggregates } from "../tiers/raw-to-cell.ts"
import type { DayRationals } from "../tiers/compacted-day.ts"
import type { SampleRun } from "../encoding/sample-run.ts"

export class SlotPopulation {
  count = 0
  /** Input of percentiles: a plain value, or the clamped mean of an aggregate. */
  values = new Float64Array(64)
  /** Number of observations of each value; null if it is 1 for all, as of plain samples. */
  weights: Float64Array<ArrayBuffer> | null = null
  /** Values and times for `showValues`. */
  shown = new Float64Array(0)
  timesMs = new Float64Array(0)
  private ownWeights = new Float64Array(0)
  private readonly contributions: Contributions

  /** `contributions` is working memory that several populations may share. */
  constructor(contributions: Contributions) {
    this.contributions = contributions
  }

  reset(): void {
    this.count = 0
    this.weights = null
  }

  /** Adds samples `[from, to)`, except those without observations. */
  add(raw: SampleRun, from: number, to: number, withShown: boolean): void {
    assert(from <= to && to <= raw.count, "Expected a range of the samples")
    this.reserve(this.count + to - from, withShown)
    if (hasAggregates(raw, from, to)) return this.addAggregated(raw, from, to, withShown)
    this.values.set(raw.values.subarray(from, to), this.count)
    this.weights?.fill(1, this.count, this.count + to - from)
    if (withShown) {
      this.shown.set(raw.values.subarray(from, to), this.count)
      this.timesMs.set(raw.timesMs.subarray(from, to), this.count)
    }
    this.count += to - from
  }

  /** Adds the values of a day as plain samples. */
  addRationals({ numerators, from, to, divisor }: DayRationals): void {
    assert(from <= to && divisor > 0, "Expected a range of numerators and a divisor")
    this.reserve(this.count + to - from, false)
    const { values } = this
    const start = this.count - from
    for (let i = from; i < to; i++) values[start + i] = numerators[i]! / divisor
    this.weights?.fill(1, this.count, this.count + to - from)
    this.count += to - from
  }

  /** Adds a value with its number of observations. */
  addValue(value: number, weight: number): void {
    assert(weight > 0, "Expected observations")
    this.reserve(this.count + 1, false)
    this.setWeighted(this.count++, value, weight)
  }

  /** Adds the population to `union`, which may change the order of its values. */
  addTo(union: MergedQuantiles): void {
    union.addValues(this.values, this.allWeights(), this.count)
  }

  /** Returns a copy of the values for `showValues`, if they were collected. */
  shownValues(): { values: Float64Array; timesMs: Float64Array } {
    const { shown, timesMs, count } = this
    return { values: shown.slice(0, count), timesMs: timesMs.slice(0, count) }
  }

  /** Returns a copy of the input of percentiles, together with `m2`. */
  observations(m2: number): Observations {
    const { values, count } = this
    return { values: values.slice(0, count), weights: this.allWeights().slice(0, count), m2 }
  }

  private addAggregated(raw: SampleRun, from: number, to: number, withShown: boolean): void {
    const { contributions } = this
    collectContributions(raw, from, to, contributions)
    for (let i = from; i < to; i++) {
      const weight = contributions.count[i - from]!
      if (!(weight > 0)) continue
      const at = this.count++
      this.setWeighted(at, contributions.digestMean(i - from), weight)
      if (!withShown) continue
      this.shown[at] = raw.values[i]!
      this.timesMs[at] = raw.timesMs[i]!
    }
  }

  /** Returns the number of observations of each value; valid until more values are added. */
  allWeights(): Float64Array<ArrayBuffer> {
    if (this.weights !== null) return this.weights
    if (this.ownWeights.length < this.values.length) {
      this.ownWeights = new Float64Array(this.values.length)
    }
    this.weights = this.ownWeights
    return this.weights.fill(1, 0, this.count)
  }

  private setWeighted(at: number, value: number, weight: number): void {
    this.values[at] = value
    const weights = weight === 1 ? this.weights : this.allWeights()
    if (weights !== null) weights[at] = weight
  }

  private reserve(length: number, withShown: boolean): void {
    if (length > this.values.length) {
      this.values = larger(this.values, length)
      if (this.weights !== null) this.weights = this.ownWeights = larger(this.weights, length)
    }
    if (withShown && length > this.shown.length) {
      this.shown = larger(this.shown, length)
      this.timesMs = larger(this.timesMs, length)
    }
  }
}

function larger(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(Math.max(length, 2 * column.length))
  copy.set(column)
  return copy
}
