/** File-system calls of the WAL, behind an interface so that tests can inject faults. */

import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  unlinkSync,
  writeSync,
  writevSync,
} from "node:fs"
import { dirname } from "node:path"

export interface WalFileSystem {
  /** Creates a file of `bytes` zeros, synced with its name. */
  create(path: string, bytes: number): void
  /** Opens a file for synced writes; the result identifies the file in the calls below. */
  open(path: string): number
  /**
   * Writes the parts one after the other; on return they are on disk. Returns the bytes written.
   */
  write(file: number, parts: readonly Uint8Array[], at: number): number
  close(file: number): void
  remove(path: string): void
}

/**
 * Fills new files in pieces: one buffer for a whole segment took 8 MiB of new memory each time.
 */
const zeros = Buffer.alloc(256 * 1024)

export const nodeFileSystem: WalFileSystem = {
  create(path, bytes) {
    const file = openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)
    try {
      for (let at = 0; at < bytes;)
        at += writeSync(file, zeros, 0, Math.min(bytes - at, zeros.length))
      fsyncSync(file)
    } catch (error) {
      unlinkSync(path)
      throw error
    } finally {
      closeSync(file)
    }
    syncPath(dirname(path))
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
