/**
 * Values of the buckets of one block by slot, in time order: whole numbers over a common divisor if
 * all values of a slot have one (rollup/rational-values.ts), otherwise the values themselves.
 *
 *   values    │ slot 0: n n n n n        │ slot 1: v v v             │ …
 *   divisors  │ 50: n / 50 is the value  │ 0: v is the value itself  │
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import type { Statistics } from "../../../model/statistics.ts"
import { numeratorMax, statisticsOfRationals } from "../../../rollup/rational-values.ts"
import { statisticsOf, type StatisticsWorkspace } from "../../../rollup/statistics.ts"
import type { BucketTotals } from "../../query-store.ts"
import type { SlotIndex } from "../disk/tables.ts"

/** Numerators of a slot by cycle of a day. */
interface DayRationals {
  readonly numerators: Float64Array
  readonly from: number
  readonly to: number
  readonly divisor: number
  readonly min: number
  readonly max: number
  /** Sums of the distances from the slot's `origin` (else the first numerator), and of squares. */
  readonly distances: number
  readonly squares: number
}

/** Workspace of a reader. */
export class BucketValues {
  /** Slot s has `counts[s]` values from index `s · stride` on. */
  values = new Float64Array(0)
  timesMs = new Float64Array(0)
  readonly counts = new Int32Array(seriesPerBlock)
  stride = 0
  private readonly divisors = new Float64Array(seriesPerBlock)
  /** Least and greatest numerator of slots with a divisor. */
  private readonly mins = new Float64Array(seriesPerBlock)
  private readonly maxs = new Float64Array(seriesPerBlock)
  /** Sums of their distances from the first one, and of the squares; NaN if unknown. */
  private readonly distances = new Float64Array(seriesPerBlock)
  private readonly squares = new Float64Array(seriesPerBlock)
  private readonly ownTotals = { count: 0, sum: 0, min: 0, max: 0, first: 0, last: 0 }

  reset(slots: number, stride: number, withTimes: boolean): void {
    this.stride = stride
    this.counts.fill(0)
    this.divisors.fill(0)
    if (this.values.length < slots * stride) this.values = new Float64Array(slots * stride)
    const times = withTimes ? slots * stride : 0
    if (this.timesMs.length < times) this.timesMs = new Float64Array(times)
  }

  /** Returns the first numerator of a slot; NaN if it has none. */
  origin(slot: SlotIndex): number {
    return this.divisors[slot] === 0 ? NaN : this.values[slot * this.stride]!
  }

  /**
   * Adds the rationals of a day. `grid` has the start of its first cycle, or is null without times.
   */
  addRationals(
    slot: SlotIndex,
    day: DayRationals,
    grid: { readonly timeMs: number; readonly width: number } | null,
  ): void {
    const { from, to, numerators } = day
    if (from === to) return
    assert(from < to && day.divisor > 0, "Expected a range of numerators and a divisor")
    assert(this.counts[slot]! + to - from <= this.stride, "Expected space in the slot")
    const isFirst = this.counts[slot] === 0
    if (!isFirst && this.divisors[slot] !== day.divisor) this.materialize(slot)
    const { values, timesMs } = this
    const start = slot * this.stride + this.counts[slot]! - from
    if (grid !== null) {
      for (let i = from; i < to; i++) timesMs[start + i] = grid.timeMs + i * grid.width
    }
    this.counts[slot]! += to - from
    if (!isFirst && this.divisors[slot] === 0) {
      for (let i = from; i < to; i++) values[start + i] = numerators[i]! / day.divisor
      return
    }
    values.set(numerators.subarray(from, to), start + from)
    this.divisors[slot] = day.divisor
    this.distances[slot] = isFirst ? day.distances : this.distances[slot]! + day.distances
    this.squares[slot] = isFirst ? day.squares : this.squares[slot]! + day.squares
    this.mins[slot] = isFirst ? day.min : Math.min(day.min, this.mins[slot]!)
    this.maxs[slot] = isFirst ? day.max : Math.max(day.max, this.maxs[slot]!)
  }

