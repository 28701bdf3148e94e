/**
 * Sequential writer and reader of bytes, little endian.
 *
 * A varint holds seven bits a byte, lowest first, with the high bit set on every byte but the last:
 * 0..127 take one byte, 2^53 - 1 eight. A zigzag varint has the sign in the lowest bit.
 */

import { assert } from "../base/assert.ts"
import { CorruptError } from "./corrupt-error.ts"

/** Up to here a loop is faster than a call that copies. */
const loopBytesMax = 48

/** A buffer that grows. `bytes` and `view` change when it does: fetch them after `reserve`. */
export class ByteWriter {
  bytes: Uint8Array<ArrayBuffer>
  view: DataView<ArrayBuffer>
  position = 0

  constructor(capacityBytes = 1024) {
    this.bytes = new Uint8Array(Math.max(capacityBytes, 16))
    this.view = new DataView(this.bytes.buffer)
  }

  /** Ensures space for `count` more bytes. */
  reserve(count: number): void {
    const wanted = this.position + count
    if (wanted > this.bytes.length) this.grow(wanted)
  }

  u8(value: number): void {
    this.reserve(1)
    this.bytes[this.position++] = value
  }

  u32(value: number): void {
    this.reserve(4)
    this.view.setUint32(this.position, value, true)
    this.position += 4
  }

  f64(value: number): void {
    this.reserve(8)
    this.view.setFloat64(this.position, value, true)
    this.position += 8
  }

  /** A whole number in [0, 2^53). */
  varint(value: number): void {
    if (!(value >= 0 && Number.isSafeInteger(value))) refuse(value)
    this.reserve(8)
    let rest = value
    while (rest >= 0x80000000) {
      this.bytes[this.position++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    let low = rest | 0
    while (low >= 0x80) {
      this.bytes[this.position++] = (low & 0x7f) | 0x80
      low >>>= 7
    }
    this.bytes[this.position++] = low
  }

  /** A safe integer of either sign. */
  zigzag(value: number): void {
    if (!Number.isSafeInteger(value)) refuse(value)
    const negative = value < 0
    // Not 2 * value, which would exceed the safe integers.
    const magnitude = negative ? -value - 1 : value
    const rest = Math.floor(magnitude / 64)
    const low = ((magnitude - rest * 64) << 1) | (negative ? 1 : 0)
    if (rest === 0) {
      this.u8(low)
    } else {
      this.u8(low | 0x80)
      this.varint(rest)
    }
  }

  /** Appends the first `count` bytes of `source`. */
  append(source: Uint8Array, count = source.length): void {
    this.reserve(count)
    if (count <= loopBytesMax) {
      for (let i = 0; i < count; i++) this.bytes[this.position + i] = source[i]!
    } else {
      this.bytes.set(count < source.length ? source.subarray(0, count) : source, this.position)
    }
    this.position += count
  }

  /** Overwrites the four bytes written at `at`. */
  patchU32(at: number, value: number): void {
    assert(at + 4 <= this.position, `Expected a written position, got ${at} of ${this.position}`)
    this.view.setUint32(at, value, true)
  }

  /** A copy of everything written; the writer can continue or be reset. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.position)
  }

  /** Empties the writer and keeps its memory. */
  reset(): void {
    this.position = 0
  }

  private grow(wanted: number): void {
    const larger = new Uint8Array(Math.max(wanted, this.bytes.length * 2))
    larger.set(this.bytes.subarray(0, this.position))
    this.bytes = larger
    this.view = new DataView(larger.buffer)
  }
}

/** A read position in bytes. Reading past `end` throws CorruptError. */
export class ByteReader {
  bytes: Uint8Array
  view: DataView
  position: number
  end: number

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.position = start
    this.end = Math.min(end, bytes.length)
  }

  /** Throws CorruptError unless `count` bytes are left. */
  require(count: number): void {
    if (this.position + count > this.end) {
      throw new CorruptError(
        `Expected ${count} bytes at ${this.position}, only ${this.end - this.position} are left`,
      )
    }
  }

  u8(): number {
    this.require(1)
    return this.bytes[this.position++]!
  }

  u32(): number {
    this.require(4)
    this.position += 4
    return this.view.getUint32(this.position - 4, true)
  }

  f64(): number {
    this.require(8)
    this.position += 8
    return this.view.getFloat64(this.position - 8, true)
  }

  varint(): number {
    let byte = this.u8()
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let factor = 128
    do {
      byte = this.u8()
      value += (byte & 0x7f) * factor
      factor *= 128
    } while (byte >= 0x80 && factor <= 0x2000000000000)
    if (byte >= 0x80 || value > Number.MAX_SAFE_INTEGER) {
      throw new CorruptError(`Expected a varint below 2^53 before ${this.position}`)
    }
    return value
  }

  zigzag(): number {
    const first = this.u8()
    let magnitude = (first & 0x7f) >>> 1
    if (first >= 0x80) magnitude += this.varint() * 64
    if (magnitude > Number.MAX_SAFE_INTEGER) {
      throw new CorruptError(`Expected a safe integer before ${this.position}`)
    }
    const value = first & 1 ? -magnitude - 1 : magnitude
    if (!Number.isSafeInteger(value)) {
      throw new CorruptError(`Expected a safe integer before ${this.position}`)
    }
    return value
  }

  /** Skips the next `count` bytes. */
  skip(count: number): void {
    this.require(count)
    this.position += count
  }

  /** The next `count` bytes, as a view of the same memory. */
  take(count: number): Uint8Array {
    this.require(count)
    this.position += count
    return this.bytes.subarray(this.position - count, this.position)
  }
}

/** Separate, so that the message is not built for every number. */
function refuse(value: number): void {
  assert(false, `Expected a safe integer, for a varint one from 0 on, got ${value}`)
}
