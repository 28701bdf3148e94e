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
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

const engine = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly

/** The calls of assembly/encode.ts. */
interface EncoderExports {
  /** Not 0 if the memory has room for streams of `count` values. */
  reserve(count: number): number
  inputAt(): number
  outputAt(): number
  valueStream(count: number): number
  integerStream(count: number, tag: number): number
}

/** Values of a stream; a longer one has an encoder of its own. Pages are taken when written to. */
const capacityKept = 65_536
/** Memory for a value in all arrays, and for the rest (assembly/memory.ts), at most. */
const memoryPerValue = 64
const memoryBesides = 32_768
const bytesPerPage = 65_536

/**
 * Its memory never grows: growing detaches the buffer before it, and from the first detached buffer
 * on Node 20 and 22 check at each access to any typed array of the thread whether it is detached,
 * which makes loops over them take 1.25 to 1.65 times as long. Compiled code that relies on that is
 * discarded, too, by Node 26 as well.
 */
class Encoder {
  private readonly wasm: EncoderExports
  private readonly input: Float64Array
  private readonly output: Uint8Array

  constructor(capacity: number) {
    code ??= new engine.Module(Buffer.from(encoderCode, "base64"))
    const bytes = capacity * memoryPerValue + memoryBesides
    const memory = new engine.Memory({ initial: Math.ceil(bytes / bytesPerPage) })
    this.wasm = new engine.Instance(code, { env: { memory } }).exports as EncoderExports
    assert(this.wasm.reserve(capacity) !== 0, "Expected room for all arrays of the encoder")
    this.input = new Float64Array(memory.buffer, this.wasm.inputAt(), capacity)
    this.output = new Uint8Array(memory.buffer, this.wasm.outputAt())
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
    const { input } = this
    for (let i = 0; i < count; i++) input[i] = values[i]!
  }

  private give(writer: ByteWriter, bytes: number): void {
    writer.append(this.output, bytes)
  }
}

/** Of this thread: made for its first stream, since most threads write none. */
let code: object | null = null
let keptEncoder: Encoder | null = null

function encoderFor(count: number): Encoder {
  return count > capacityKept ? new Encoder(count) : (keptEncoder ??= new Encoder(capacityKept))
}

/** Appends `values[0..count)` as a value stream; at least one. */
export function appendValues(writer: ByteWriter, values: Float64Array, count: number): void {
  encoderFor(count).values(writer, values, count)
}

/** Appends safe integers as an integer stream; at least one. Throws for other numbers. */
export function appendIntegers(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  tag: number,
): void {
  encoderFor(count).integers(writer, values, count, tag)
}
