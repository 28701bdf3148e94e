/** The checksum of a whole file, read in pieces. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { crc32 } from "node:zlib"
import { ignoreProgress, type OnProgress } from "../../../base/work-progress.ts"

const pieceBytes = 1024 * 1024

export function fileChecksum(path: string, onStep: OnProgress = ignoreProgress): number {
  const file = openSync(path, "r")
  try {
    const piece = Buffer.allocUnsafe(pieceBytes)
    const total = fstatSync(file).size
    let checksum = 0
    let done = 0
    for (;;) {
      const read = readSync(file, piece, 0, pieceBytes, null)
      if (read === 0) return checksum
      done += read
      onStep({ what: "reading the checksum", done, total, unit: "B" })
      checksum = crc32(piece.subarray(0, read), checksum)
    }
  } finally {
    closeSync(file)
  }
}
