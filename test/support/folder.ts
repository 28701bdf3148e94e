/** Folders for stores of tests: in memory where the machine has a place for that, since each test syncs often. */

import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const inMemory = "/dev/shm"

/** A new empty folder; the caller removes it. */
export function makeFolder(name = "tidegauge"): string {
  return mkdtempSync(join(existsSync(inMemory) ? inMemory : tmpdir(), `${name}-`))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
