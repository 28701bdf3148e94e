/** A growing column of 32-bit integers; `-1` marks what was never set. */
export class IntColumn {
  data = new Int32Array(1024).fill(-1)

  get(index: number): number {
    return index < this.data.length ? this.data[index]! : -1
  }

  set(index: number, value: number): void {
    if (index >= this.data.length) this.reserve(index + 1)
    this.data[index] = value
  }

  private reserve(length: number): void {
    // A quarter more, not twice: a column of a million entries shall not hold a million spare ones.
    const larger = new Int32Array(Math.max(length, Math.ceil(this.data.length * 1.25))).fill(-1)
    larger.set(this.data)
    this.data = larger
  }
}
