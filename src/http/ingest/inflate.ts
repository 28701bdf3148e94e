/** Inflate: decompression streams. They buffer no body; the collector of their output limits it. */

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
 * Each chunk of output costs a turn of the event loop, and turns are long under overload. With
 * zlib's 16 KiB a body of 1 MB needs 64 turns.
 */
const output = { chunkSize: 64 * 1024 }

/** A stream from compressed to plain bytes; emits `error` if the data is corrupt or incomplete. */
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

/** Low half of the first byte of a zlib header; no encoder starts a raw deflate stream with it. */
const zlibMethod = 8

/**
 * "deflate" means zlib in the standard and raw deflate for some clients; the first byte decides.
 * Output is pushed as it arrives, and the next input waits for the inner stream, so that
 * backpressure works.
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
