/**
 * Slots of buckets, counted from the first one. Most series have all buckets of the span: theirs
 * are the same each time, and dividing for each was a sixth of the whole answer.
 */
export class BucketSlots {
  private readonly firstMs: number
  private readonly width: number
  private slots = new Int32Array(0)
  /** Whether `slots` are `slots[0]` and those that follow it. */
  private isRun = false

  constructor(firstMs: number, width: number) {
    this.firstMs = firstMs
    this.width = width
  }

  /** Of at least one bucket, in time order; valid until the next call. */
  of(timesMs: Float64Array): Int32Array {
    const { length } = timesMs
    const first = this.slotOf(timesMs[0]!)
    const isRun = this.slotOf(timesMs[length - 1]!) - first === length - 1
    if (isRun && this.isRun && this.slots[0] === first && this.slots.length === length) {
      return this.slots
    }
    const slots = new Int32Array(length)
    for (let i = 0; i < length; i++) slots[i] = this.slotOf(timesMs[i]!)
    this.isRun = isRun
    this.slots = slots
    return slots
  }

  private slotOf(timeMs: number): number {
    return (timeMs - this.firstMs) / this.width
  }
}
