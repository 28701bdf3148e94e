/**
 * Group aggregation: combines the values of many metrics at the same time into one value.
 *
 *   metric a   1   2   4        index 0  index 1  index 2        one index per time
 *   metric b   3       5   ──►     4        2        9           (sum)
 */

import { assert } from "../base/assert.ts"
import { clampedAverage, stddevOf } from "./statistics.ts"
import { clampToFinite } from "./sum.ts"

export const aggregations = ["avg", "sum", "cnt", "min", "max", "stddev"] as const
export type Aggregation = (typeof aggregations)[number]

/** Number of times that the shared accumulators hold: more than a month of PT5M. */
const sharedCapacity = 9216

/*
 * The two factories below return arrays by index and the loops that add to them. The factories are
 * called once for almost all queries, so V8 treats the arrays as constants and embeds their
 * addresses in the code of the loops (see bucket-tables.ts): 8 ns per value instead of 13.
 */

/** Count, sum, minimum and maximum by index. */
function createSums(capacity: number) {
  const counts = new Int32Array(capacity)
  /** Sums and their rounding errors (Neumaier's summation, see sum.ts). */
  const sums = new Float64Array(capacity)
  const errors = new Float64Array(capacity)
  const mins = new Float64Array(capacity)
  const maxs = new Float64Array(capacity)

  /** Updates count, sum, min and max in one step: loops of their own take twice as long. */
  function addOne(index: number, value: number): void {
    const sum = sums[index]!
    const next = sum + value
    const sumIsLarger = (sum < 0 ? -sum : sum) >= (value < 0 ? -value : value)
    counts[index]!++
    errors[index]! += sumIsLarger ? sum - next + value : value - next + sum
    sums[index] = next
    if (value < mins[index]!) mins[index] = value
    if (value > maxs[index]!) maxs[index] = value
  }

  function add(indexes: Int32Array, values: Float64Array): void {
    for (let i = 0; i < indexes.length; i++) addOne(indexes[i]!, values[i]!)
  }

  function addRun(first: number, values: Float64Array): void {
    const { length } = values
    for (let i = 0; i < length; i++) addOne(first + i, values[i]!)
  }

  /** Clears the indexes [from, to). */
  function clear(from: number, to: number): void {
    for (const column of [counts, sums, errors]) column.fill(0, from, to)
    mins.fill(Infinity, from, to)
    maxs.fill(-Infinity, from, to)
  }

  const columns = [counts, sums, errors, mins, maxs] as const
  return { capacity, columns, counts, sums, errors, mins, maxs, clear, add, addRun }
}

/** Count and sum of squared deviations by index (Welford, Technometrics 4, 1962). */
function createDeviations(capacity: number) {
  const counts = new Int32Array(capacity)
  const means = new Float64Array(capacity)
  const m2s = new Float64Array(capacity)

  function add(indexes: Int32Array, values: Float64Array): void {
    for (let i = 0; i < indexes.length; i++) {
      const index = indexes[i]!
      const count = ++counts[index]!
      const delta = values[i]! - means[index]!
      means[index]! += delta / count
      m2s[index]! += delta * (values[i]! - means[index]!)
    }
  }

  /** Clears the indexes [from, to). */
  function clear(from: number, to: number): void {
    for (const column of [counts, means, m2s]) column.fill(0, from, to)
  }

  const columns = [counts, means, m2s] as const
  return { capacity, columns, counts, m2s, clear, add }
}

const sharedSums = createSums(sharedCapacity)
const sharedDeviations = createDeviations(sharedCapacity)
/** Of an aggregator that exists while another one has the shared accumulators. */
const ownCapacity = 512

/** Whether an aggregator that is not released has the shared accumulators. */
let isSharedTaken = false

/**
 * The caller releases an aggregator when it has read the values, also after an error: until then
 * others of the thread have accumulators of their own, which are slower.
 */
export class GroupAggregator {
  /** Indexes below this one have been added to or skipped. */
  length = 0
  private readonly aggregation: Aggregation
  private sums = sharedSums
  private deviations = sharedDeviations
  private readonly hasShared = !isSharedTaken
  private isReleased = false

  constructor(aggregation: Aggregation) {
    this.aggregation = aggregation
    if (this.hasShared) isSharedTaken = true
    else if (aggregation === "stddev") this.deviations = createDeviations(ownCapacity)
    else this.sums = createSums(ownCapacity)
  }

  /** Frees the shared accumulators, and with them the values, for the next aggregator. */
  release(): void {
    if (this.hasShared && !this.isReleased) isSharedTaken = false
    this.isReleased = true
  }

  /** Adds `values[i]` to index `indexes[i]`. */
  add(indexes: Int32Array, values: Float64Array): void {
    assert(indexes.length === values.length, "Expected an index for each value")
    let last = -1
    for (let i = 0; i < indexes.length; i++) if (indexes[i]! > last) last = indexes[i]!
    this.extendTo(last + 1)
    if (this.aggregation === "stddev") this.deviations.add(indexes, values)
    else this.sums.add(indexes, values)
  }

  /** Adds `values[i]` to index `first + i`. */
  addRun(first: number, values: Float64Array): void {
    assert(first >= 0, "Expected an index that is not negative")
    if (this.aggregation === "stddev") {
      const indexes = Int32Array.from(values, (_, i) => first + i)
      return this.add(indexes, values)
    }
    this.extendTo(first + values.length)
    this.sums.addRun(first, values)
  }

  has(index: number): boolean {
    return this.accumulators.counts[index]! > 0
  }

  /** Returns the aggregate of an index that has at least one value. */
  value(index: number): number {
    const { counts, mins, maxs } = this.sums
    switch (this.aggregation) {
      case "cnt":
        return counts[index]!
      case "sum":
        return this.sum(index)
      case "min":
        return mins[index]!
      case "max":
        return maxs[index]!
      case "avg":
        return clampedAverage(this.sum(index), counts[index]!, mins[index]!, maxs[index]!)
      case "stddev":
        return stddevOf(clampM2(this.deviations.m2s[index]!), this.deviations.counts[index]!)
    }
  }

  private sum(index: number): number {
    const { sums, errors } = this.sums
    const total = sums[index]! + errors[index]!
    return clampToFinite(Number.isNaN(total) ? sums[index]! : total)
  }

  /** The accumulators that this aggregation uses. */
  private get accumulators() {
    return this.aggregation === "stddev" ? this.deviations : this.sums
  }

  private extendTo(length: number): void {
    assert(!this.isReleased, "Expected an aggregator that is not released")
    const { capacity } = this.accumulators
    if (length <= this.length) return
    if (length > capacity) this.grow(Math.max(length, 2 * capacity))
    this.accumulators.clear(this.length, length)
    this.length = length
  }

  private grow(capacity: number): void {
    const { columns } = this.accumulators
    if (this.aggregation === "stddev") this.deviations = createDeviations(capacity)
    else this.sums = createSums(capacity)
    for (const [i, column] of this.accumulators.columns.entries()) {
      column.set(columns[i]!.subarray(0, this.length))
    }
  }
}

/** An m2 that overflowed is clamped to the largest double. */
function clampM2(m2: number): number {
  return m2 <= Number.MAX_VALUE ? m2 : Number.MAX_VALUE
}
