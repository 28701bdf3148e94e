/**
 * The encoder of streams, in WebAssembly: src/codec/assembly/, compiled into encoder-code.ts. It
 * takes 10 to 22 ns a value where JavaScript took 33 to 80 (Node 20, 288 values), mostly the passes
 * over 64 numbers that find the smallest layout of a group.
 */

import { assert } from "../base/assert.ts"
import type { ByteWriter } from "./bytes.ts"
import { encoderCode } from "./encoder-code.ts"

/** A part of the global WebAssembly; the types of neither Node nor the language have it. */
interface Engine {
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

const engine = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly

/** The calls of assembly/encode.ts. */
interface EncoderExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  reserve(count: number): void
  inputAt(): number
  outputAt(): number
  valueStream(count: number): number
  integerStream(count: number, tag: number): number
}

/** Of a stream; its memory, which never shrinks, is 60 bytes for each. */
const capacityMin = 2_048
/** Beyond it memory is given back after the stream: 4 MB. */
const capacityKeptMax = 65_536

class Encoder {
  private readonly wasm: EncoderExports
  private capacity = 0
  private input = new Float64Array(0)
  private output = new Uint8Array(0)

  constructor() {
    code ??= new engine.Module(Buffer.from(encoderCode, "base64"))
    this.wasm = new engine.Instance(code).exports as EncoderExports
  }

  values(writer: ByteWriter, values: Float64Array, count: number): void {
    this.take(values, count)
    this.give(writer, this.wasm.valueStream(count))
  }

  integers(writer: ByteWriter, values: Float64Array, count: number, tag: number): void {
    this.take(values, count)
    const bytes = this.wasm.integerStream(count, tag)
    assert(bytes > 0, "Expected safe integers")
    this.give(writer, bytes)
  }

  private take(values: Float64Array, count: number): void {
    if (count > this.capacity) this.grow(count)
    const { input } = this
    for (let i = 0; i < count; i++) input[i] = values[i]!
  }

  private grow(count: number): void {
    const { wasm } = this
    this.capacity = Math.max(2 * count, capacityMin)
    wasm.reserve(this.capacity)
    this.input = new Float64Array(wasm.memory.buffer, wasm.inputAt(), this.capacity)
    this.output = new Uint8Array(wasm.memory.buffer, wasm.outputAt())
  }

  private give(writer: ByteWriter, bytes: number): void {
    writer.append(this.output, bytes)
    if (this.capacity > capacityKeptMax) encoder = null
  }
}

/** Of this thread: made for its first stream, since most threads write none. */
let code: object | null = null
let encoder: Encoder | null = null

/** Appends `values[0..count)` as a value stream; at least one. */
export function appendValues(writer: ByteWriter, values: Float64Array, count: number): void {
  encoder ??= new Encoder()
  encoder.values(writer, values, count)
}

/** Appends safe integers as an integer stream; at least one. Throws for other numbers. */
export function appendIntegers(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  tag: number,
): void {
  encoder ??= new Encoder()
  encoder.integers(writer, values, count, tag)
}
