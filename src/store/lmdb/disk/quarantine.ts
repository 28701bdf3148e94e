/** Quarantine: where files and values that cannot be read are kept, for whoever knows more. */

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { moveFiles } from "./store-files.ts"

export class Quarantine {
  /** Inside the store's folder; made when the first thing is put there. */
  readonly path: string
  private readonly folder: string

  constructor(folder: string, nowMs: number) {
    this.folder = folder
    const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, "-")
    this.path = join(folder, `quarantine-${stamp}`)
  }

  /** Moves files of the store there. */
  addFiles(names: readonly string[]): void {
    if (names.length === 0) return
    mkdirSync(this.path, { recursive: true, mode: 0o700 })
    moveFiles(names, this.folder, this.path)
  }

  /** Keeps a copy of a value, which the caller removes from its table. */
  addValue(table: string, key: Uint8Array, value: Uint8Array): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 })
    const name = `${table}-${Buffer.from(key).toString("hex")}`
    writeFileSync(join(this.path, name), value, { mode: 0o600 })
  }
}
