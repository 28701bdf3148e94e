/** Free space and writability of the disk under a folder. */

import { closeSync, fsyncSync, openSync, statfsSync, unlinkSync, writeSync } from "node:fs"
import { join } from "node:path"
import { freeDiskShareDivisor } from "../base/limits.ts"
import type { Disk } from "./store-supervisor.ts"

/** Size of the test file: as much as one commit of background work. */
const trialBytes = 1024 * 1024

export function openDisk(folder: string): Disk {
  return {
    freeBytes() {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    },
    isWritable: () => canWriteFile(join(folder, "trial")),
  }
}

/** Returns the requested minimum of free bytes, or a twentieth of the disk if that is less. */
export function freeBytesMinOf(folder: string, askedBytes: number): number {
  const { blocks, bsize } = statfsSync(folder)
  return Math.min(askedBytes, (blocks * bsize) / freeDiskShareDivisor)
}

function canWriteFile(path: string): boolean {
  try {
    const file = openSync(path, "w", 0o600)
    try {
      const bytes = Buffer.alloc(trialBytes, 1)
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
      unlinkSync(path)
    }
    return true
  } catch {
    return false
  }
}
