/**
 * Sample run: raw samples of the series of one block in one window, in canonical order: by slot,
 * then time, then value, then the fields of an aggregate (plain values first). Equal samples are
 * adjacent. It is what a flush merges into and what is compressed.
 *
 *   slotStart   0        3      3           8
 *   timesMs     t t t    │      t t t t t
 *   values      v v v    │      v v v v v
 *               slot 0   slot 1 slot 2
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import { fieldCount } from "../../../model/sample-batch.ts"
import type { SlotIndex } from "../disk/tables.ts"

/** 20 MB: six hours of one block with a sample every five seconds. */
const keptSamplesMax = 1024 * 1024

/** Client-made aggregates: masks, and six fields each (model/sample-batch.ts). */
export interface AggregateColumns {
  readonly aggregateMasks: Uint8Array
  readonly aggregateFields: Float64Array
}

export class SampleRun {
  /** Number of slots that were ended; `slotStart` has one entry more. */
  slotCount = 0
  readonly slotStart = new Int32Array(seriesPerBlock + 1)

  count = 0
  timesMs: Float64Array
  values: Float64Array
  /** Index of the aggregate of each sample; -1 for a plain value. */
  aggregates: Int32Array

  aggregateCount = 0
  aggregateMasks = new Uint8Array(16)
  aggregateFields = new Float64Array(16 * fieldCount)

  /** Creates empty columns with space for `capacity` samples; they grow as needed. */
  constructor(capacity = 256) {
    const size = Math.max(1, capacity)
    this.timesMs = new Float64Array(size)
    this.values = new Float64Array(size)
    this.aggregates = new Int32Array(size)
  }

  /** Empties the columns and keeps their memory. */
  reset(): void {
    this.slotCount = 0
    this.count = 0
    this.aggregateCount = 0
  }

  /** Empties the columns and releases exceptionally large memory. */
  shrink(): void {
    this.reset()
    if (this.timesMs.length <= keptSamplesMax) return
    this.timesMs = new Float64Array(1)
    this.values = new Float64Array(1)
    this.aggregates = new Int32Array(1)
  }

  /** Ends the next slot: its samples are those pushed since the last call. */
  endSlot(): void {
    assert(this.slotCount < seriesPerBlock, "Expected at most one slot a series")
    this.slotCount++
    this.slotStart[this.slotCount] = this.count
  }

  /**
   * Ends the slots up to `slots`: the last one has what was pushed since, the others are empty.
   */
  endSlots(slots: number): void {
    assert(slots <= seriesPerBlock, "Expected at most one slot a series")
    const end = this.slotStart[this.slotCount]!
    while (this.slotCount < slots - 1) this.slotStart[++this.slotCount] = end
    if (this.slotCount < slots) this.endSlot()
  }

  /** Start and end of the samples of a slot; a slot that was never ended has none. */
  slotFrom(slot: SlotIndex): number {
    return slot < this.slotCount ? this.slotStart[slot]! : 0
  }
  slotTo(slot: SlotIndex): number {
    return slot < this.slotCount ? this.slotStart[slot + 1]! : 0
  }

  push(timeMs: number, value: number): void {
    if (this.count === this.timesMs.length) this.reserve(this.count + 1)
    this.timesMs[this.count] = timeMs
    this.values[this.count] = value
    this.aggregates[this.count] = -1
    this.count++
  }

  /** Appends plain samples: those at `order[from..to)` of the source columns. */
  pushPlain(
    source: { readonly timesMs: Float64Array; readonly values: Float64Array },
    order: Int32Array,
    from: number,
    to: number,
  ): void {
    this.reserve(this.count + to - from)
    const { timesMs, values, aggregates } = this
    let count = this.count
    for (let i = from; i < to; i++, count++) {
      const at = order[i]!
      timesMs[count] = source.timesMs[at]!
      values[count] = source.values[at]!
      aggregates[count] = -1
    }
    this.count = count
  }

