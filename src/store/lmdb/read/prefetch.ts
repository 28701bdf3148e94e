/**
 * Read-ahead: the end of the store's file, read once from its disk so that the system has it in
 * memory. A question touches the pages of its answer one after the other, and waits for the disk at
 * each: the values of one series over two weeks stand in a hundred places.
 */

import { open } from "node:fs/promises"
import { join } from "node:path"
import { dataFile } from "../disk/store-files.ts"

/** A disk reads more in one piece no faster, and others that need it wait no longer than this. */
const pieceBytes = 1024 * 1024

/**
 * Reads the last `bytesMax` bytes, where the newest samples stand unless pages that were free took
 * them; yields after each piece how many it was. Throws what the file system throws.
 */
export async function* prefetchLmdb(folder: string, bytesMax: number): AsyncGenerator<number> {
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
