/** A growing column of 32-bit integers; unset entries are -1. */
export class IntColumn {
  data = new Int32Array(1024).fill(-1)

  get(index: number): number {
    return index < this.data.length ? this.data[index]! : -1
  }

  set(index: number, value: number): void {
    this.reserve(index + 1)
    this.data[index] = value
  }

  /** Grows to at least `length` entries; may replace `data`. */
  reserve(length: number): void {
    if (length <= this.data.length) return
    // By a quarter, not twice: a column of a million entries must not have a million spare ones.
    const larger = new Int32Array(Math.max(length, Math.ceil(this.data.length * 1.25))).fill(-1)
    larger.set(this.data)
    this.data = larger
  }
}
