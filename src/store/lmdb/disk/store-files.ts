/** The files of a store's folder, by name. FORMAT.md tells what is in them. */

import { readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { syncPath } from "./wal-file-system.ts"

export const dataFile = "data.mdb"
export const lockFile = "lock.mdb"

/** Names of the journal's segments, in no order that means anything. */
export function walFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^journal-\d+$/.test(name))
}

/** Moves files of a store into a folder inside of it, or out of one; durable on return. */
export function moveFiles(names: readonly string[], from: string, to: string): void {
  for (const name of names) renameSync(join(from, name), join(to, name))
  syncPath(to)
  syncPath(from)
}
