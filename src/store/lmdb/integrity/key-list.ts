/**
 * Many keys of equal length, in order, in one buffer: a start compares two million of them. They
 * are compared byte by byte in JavaScript, because a native call costs more than nine bytes do.
 */

import { assert } from "../../../base/assert.ts"

export class KeyList {
  readonly keyBytes: number
  count = 0
  private bytes = new Uint8Array(0)

  constructor(keyBytes: number) {
    this.keyBytes = keyBytes
  }

  push(key: Uint8Array): void {
    const at = this.count * this.keyBytes
    if (at + this.keyBytes > this.bytes.length) {
      const larger = new Uint8Array(Math.max(1024 * this.keyBytes, 2 * this.bytes.length))
      larger.set(this.bytes)
      this.bytes = larger
    }
    for (let i = 0; i < this.keyBytes; i++) this.bytes[at + i] = key[i]!
    this.count++
  }

  /** Returns a view of one key. */
  at(index: number): Buffer {
    return Buffer.from(this.bytes.buffer, index * this.keyBytes, this.keyBytes)
  }

  /** Returns a big-endian number in a key. */
  u32(index: number, offset: number): number {
    const { bytes } = this
    const at = index * this.keyBytes + offset
    const low = (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    return bytes[at]! * 2 ** 24 + low
  }

  /** Yields the keys that are not in `other`; both lists are ascending. */
  *without(other: KeyList): Generator<Buffer> {
    assert(this.keyBytes === other.keyBytes, "Expected keys of equal length")
    let o = 0
    for (let i = 0; i < this.count; i++) {
      while (o < other.count && compareAt(other, o, this, i) < 0) o++
      if (o === other.count || compareAt(other, o, this, i) !== 0) yield this.at(i)
    }
  }

  /** Compares a key of one list with a key of another. */
  static compare(left: KeyList, l: number, right: KeyList, r: number): number {
    const { keyBytes } = left
    for (let i = 0; i < keyBytes; i++) {
      const difference = left.bytes[l * keyBytes + i]! - right.bytes[r * keyBytes + i]!
      if (difference !== 0) return difference
    }
    return 0
  }
}

const compareAt = KeyList.compare

/** Compares keys in the order of LMDB: by bytes; a prefix comes first. */
export function compareKeys(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    if (left[i] !== right[i]) return left[i]! - right[i]!
  }
  return left.length - right.length
}
