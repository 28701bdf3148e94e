/**
 * Across: the values that many metrics have at one time, combined into one value a time.
 *
 *   metric a   1   2   4        slot 0  slot 1  slot 2        one slot a time
 *   metric b   3       5   ──►    4       2       9           (sum)
 */

import { assert } from "../base/assert.ts"
import { clampedAverage, stddevOf } from "./statistics.ts"
import { clampToFinite } from "./sum.ts"

export const aggregations = ["avg", "sum", "cnt", "min", "max", "stddev"] as const
export type Aggregation = (typeof aggregations)[number]

/** More than a month of PT5M. */
const sharedCapacity = 9216

/**
 * Arrays by slot, and the loops that add to them. In a function that is called once they are
 * constants to V8, whose places it puts into the code (select-few.ts): 8 ns a value instead of 13.
 */
function makeTotals(length: number) {
  const counts = new Int32Array(length)
  /** Sums and what rounding took from them (Neumaier's summation, see sum.ts). */
  const sums = new Float64Array(length)
  const lost = new Float64Array(length)
  const mins = new Float64Array(length)
  const maxs = new Float64Array(length)
  /** Mean and sum of squared deviations as of the last value (Welford, Technometrics 4, 1962). */
  const means = new Float64Array(length)
  const squares = new Float64Array(length)

  /** Count, sum, min and max at once: in loops of their own they take twice as long. */
  function addOne(slot: number, value: number): void {
    const sum = sums[slot]!
    const next = sum + value
    const sumIsLarger = (sum < 0 ? -sum : sum) >= (value < 0 ? -value : value)
    counts[slot]!++
    lost[slot]! += sumIsLarger ? sum - next + value : value - next + sum
    sums[slot] = next
    if (value < mins[slot]!) mins[slot] = value
    if (value > maxs[slot]!) maxs[slot] = value
  }

  function add(slots: Int32Array, values: Float64Array): void {
    for (let i = 0; i < slots.length; i++) addOne(slots[i]!, values[i]!)
  }

  function addRun(first: number, values: Float64Array): void {
    const { length } = values
    for (let i = 0; i < length; i++) addOne(first + i, values[i]!)
  }

  function addSquares(slots: Int32Array, values: Float64Array): void {
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!
      const count = ++counts[slot]!
      const delta = values[i]! - means[slot]!
      means[slot]! += delta / count
      squares[slot]! += delta * (values[i]! - means[slot]!)
    }
  }

  /** Makes slots [from, to) empty. */
  function clear(from: number, to: number): void {
    for (const column of [counts, sums, lost, means, squares]) column.fill(0, from, to)
    mins.fill(Infinity, from, to)
    maxs.fill(-Infinity, from, to)
  }

  const columns = [counts, sums, lost, mins, maxs, means, squares] as const
  return {
    length,
    columns,
    counts,
    sums,
    lost,
    mins,
    maxs,
    squares,
    clear,
    add,
    addRun,
    addSquares,
  }
}

const sharedAccumulators = makeTotals(sharedCapacity)
/** How many were made: the few slots are those of the last one. */
let aggregatorCount = 0

/** Until the next one of its thread is made. */
export class GroupAggregator {
  /** Slots from 0 that were added to so far, or skipped. */
  length = 0
  private readonly aggregation: Aggregation
  private readonly version = ++aggregatorCount
  private accumulators = sharedAccumulators

  constructor(aggregation: Aggregation) {
    this.aggregation = aggregation
  }

  /** Adds `values[i]` to slot `slots[i]`. */
  add(slots: Int32Array, values: Float64Array): void {
    let last = -1
    for (let i = 0; i < slots.length; i++) if (slots[i]! > last) last = slots[i]!
    this.extendTo(last + 1)
    if (this.aggregation === "stddev") this.accumulators.addSquares(slots, values)
    else this.accumulators.add(slots, values)
  }

  /** Adds `values[i]` to slot `first + i`. */
  addRun(first: number, values: Float64Array): void {
    if (this.aggregation === "stddev") {
      return this.add(
        Int32Array.from(values, (_, i) => first + i),
        values,
      )
    }
    this.extendTo(first + values.length)
    this.accumulators.addRun(first, values)
  }

  has(slot: number): boolean {
    return this.accumulators.counts[slot]! > 0
  }

  /** The one value of a slot that has any. */
  value(slot: number): number {
    const { counts, mins, maxs, squares } = this.accumulators
    const count = counts[slot]!
    switch (this.aggregation) {
      case "cnt":
        return count
      case "sum":
        return this.sum(slot)
      case "min":
        return mins[slot]!
      case "max":
        return maxs[slot]!
      case "avg":
        return clampedAverage(this.sum(slot), count, mins[slot]!, maxs[slot]!)
      case "stddev":
        return stddevOf(clampM2(squares[slot]!), count)
    }
  }

  private sum(slot: number): number {
    const { sums, lost } = this.accumulators
    const total = sums[slot]! + lost[slot]!
    return clampToFinite(Number.isNaN(total) ? sums[slot]! : total)
  }

  private extendTo(slots: number): void {
    assert(
      this.accumulators !== sharedAccumulators || this.version === aggregatorCount,
      "Expected to be the last one that was made",
    )
    if (slots <= this.length) return
    if (slots > this.accumulators.length) this.grow(Math.max(slots, 2 * this.accumulators.length))
    this.accumulators.clear(this.length, slots)
    this.length = slots
  }

  private grow(length: number): void {
    const larger = makeTotals(length)
    const { columns } = this.accumulators
    larger.columns.forEach((column, i) => column.set(columns[i]!.subarray(0, this.length)))
    this.accumulators = larger
  }
}

/** Squares that left the doubles are held at the largest one. */
function clampM2(squares: number): number {
  return squares <= Number.MAX_VALUE ? squares : Number.MAX_VALUE
}
