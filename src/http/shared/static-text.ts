/** Static text: compressed once per coding instead of once per request. */

import { promisify } from "node:util"
import { brotliCompress, gzip } from "node:zlib"
import type { ResponseCoding } from "./send.ts"

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) }

export class StaticText {
  private readonly text: () => string
  private plain: Buffer | null = null
  private readonly coded = new Map<ResponseCoding, Promise<Buffer>>()

  /** `text` is called once, at the first request. */
  constructor(text: () => string) {
    this.text = text
  }

  get bytes(): Buffer {
    this.plain ??= Buffer.from(this.text())
    return this.plain
  }

  /** The text in a coding, or uncompressed for null; libuv's threads compress it. */
  encodedAs(coding: ResponseCoding | null): Promise<Buffer> | Buffer {
    if (coding === null) return this.bytes
    let bytes = this.coded.get(coding)
    if (bytes === undefined) this.coded.set(coding, (bytes = compressors[coding](this.bytes)))
    return bytes
  }
}
