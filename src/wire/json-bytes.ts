/**
 * JSON bytes: a long answer is written as UTF-8 in one pass, without a string for each number or
 * row. An answer of 1,000 metrics then costs little more than the digits of its numbers.
 */

import { assert } from "../base/assert.ts"
import { numberBytesMax, writeNumber, writeNumbers } from "./json-numbers.ts"

/** Short texts are joined before they are encoded, which costs as much for 20 of them as for one. */
const joinedCharactersMax = 8_192
const utf8BytesPerUnit = 3
/** Numbers for which space is made together. */
const numbersPerStep = 4_096
const [open, close] = [0x5b, 0x5d]

const firstBytes = 16 * 1024
/** Memory that a thread keeps for its next text; a text of 5,000,000 numbers takes 60 MB. */
const keptBytesMax = 1024 ** 2
let kept: Uint8Array | null = null

/** Up to this many bytes a loop is faster than `set` of a subarray, which takes 35 ns. */
const loopBytesMax = 32

const encoder = new TextEncoder()

/** A text in UTF-8. `JsonBytes.bytes` copies one that is printed often faster than `ascii`. */
export function jsonBytesOf(json: string): Uint8Array {
  return encoder.encode(json)
}

/**
 * @example
 * const out = new JsonBytes()
 * out.ascii('{"values":')
 * out.numbers(Float64Array.of(1, -0.25, NaN))
 * out.text(`,"unit":${JSON.stringify("µs")}}`)
 * const text = new TextDecoder().decode(out.end())
 * assert.equal(text, '{"values":[1,-0.25,null],"unit":"µs"}')
 */
export class JsonBytes {
  private memory: Uint8Array
  private used = 0
  /** Text that is not encoded yet. */
  private waiting = ""

  constructor() {
    this.memory = kept ?? new Uint8Array(firstBytes)
    kept = null
  }

  /** As `byteLength`, or fewer: of text that is not encoded yet, its characters. */
  get byteLengthMin(): number {
    return this.used + this.waiting.length
  }

  /** Bytes since the last `take`. */
  get byteLength(): number {
    this.encodeWaiting()
    return this.used
  }

  /** Any text that is JSON already. */
  text(json: string): void {
    this.waiting += json
    if (this.waiting.length > joinedCharactersMax) this.encodeWaiting()
  }

  /** A short text of ASCII characters that is JSON already, or a part of it. */
  ascii(json: string): void {
    const { memory, used } = this.spaceFor(json.length)
    for (let i = 0; i < json.length; i++) memory[used + i] = json.charCodeAt(i)
    this.used = used + json.length
  }

  /** Bytes that are JSON already: those of `from` between two indexes. */
  bytes(from: Uint8Array, start = 0, end = from.length): void {
    const length = end - start
    const { memory, used } = this.spaceFor(length)
    if (length > loopBytesMax) memory.set(from.subarray(start, end), used)
    else for (let i = 0; i < length; i++) memory[used + i] = from[start + i]!
    this.used = used + length
  }

  /** A number; `null` if JSON cannot represent it. */
  number(value: number): void {
    const { memory, used } = this.spaceFor(numberBytesMax)
    this.used = writeNumber(memory, used, value)
  }

  /** An array of numbers, as `JSON.stringify` prints it. */
  numbers(values: Float64Array): void {
    this.byte(open)
    for (let from = 0; from < values.length; from += numbersPerStep) {
      const to = Math.min(from + numbersPerStep, values.length)
      const { memory, used } = this.spaceFor((to - from) * (numberBytesMax + 1))
      this.used = writeNumbers(memory, used, values, { from, to })
      assert(this.used <= memory.length, "Expected space for every number")
    }
    this.byte(close)
  }

  /** Takes what was written so far: bytes of a buffer of their own. */
  take(): Uint8Array {
    this.encodeWaiting()
    const taken = Buffer.allocUnsafeSlow(this.used)
    taken.set(this.memory.subarray(0, this.used))
    this.used = 0
    return taken
  }

  /** Takes the rest; nothing is written afterwards. */
  end(): Uint8Array {
    const rest = this.take()
    if (this.memory.length <= keptBytesMax) kept = this.memory
    this.memory = new Uint8Array(0)
    return rest
  }

  private byte(value: number): void {
    const { memory, used } = this.spaceFor(1)
    memory[used] = value
    this.used = used + 1
  }

  private encodeWaiting(): void {
    const { waiting } = this
    if (waiting === "") return
    this.waiting = ""
    const { memory, used } = this.spaceFor(waiting.length * utf8BytesPerUnit)
    const { read, written } = encoder.encodeInto(waiting, memory.subarray(used))
    assert(read === waiting.length, "Expected space for the text")
    this.used = used + written
  }

  /** Space for `bytes` from index `used` of `memory` on. */
  private spaceFor(bytes: number): { readonly memory: Uint8Array; readonly used: number } {
    if (this.waiting !== "") this.encodeWaiting()
    const needed = this.used + bytes
    if (needed > this.memory.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.memory.length))
      larger.set(this.memory.subarray(0, this.used))
      this.memory = larger
    }
    return { memory: this.memory, used: this.used }
  }
}