  /** Appends a sample with the aggregate at `entry` of `source`. */
  pushAggregate(timeMs: number, value: number, source: AggregateColumns, entry: number): void {
    this.push(timeMs, value)
    this.copyAggregate(this.count - 1, source, entry)
  }

  /** Copies an aggregate to sample `i`, which must follow all samples that have one. */
  copyAggregate(i: number, { aggregateMasks, aggregateFields }: AggregateColumns, entry: number) {
    const to = this.nextAggregate(i, aggregateMasks[entry]!) * fieldCount
    const own = this.aggregateFields
    const from = entry * fieldCount
    for (let f = 0; f < fieldCount; f++) own[to + f] = aggregateFields[from + f]!
  }

  /**
   * Adds an aggregate with all fields 0 to sample `i`, which must follow all samples that have one.
   * Returns the aggregate's index.
   */
  addAggregate(i: number, mask: number): number {
    const at = this.nextAggregate(i, mask)
    this.aggregateFields.fill(0, at * fieldCount, (at + 1) * fieldCount)
    return at
  }

  private nextAggregate(i: number, mask: number): number {
    if (this.aggregateCount === this.aggregateMasks.length) this.growAggregates()
    const at = this.aggregateCount++
    this.aggregates[i] = at
    this.aggregateMasks[at] = mask
    return at
  }

  /** Appends samples `[from, to)` of other columns. */
  append(source: SampleRun, from: number, to: number): void {
    const length = to - from
    if (length === 0) return
    this.reserve(this.count + length)
    if (source.aggregateCount > 0) {
      for (let i = from; i < to; i++) this.appendOne(source, i)
      return
    }
    // A loop is faster than `set` of a subarray for the five to sixty samples of an ordinary
    // bucket.
    for (let i = from, at = this.count; i < to; i++, at++) {
      this.timesMs[at] = source.timesMs[i]!
      this.values[at] = source.values[i]!
      this.aggregates[at] = -1
    }
    this.count += length
  }

  appendOne(source: SampleRun, i: number): void {
    const entry = source.aggregates[i]!
    if (entry < 0) this.push(source.timesMs[i]!, source.values[i]!)
    else this.pushAggregate(source.timesMs[i]!, source.values[i]!, source, entry)
  }

  /** A copy in columns of exactly the size needed. */
  copy(): SampleRun {
    const { count, slotCount, aggregateCount } = this
    const copy = new SampleRun(count)
    copy.timesMs.set(this.timesMs.subarray(0, count))
    copy.values.set(this.values.subarray(0, count))
    copy.aggregates.set(this.aggregates.subarray(0, count))
    copy.slotStart.set(this.slotStart)
    if (aggregateCount > 0) {
      copy.aggregateMasks = this.aggregateMasks.slice(0, aggregateCount)
      copy.aggregateFields = this.aggregateFields.slice(0, aggregateCount * fieldCount)
    }
    return Object.assign(copy, { count, slotCount, aggregateCount })
  }

  /** Index of the first sample in `[from, to)` at or after `timeMs`; `to` if there is none. */
  lowerBound(timeMs: number, from: number, to: number): number {
    let low = from
    let high = to
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.timesMs[middle]! < timeMs) low = middle + 1
      else high = middle
    }
    return low
  }

  reserve(length: number): void {
    if (length <= this.timesMs.length) return
    const size = Math.max(length, 2 * this.timesMs.length)
    const timesMs = new Float64Array(size)
    const values = new Float64Array(size)
    const aggregates = new Int32Array(size)
    timesMs.set(this.timesMs)
    values.set(this.values)
    aggregates.set(this.aggregates)
    this.timesMs = timesMs
    this.values = values
    this.aggregates = aggregates
  }

  private growAggregates(): void {
    const aggregateMasks = new Uint8Array(this.aggregateMasks.length * 2)
    const aggregateFields = new Float64Array(this.aggregateFields.length * 2)
    aggregateMasks.set(this.aggregateMasks)
    aggregateFields.set(this.aggregateFields)
    this.aggregateMasks = aggregateMasks
    this.aggregateFields = aggregateFields
  }
}
