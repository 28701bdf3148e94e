/** The list of free pages, a separate tree in `data.mdb` with one entry per transaction. */

import { CorruptError } from "../../../codec/corrupt-error.ts"
import { readU64 } from "./page-file.ts"

/**
 * Yields the pages of one entry of the free list: a count, then page numbers; a negative number -n
 * precedes the first of n consecutive pages; zeros are ignored. Throws CorruptError at a page after
 * the last one, so that a damaged count does not produce a huge range.
 */
export function* freePages(bytes: Buffer, lastPage: number): Generator<number> {
  const count = bytes.length < 8 ? 0 : readU64(bytes, 0)
  if (8 * (count + 1) > bytes.length) throw new CorruptError(`free list of ${count} pages`)
  for (let i = 1; i <= count; i++) {
    const many = -Number(bytes.readBigInt64LE(8 * i))
    if (many === 0) continue
    const first = many < 0 ? -many : i < count ? readU64(bytes, 8 * ++i) : 0
    const end = first + Math.max(many, 1)
    if (end > lastPage + 1) throw new CorruptError(`pages ${first} to ${end - 1} listed as free`)
    for (let page = first; page < end; page++) yield page
  }
}

/** Compares keys of the free list, which are transaction numbers. */
export function compareU64(left: Buffer, right: Buffer): number {
  return readU64(left, 0) - readU64(right, 0)
}
