/** The checksum of a whole file, read piece by piece. */

import { closeSync, openSync, readSync } from "node:fs"
import { crc32 } from "node:zlib"

const pieceBytes = 1024 * 1024

export function fileChecksum(path: string): number {
  const file = openSync(path, "r")
  try {
    const piece = Buffer.allocUnsafe(pieceBytes)
    let checksum = 0
    for (;;) {
      const read = readSync(file, piece, 0, pieceBytes, null)
      if (read === 0) return checksum
      checksum = crc32(piece.subarray(0, read), checksum)
    }
  } finally {
    closeSync(file)
  }
}
