/** Quarantine: keeps unreadable files and values for later analysis. */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { moveFiles } from "./store-files.ts"
import { makeFolder } from "../../../base/make-folder.ts"

export class Quarantine {
  /** Inside the store's folder; created when the first item is added. */
  readonly path: string
  private readonly folder: string

  constructor(folder: string, nowMs: number) {
    this.folder = folder
    const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, "-")
    this.path = join(folder, `quarantine-${stamp}`)
  }

  /** Moves files of the store into the quarantine. */
  addFiles(names: readonly string[]): void {
    if (names.length === 0) return
    makeFolder(this.path)
    moveFiles(names, this.folder, this.path)
  }

  /** Adds a copy of a value; the caller removes the value from its table. */
  addValue(table: string, key: Uint8Array, value: Uint8Array): void {
    makeFolder(this.path)
    const name = `${table}-${Buffer.from(key).toString("hex")}`
    writeFileSync(join(this.path, name), value, { mode: 0o600 })
  }
}
