/**
 * Slots of buckets, counted from the first one. Most series have all buckets between their first
 * and their last: dividing for each was a sixth of the whole answer.
 */
export class BucketIndex {
  private readonly firstMs: number
  private readonly width: number

  constructor(firstMs: number, width: number) {
    this.firstMs = firstMs
    this.width = width
  }

  /** The slot of the first of these buckets, in time order; -1 where some between them lack. */
  firstOfRun(timesMs: Float64Array): number {
    const { length } = timesMs
    const first = this.indexOf(timesMs[0]!)
    return this.indexOf(timesMs[length - 1]!) - first === length - 1 ? first : -1
  }

  indexesOf(timesMs: Float64Array): Int32Array {
    return Int32Array.from(timesMs, (timeMs) => this.indexOf(timeMs))
  }

  private indexOf(timeMs: number): number {
    return (timeMs - this.firstMs) / this.width
  }
}
