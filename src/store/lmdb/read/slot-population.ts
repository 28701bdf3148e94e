/** Raw samples of one slot, collected for percentiles and `showValues`. */

import { assert } from "../../../base/assert.ts"
import type { MergedQuantiles } from "../../../digest/merged-quantiles.ts"
import type { Contributions } from "../../../rollup/contribution.ts"
import type { Observations } from "../../../rollup/weighted-values.ts"
import { collectContributions, hasAggregates } from "../tiers/raw-to-cell.ts"
import type { SampleRun } from "../encoding/sample-run.ts"

export class SlotPopulation {
  count = 0
  /** Input of percentiles: a plain value, or the clamped mean of an aggregate. */
  values = new Float64Array(64)
  /** Number of observations of each value. */
  weights = new Float64Array(64)
  /** Values and times for `showValues`. */
  shown = new Float64Array(0)
  timesMs = new Float64Array(0)
  private readonly contributions: Contributions

  /** `contributions` is working memory that several populations may share. */
  constructor(contributions: Contributions) {
    this.contributions = contributions
  }

  reset(): void {
    this.count = 0
  }

  /** Adds samples `[from, to)`, except those without observations. */
  add(raw: SampleRun, from: number, to: number, withShown: boolean): void {
    assert(from <= to && to <= raw.count, "Expected a range of the samples")
    this.reserve(this.count + to - from, withShown)
    if (hasAggregates(raw, from, to)) return this.addAggregated(raw, from, to, withShown)
    for (let i = from; i < to; i++) {
      const at = this.count++
      this.values[at] = raw.values[i]!
      this.weights[at] = 1
      if (withShown) this.show(at, raw, i)
    }
  }

  /** Adds a value with its number of observations. */
  addValue(value: number, weight: number): void {
    assert(weight > 0, "Expected observations")
    this.reserve(this.count + 1, false)
    const at = this.count++
    this.values[at] = value
    this.weights[at] = weight
  }

  /** Adds the population to `union`, which may change the order of its values. */
  addTo(union: MergedQuantiles): void {
    union.addValues(this.values, this.weights, this.count)
  }

  /** Returns a copy of the values for `showValues`, if they were collected. */
  shownValues(): { values: Float64Array; timesMs: Float64Array } {
    const { shown, timesMs, count } = this
    return { values: shown.slice(0, count), timesMs: timesMs.slice(0, count) }
  }

  /** Returns a copy of the input of percentiles, together with `m2`. */
  observations(m2: number): Observations {
    const { values, weights, count } = this
    return { values: values.slice(0, count), weights: weights.slice(0, count), m2 }
  }

  private addAggregated(raw: SampleRun, from: number, to: number, withShown: boolean): void {
    const { contributions } = this
    collectContributions(raw, from, to, contributions)
    for (let i = from; i < to; i++) {
      const weight = contributions.count[i - from]!
      if (!(weight > 0)) continue
      const at = this.count++
      this.values[at] = contributions.digestMean(i - from)
      this.weights[at] = weight
      if (withShown) this.show(at, raw, i)
    }
  }

  private show(at: number, raw: SampleRun, i: number): void {
    this.shown[at] = raw.values[i]!
    this.timesMs[at] = raw.timesMs[i]!
  }

  private reserve(length: number, withShown: boolean): void {
    if (length > this.values.length) {
      this.values = larger(this.values, length)
      this.weights = larger(this.weights, length)
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
