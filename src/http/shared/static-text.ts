/** A text that never changes, compressed once for each coding instead of at each request. */

import { promisify } from "node:util"
import { brotliCompress, gzip } from "node:zlib"
import type { ResponseCoding } from "./send.ts"

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) }

export class StaticText {
  private readonly text: () => string
  private plain: Buffer | null = null
  private readonly coded = new Map<ResponseCoding, Promise<Buffer>>()

  /** `text` is called once, when the text is first asked for. */
  constructor(text: () => string) {
    this.text = text
  }

  get bytes(): Buffer {
    this.plain ??= Buffer.from(this.text())
    return this.plain
  }

  /** In a coding, or as it is; compressed on a thread of libuv. */
  encodedAs(coding: ResponseCoding | null): Promise<Buffer> | Buffer {
    if (coding === null) return this.bytes
    let bytes = this.coded.get(coding)
    if (bytes === undefined) this.coded.set(coding, (bytes = compressors[coding](this.bytes)))
    return bytes
  }
}
