/** Many keys of one length, in order, in one piece of memory; a million of them are 8 MB. */

export class KeyList {
  readonly keyBytes: number
  count = 0
  private bytes = Buffer.alloc(0)

  constructor(keyBytes: number) {
    this.keyBytes = keyBytes
  }

  push(key: Buffer): void {
    const at = this.count * this.keyBytes
    if (at + this.keyBytes > this.bytes.length) {
      const larger = Buffer.alloc(Math.max(1024 * this.keyBytes, 2 * this.bytes.length))
      this.bytes.copy(larger)
      this.bytes = larger
    }
    key.copy(this.bytes, at, 0, this.keyBytes)
    this.count++
  }

  /** A view on one key. */
  at(index: number): Buffer {
    return this.bytes.subarray(index * this.keyBytes, (index + 1) * this.keyBytes)
  }

  /** The keys that are not in `other`; both lists ascend. */
  *without(other: KeyList): Generator<Buffer> {
    let o = 0
    for (let i = 0; i < this.count; i++) {
      const key = this.at(i)
      while (o < other.count && Buffer.compare(other.at(o), key) < 0) o++
      if (o === other.count || Buffer.compare(other.at(o), key) !== 0) yield key
    }
  }
}
