/**
 * Values of the buckets of one slot, in time order: whole numbers over a common divisor if all of
 * them have one (rollup/rational-values.ts), otherwise the values themselves.
 *
 *   divisor 50    n n n n n     n / 50 is the value
 *   divisor 0     v v v v v     v is the value itself
 */

import { assert } from "../../../base/assert.ts"
import type { Statistics } from "../../../model/statistics.ts"
import { numeratorMax, statisticsOfRationals } from "../../../rollup/rational-values.ts"
import { statisticsOf, type StatisticsWorkspace } from "../../../rollup/statistics.ts"
import type { BucketTotals } from "../../query-store.ts"
import type { DayRationals } from "../tiers/compacted-day.ts"

/** Start of the first bucket of a day, and the width of each. */
export interface DayGrid {
  readonly timeMs: number
  readonly width: number
}

/** Workspace of a reader: one slot after the other. */
export class SlotValues {
  /** Those at `[0, count)` are valid. */
  values = new Float64Array(0)
  timesMs = new Float64Array(0)
  count = 0
  private divisor = 0
  /** Least and greatest numerator, if there is a divisor. */
  private min = NaN
  private max = NaN
  /** Sums of their distances from the first one, and of the squares; NaN if unknown. */
  private distances = NaN
  private squares = NaN
  private readonly ownTotals = { count: 0, sum: 0, min: 0, max: 0, first: 0, last: 0 }

  /** Ensures space for the buckets of a slot. */
  reserve(capacity: number, withTimes: boolean): void {
    if (this.values.length < capacity) this.values = new Float64Array(capacity)
    if (withTimes && this.timesMs.length < capacity) this.timesMs = new Float64Array(capacity)
  }

  /** Begins the next slot. */
  reset(): void {
    this.count = 0
    this.divisor = 0
  }

  /** The first numerator; NaN if there is none. */
  get origin(): number {
    return this.divisor === 0 ? NaN : this.values[0]!
  }

  /**
   * Adds the rationals of a day, whose sums are those of distances from `origin`; without times if
   * `grid` is null.
   */
  addRationals(day: DayRationals, grid: DayGrid | null): void {
    const { from, to, numerators } = day
    if (from === to) return
    assert(from < to && day.divisor > 0, "Expected a range of numerators and a divisor")
    assert(this.count + to - from <= this.values.length, "Expected space in the slot")
    const isFirst = this.count === 0
    if (!isFirst && this.divisor !== day.divisor) this.materialize()
    const { values, timesMs } = this
    const start = this.count - from
    if (grid !== null) {
      for (let i = from; i < to; i++) timesMs[start + i] = grid.timeMs + i * grid.width
    }
    this.count += to - from
    if (!isFirst && this.divisor === 0) {
      for (let i = from; i < to; i++) values[start + i] = numerators[i]! / day.divisor
      return
    }
    values.set(numerators.subarray(from, to), start + from)
    this.divisor = day.divisor
    this.distances = isFirst ? day.distances : this.distances + day.distances
    this.squares = isFirst ? day.squares : this.squares + day.squares
    this.min = isFirst ? day.min : Math.min(day.min, this.min)
    this.max = isFirst ? day.max : Math.max(day.max, this.max)
  }

  /** Notes that the caller has written `count` plain values after those of the slot. */
  noteAppended(count: number): void {
    assert(count >= 0 && this.count + count <= this.values.length, "Expected values in the slot")
    if (this.divisor > 0 && !this.toRationals(count)) this.materialize()
    this.count += count
  }

  /** Replaces the numerators by the values. */
  materialize(): void {
    const { values, divisor, count } = this
    this.divisor = 0
    if (divisor === 0) return
    for (let i = 0; i < count; i++) values[i] = values[i]! / divisor
  }

  /** Returns the totals of at least one value; overwritten by the next call. */
  totals(): BucketTotals {
    const { values, count, divisor, ownTotals: totals } = this
    assert(count > 0, "Expected values in the slot")
    if (divisor === 0 || Number.isNaN(this.squares)) {
      this.materialize()
      addUp(values, count, totals)
      return totals
    }
    totals.count = count
    totals.sum = (values[0]! * count + this.distances) / divisor
    totals.min = this.min / divisor
    totals.max = this.max / divisor
    totals.first = values[0]! / divisor
    totals.last = values[count - 1]! / divisor
    return totals
  }

  /** Returns the statistics of at least one value. */
  statistics(workspace: StatisticsWorkspace): Statistics {
    const { values, count, divisor, min, max, distances, squares } = this
    if (divisor === 0) return statisticsOf(values, count, workspace)
    const sums = Number.isNaN(squares) ? null : { distances, squares }
    const rationals = { numerators: values, divisor, min, max, sums }
    return statisticsOfRationals(rationals, count, workspace)
  }

  /**
   * Converts the next `count` values to numerators; returns false if one has no exact numerator.
   */
  private toRationals(count: number): boolean {
    const { values, divisor } = this
    const from = this.count
    let { min, max } = this
    for (let i = from; i < from + count; i++) {
      const numerator = Math.round(values[i]! * divisor)
      // Not ===: numerators cannot be -0.
      if (!Object.is(numerator / divisor, values[i]) || Object.is(numerator, -0)) return false
      min = numerator < min ? numerator : min
      max = numerator > max ? numerator : max
    }
    if (max > numeratorMax || min < -numeratorMax) return false
    for (let i = from; i < from + count; i++) values[i] = Math.round(values[i]! * divisor)
    this.min = min
    this.max = max
    if (count > 0) this.squares = NaN
    return true
  }
}

function addUp(
  values: Float64Array,
  count: number,
  totals: { -readonly [Name in keyof BucketTotals]: number },
): void {
  let sum = 0
  let min = Infinity
  let max = -Infinity
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    sum += value
    min = value < min ? value : min
    max = value > max ? value : max
  }
  totals.count = count
  totals.sum = sum
  totals.min = min
  totals.max = max
  totals.first = values[0]!
  totals.last = values[count - 1]!
}
