/** File-system calls of the WAL, behind an interface so that tests can inject faults. */

import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
  writevSync,
} from "node:fs"
import { dirname } from "node:path"

export interface WalFileSystem {
  /** Creates a file of these pieces, synced with its name; removes it again if that fails. */
  create(path: string, pieces: Iterable<Uint8Array>): void
  /** Renames a file inside its folder; durable on return. */
  rename(from: string, to: string): void
  /** Opens a file for synced writes; the result identifies the file in the calls below. */
  open(path: string): number
  /**
   * Writes the parts one after the other; on return they are on disk. Returns the bytes written.
   */
  write(file: number, parts: readonly Uint8Array[], at: number): number
  close(file: number): void
  remove(path: string): void
}

/** New files are filled in pieces: one buffer for a whole segment took 8 MiB of new memory. */
const zeroPiece = new Uint8Array(256 * 1024)

/** Yields this number of zero bytes. */
export function* zeroPieces(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= zeroPiece.length) yield zeroPiece.subarray(0, left)
}

export const nodeFileSystem: WalFileSystem = {
  create(path, pieces) {
    const file = openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)
    try {
      for (const piece of pieces) {
        for (let at = 0; at < piece.length;) at += writeSync(file, piece, at)
      }
      fsyncSync(file)
    } catch (error) {
      unlinkSync(path)
      throw error
    } finally {
      closeSync(file)
    }
    syncPath(dirname(path))
  },
  rename(from, to) {
    renameSync(from, to)
    syncPath(dirname(to))
  },
  open: (path) => openSync(path, constants.O_WRONLY | constants.O_DSYNC),
  write: (file, parts, at) => writevSync(file, parts, at),
  close: closeSync,
  remove: unlinkSync,
}

/** Syncs a file or a folder; syncing a folder makes the names in it durable. */
export function syncPath(path: string): void {
  const file = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
