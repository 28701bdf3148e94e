/**
 * Inflate: decompressing streams. The collector of the output bounds it; nothing here buffers a
 * body.
 */

import { Transform } from "node:stream"
import type { TransformCallback } from "node:stream"
import {
  createBrotliDecompress,
  createGunzip,
  createInflate as createZlib,
  createInflateRaw,
} from "node:zlib"
import type { RequestCoding } from "./ingest-request.ts"

/**
 * Each piece of output costs a turn of the event loop, and under overload a turn is long: with
 * zlib's 16 KiB, a body of 1 MB needed 64 of them.
 */
const output = { chunkSize: 64 * 1024 }

/**
 * A stream from compressed to plain bytes; emits `error` where the data is broken or ends too
 * early.
 */
export function createInflate(coding: RequestCoding): Transform {
  switch (coding) {
    case "gzip":
      return createGunzip(output)
    case "br":
      return createBrotliDecompress(output)
    case "deflate":
      return new EitherDeflate()
  }
}

/**
 * The low half of a zlib header's first byte; a raw deflate stream that begins so is not made by
 * anyone.
 */
const zlibMethod = 8

/**
 * "deflate" is zlib by the standard and raw deflate by habit of some clients; the first byte tells
 * which. Output is pushed as it comes and the next input waits for the inner stream, so
 * back-pressure holds.
 */
class EitherDeflate extends Transform {
  private inner: Transform | null = null

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.inner ??= this.open(chunk)
    this.inner.write(chunk, () => callback())
  }

  override _flush(callback: TransformCallback): void {
    // An empty body inflates to an empty one; the parser refuses it.
    if (this.inner === null) return callback()
    this.inner.once("end", () => callback())
    this.inner.end()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.inner?.destroy()
    callback(error)
  }

  private open(first: Buffer): Transform {
    const isZlib = (first[0]! & 0x0f) === zlibMethod
    const inner = isZlib ? createZlib(output) : createInflateRaw(output)
    inner.on("data", (chunk: Buffer) => this.push(chunk))
    inner.on("error", (error) => this.destroy(error))
    return inner
  }
}
