/** A growing column of 32-bit integers; `-1` marks what was never set. */
export class IntColumn {
  data = new Int32Array(1024).fill(-1)

  get(index: number): number {
    return index < this.data.length ? this.data[index]! : -1
  }

  set(index: number, value: number): void {
    this.reserve(index + 1)
    this.data[index] = value
  }

  /** Makes room for so many entries; `data` may be another array then. */
  reserve(length: number): void {
    if (length <= this.data.length) return
    // A quarter more, not twice: a column of a million entries shall not hold a million spare ones.
    const larger = new Int32Array(Math.max(length, Math.ceil(this.data.length * 1.25))).fill(-1)
    larger.set(this.data)
    this.data = larger
  }
}
