/**
 * Contributions: what each raw sample adds to its bucket (spec/samples §4).
 *
 * A plain value is one observation. A sample that the client aggregated has any of six fields;
 * missing fields are derived from the others:
 *
 *     count   cnt, else 1
 *     sum     sum, else avg × cnt, else val × cnt, else (min + max) / 2 × cnt, else the lone × cnt
 *     mean    avg, else val, else sum / cnt, else (min + max) / 2, else the lone one
 *     min     min, else the mean               max     max, else the mean
 *
 * `val` together with the full set {min, max, avg, cnt, sum} is ignored. A lone `cnt` is that many
 * observations of 1. A count that is not above 0 contributes nothing. Every combination except a
 * lone `val` and the full set is partial: it gets no bands.
 */

import {
  fieldAvg,
  fieldCnt,
  fieldCount,
  fieldMax,
  fieldMin,
  fieldSum,
  fieldVal,
  findAggregate,
  type SampleBatch,
} from "../model/sample-batch.ts"
import { averageOf, clampToFinite } from "./sum.ts"

const valBit = 1 << fieldVal
const minBit = 1 << fieldMin
const maxBit = 1 << fieldMax
const avgBit = 1 << fieldAvg
const cntBit = 1 << fieldCnt
const sumBit = 1 << fieldSum
const fullSet = minBit | maxBit | avgBit | cntBit | sumBit

/** True if the fields are neither a lone `val` nor the full set of aggregates. */
export function isPartial(mask: number): boolean {
  return mask !== valBit && (mask & fullSet) !== fullSet
}

/**
 * Returns the value of a single sample: what a raw query shows and a digest takes. `fields` holds
 * six values per entry in the order of `sampleFields`; `at` is the entry. At least one bit of
 * `mask` is set. A sample of count 0 has its average, else its sum, else 0.
 */
export function sampleMean(mask: number, fields: ArrayLike<number>, at = 0): number {
  const start = at * fieldCount
  if (mask & avgBit) return fields[start + fieldAvg]!
  if (mask & cntBit && !(fields[start + fieldCnt]! > 0)) {
    return mask & sumBit ? fields[start + fieldSum]! : 0
  }
  if (mask & valBit) return fields[start + fieldVal]!
  if (mask & sumBit) return averageOf(fields[start + fieldSum]!, sampleCount(mask, fields, at))
  return middle(mask, fields, start)
}

/** Returns the number of observations in the sample; 0 if it contributes nothing. */
export function sampleCount(mask: number, fields: ArrayLike<number>, at = 0): number {
  if (!(mask & cntBit)) return 1
  const count = fields[at * fieldCount + fieldCnt]!
  return count > 0 ? count : 0
}

/** False for an aggregate without observations (`cnt` 0), which is no data. */
export function isObserved(batch: SampleBatch, sample: number): boolean {
  const entry = batch.aggregateCount > 0 ? findAggregate(batch, sample) : -1
  if (entry < 0) return true
  return sampleCount(batch.aggregateMasks[entry]!, batch.aggregateFields, entry) > 0
}

function sampleSum(mask: number, fields: ArrayLike<number>, at: number, count: number): number {
  const start = at * fieldCount
  if (mask & sumBit) return fields[start + fieldSum]!
  if (mask & avgBit) return clampToFinite(fields[start + fieldAvg]! * count)
  if (mask & valBit) return clampToFinite(fields[start + fieldVal]! * count)
  return clampToFinite(middle(mask, fields, start) * count)
}

/** Returns the midpoint of min and max, or the only one of them; 1 if only `cnt` was sent. */
function middle(mask: number, fields: ArrayLike<number>, start: number): number {
  const min = fields[start + fieldMin]!
  const max = fields[start + fieldMax]!
  if ((mask & (minBit | maxBit)) === (minBit | maxBit)) {
    const sum = min + max
    return Number.isFinite(sum) ? averageOf(sum, 2) : min / 2 + max / 2
  }
  if (mask & minBit) return min
  return mask & maxBit ? max : 1
}

/** Columns of the contributions of one bucket that have a count. */
class ObservedColumns {
  means = new Float64Array(64)
  counts = new Float64Array(64)
  sums = new Float64Array(64)
  /** Mean × count. */
  products = new Float64Array(64)

  reserve(length: number): void {
    if (length <= this.means.length) return
    this.means = new Float64Array(length * 2)
    this.counts = new Float64Array(length * 2)
    this.sums = new Float64Array(length * 2)
    this.products = new Float64Array(length * 2)
  }
}

/** The contributions of the samples of one or more buckets, column by column. Grows as needed. */
export class Contributions {
  length = 0
  mean = new Float64Array(64)
  /** Above 0, or 0 if the sample contributes nothing. */
  count = new Float64Array(64)
  sum = new Float64Array(64)
  min = new Float64Array(64)
  max = new Float64Array(64)
  /** 1 if the sample is a partial aggregate. */
  partial = new Uint8Array(64)
  /** Working memory of `computeWeightedCell`. */
  readonly observed = new ObservedColumns()

  /** Adds a sample that is a lone `val`. */
  pushValue(value: number): void {
    const at = this.next()
    this.mean[at] = value
    this.count[at] = 1
    this.sum[at] = value
    this.min[at] = value
    this.max[at] = value
    this.partial[at] = 0
  }

  /** Adds an aggregated sample; arguments as in `sampleMean`. */
  pushSample(mask: number, fields: ArrayLike<number>, entry = 0): void {
    const at = this.next()
    const start = entry * fieldCount
    const count = sampleCount(mask, fields, entry)
    const mean = sampleMean(mask, fields, entry)
    const min = mask & minBit ? fields[start + fieldMin]! : mean
    const max = mask & maxBit ? fields[start + fieldMax]! : mean
    this.mean[at] = mean
    this.count[at] = count
    this.sum[at] = sampleSum(mask, fields, entry, count)
    // A lone end may be beyond the mean that replaces the other one.
    this.min[at] = mask & minBit ? min : Math.min(min, max)
    this.max[at] = mask & maxBit ? max : Math.max(min, max)
    this.partial[at] = isPartial(mask) ? 1 : 0
  }

  /** Returns the mean of sample `at`, clamped to its [min, max]: the value for the digest. */
  digestMean(at: number): number {
    return Math.max(this.min[at]!, Math.min(this.max[at]!, this.mean[at]!))
  }

  clear(): void {
    this.length = 0
  }

  private next(): number {
    if (this.length === this.mean.length) this.grow()
    return this.length++
  }

  private grow(): void {
    this.mean = doubled(this.mean)
    this.count = doubled(this.count)
    this.sum = doubled(this.sum)
    this.min = doubled(this.min)
    this.max = doubled(this.max)
    const partial = new Uint8Array(this.partial.length * 2)
    partial.set(this.partial)
    this.partial = partial
  }
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2)
  larger.set(column)
  return larger
}
