/**
 * Page-cache prefetch: reads the end of the store's file, so that the operating system has it in
 * memory. A query touches its pages one after the other and waits for the disk at each: the values
 * of one series over two weeks are in a hundred places of the file.
 */

import { assert } from "../../../base/assert.ts"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { dataFile } from "../disk/store-files.ts"

/** Larger reads are not faster, and delay other reads of the disk. */
const pieceBytes = 1024 * 1024

/**
 * Reads the last `bytesMax` bytes, which hold the newest samples except those in reused pages.
 * Yields the size of each piece that was read. Throws errors of the file system.
 */
export async function* prefetchLmdb(folder: string, bytesMax: number): AsyncGenerator<number> {
  assert(bytesMax >= 0, "Expected a number of bytes")
  const file = await open(join(folder, dataFile), "r")
  try {
    const { size } = await file.stat()
    const piece = Buffer.allocUnsafe(pieceBytes)
    for (let at = Math.max(0, size - bytesMax); at < size;) {
      const { bytesRead } = await file.read(piece, 0, pieceBytes, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield bytesRead
    }
  } finally {
    await file.close()
  }
}
