/** A disk of a few MB that a test may fill: a tmpfs, if the system lets us mount one. */

import { spawnSync } from "node:child_process"
import { rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeFolder, removeFolder } from "./folder.ts"

export interface SmallDisk {
  readonly folder: string
  /** Fills the disk until `freeBytes` are left. */
  fillUpTo(freeBytes: number): void
  makeRoom(): void
  remove(): void
}

/** Null if mounting is not allowed. */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  const folder = makeFolder("tidegauge-disk")
  const mount = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder])
  if (mount.status !== 0) {
    removeFolder(folder)
    return null
  }
  const ballast = join(folder, "ballast")
  return {
    folder,
    fillUpTo: (freeBytes) => fill(folder, ballast, freeBytes),
    makeRoom: () => rmSync(ballast, { force: true }),
    remove: () => {
      spawnSync("umount", ["-l", folder])
      removeFolder(folder)
    },
  }
}

function fill(folder: string, ballast: string, freeBytes: number): void {
  writeFileSync(ballast, "")
  const { bavail, bsize } = statfsSync(folder)
  const bytes = bavail * bsize - freeBytes
  if (bytes <= 0) return
  try {
    writeFileSync(ballast, Buffer.alloc(bytes, 1))
  } catch (error) {
    // Another process took the last pages: full is full.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
    truncateSync(ballast, Math.floor(bytes / 4096) * 4096)
  }
}
