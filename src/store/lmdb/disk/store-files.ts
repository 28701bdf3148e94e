/** Names of the files in a store's folder. store/format describes their content. */

import { readdirSync, renameSync } from "node:fs"
import { basename, join } from "node:path"
import { syncPath } from "./wal-file-system.ts"

export const dataFile = "data.mdb"
export const lockFile = "lock.mdb"

/** Follows the name of a file that is renamed once it is whole. */
export const unfinishedSuffix = ".new"

/** Name of the WAL segment with this number. */
export function walFile(number: number): string {
  return `journal-${number}`
}

/** Number of the WAL segment of this name or path; null if it is another file. */
export function walFileNumber(path: string): number | null {
  const digits = /^journal-(\d+)$/.exec(basename(path))?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Names of the WAL segments, in order of their numbers. */
export function walFiles(folder: string): string[] {
  const numbers = readdirSync(folder).map(walFileNumber)
  return numbers
    .filter((number) => number !== null)
    .sort((left, right) => left - right)
    .map(walFile)
}

/** Moves files of a store into or out of a sub-folder; durable on return. */
export function moveFiles(names: readonly string[], from: string, to: string): void {
  for (const name of names) renameSync(join(from, name), join(to, name))
  syncPath(to)
  syncPath(from)
}
