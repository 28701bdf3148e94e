/** Folders for stores of tests: in memory if the machine can, since each test syncs often. */

import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const inMemory = "/dev/shm"

/** Parent folder of the tests' folders. */
export const folderPlace = existsSync(inMemory) ? inMemory : tmpdir()

/** A new empty folder; the caller removes it. */
export function makeFolder(name = "tidegauge"): string {
  return mkdtempSync(join(folderPlace, `${name}-`))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
