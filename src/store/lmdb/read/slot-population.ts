/**
 * The raw population of one slot: what is read sample by sample for percentiles and `showValues`.
 */

import type { MergedQuantiles } from "../../../digest/merged-quantiles.ts"
import { Contributions } from "../../../rollup/contribution.ts"
import type { Observations } from "../../../rollup/weighted-values.ts"
import { collectContributions, hasAggregates } from "../tiers/raw-to-cell.ts"
import type { RawColumns } from "../encoding/raw-columns.ts"

const contributions = new Contributions()

export class SlotPopulation {
  count = 0
  /** What percentiles are taken of: a plain value, or an aggregate's mean within its own ends. */
  values = new Float64Array(64)
  /** Observations that each value stands for. */
  weights = new Float64Array(64)
  /** What `showValues` shows, and when. */
  shown = new Float64Array(0)
  timesMs = new Float64Array(0)

  reset(): void {
    this.count = 0
  }

  /** Adds samples `[from, to)`; those that stand for no observation are left out. */
  add(raw: RawColumns, from: number, to: number, withShown: boolean): void {
    this.reserve(this.count + to - from, withShown)
    if (hasAggregates(raw, from, to)) return this.addAggregated(raw, from, to, withShown)
    for (let i = from; i < to; i++) {
      const at = this.count++
      this.values[at] = raw.values[i]!
      this.weights[at] = 1
      if (withShown) this.show(at, raw, i)
    }
  }

  /** Adds the whole population to a union; its values may then stand in another order. */
  addTo(union: MergedQuantiles): void {
    union.addValues(this.values, this.weights, this.count)
  }

  /** What `showValues` shows; only where it was taken. A copy. */
  shownValues(): { values: Float64Array; timesMs: Float64Array } {
    const { shown, timesMs, count } = this
    return { values: shown.slice(0, count), timesMs: timesMs.slice(0, count) }
  }

  /** What percentiles are taken of, as a copy; `m2` is told beside. */
  observations(m2: number): Observations {
    const { values, weights, count } = this
    return { values: values.slice(0, count), weights: weights.slice(0, count), m2 }
  }

  private addAggregated(raw: RawColumns, from: number, to: number, withShown: boolean): void {
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

  private show(at: number, raw: RawColumns, i: number): void {
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