  /** Notes that the caller has written `count` plain values after those of a slot. */
  noteAppended(slot: SlotIndex, count: number): void {
    assert(count >= 0 && this.counts[slot]! + count <= this.stride, "Expected values in the slot")
    if (this.divisors[slot]! > 0 && !this.toRationals(slot, count)) this.materialize(slot)
    this.counts[slot]! += count
  }

  /** Replaces the numerators of a slot by the values. */
  materialize(slot: SlotIndex): void {
    const divisor = this.divisors[slot]!
    this.divisors[slot] = 0
    if (divisor === 0) return
    const { values } = this
    const from = slot * this.stride
    const to = from + this.counts[slot]!
    for (let i = from; i < to; i++) values[i] = values[i]! / divisor
  }

  /** The totals of a slot that has values; overwritten by the next call. */
  totals(slot: SlotIndex): BucketTotals {
    const { values, ownTotals: totals } = this
    const count = this.counts[slot]!
    assert(count > 0, "Expected values in the slot")
    const from = slot * this.stride
    const divisor = this.divisors[slot]!
    if (divisor === 0 || Number.isNaN(this.squares[slot]!)) {
      this.materialize(slot)
      addUp(values, from, count, totals)
      return totals
    }
    totals.count = count
    totals.sum = (values[from]! * count + this.distances[slot]!) / divisor
    totals.min = this.mins[slot]! / divisor
    totals.max = this.maxs[slot]! / divisor
    totals.first = values[from]! / divisor
    totals.last = values[from + count - 1]! / divisor
    return totals
  }

  /** Returns the statistics of a slot that has values. */
  statistics(slot: SlotIndex, workspace: StatisticsWorkspace): Statistics {
    const count = this.counts[slot]!
    const from = slot * this.stride
    const numerators = this.values.subarray(from, from + count)
    const divisor = this.divisors[slot]!
    if (divisor === 0) return statisticsOf(numerators, count, workspace)
    const ends = { min: this.mins[slot]!, max: this.maxs[slot]! }
    const [distances, squares] = [this.distances[slot]!, this.squares[slot]!]
    const sums = Number.isNaN(squares) ? null : { distances, squares }
    return statisticsOfRationals({ numerators, divisor, ...ends, sums }, count, workspace)
  }

  /**
   * Converts the next `count` values to numerators; returns false if one has no exact numerator.
   */
  private toRationals(slot: SlotIndex, count: number): boolean {
    const { values } = this
    const divisor = this.divisors[slot]!
    const from = slot * this.stride + this.counts[slot]!
    let min = this.mins[slot]!
    let max = this.maxs[slot]!
    for (let i = from; i < from + count; i++) {
      const numerator = Math.round(values[i]! * divisor)
      // Not ===: numerators cannot be -0.
      if (!Object.is(numerator / divisor, values[i]) || Object.is(numerator, -0)) return false
      min = numerator < min ? numerator : min
      max = numerator > max ? numerator : max
    }
    if (max > numeratorMax || min < -numeratorMax) return false
    for (let i = from; i < from + count; i++) values[i] = Math.round(values[i]! * divisor)
    this.mins[slot] = min
    this.maxs[slot] = max
    if (count > 0) this.squares[slot] = NaN
    return true
  }
}

function addUp(
  values: Float64Array,
  from: number,
  count: number,
  totals: { -readonly [Name in keyof BucketTotals]: number },
): void {
  let sum = 0
  let min = Infinity
  let max = -Infinity
  for (let i = from; i < from + count; i++) {
    const value = values[i]!
    sum += value
    min = value < min ? value : min
    max = value > max ? value : max
  }
  totals.count = count
  totals.sum = sum
  totals.min = min
  totals.max = max
  totals.first = values[from]!
  totals.last = values[from + count - 1]!
}
