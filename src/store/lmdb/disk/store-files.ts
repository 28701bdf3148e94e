/** Names of the files in a store's folder. store/format describes their content. */

import { readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { syncPath } from "./wal-file-system.ts"

export const dataFile = "data.mdb"
export const lockFile = "lock.mdb"

/** Names of the WAL segments, in no particular order. */
export function walFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^journal-\d+$/.test(name))
}

/** Moves files of a store into or out of a sub-folder; durable on return. */
export function moveFiles(names: readonly string[], from: string, to: string): void {
  for (const name of names) renameSync(join(from, name), join(to, name))
  syncPath(to)
  syncPath(from)
}
