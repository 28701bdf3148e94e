/**
 * Journal hold: a file by which a backup, another process, asks the writer to use no segment again
 * until it has read them. A backup that died is waited for no longer than `holdMsMax`.
 */

import { existsSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A copy of 90 GB at 100 MB/s. */
const holdMsMax = 900_000

const holdFile = "journal-hold"

export function holdJournal(folder: string): void {
  writeFileSync(join(folder, holdFile), "", { mode: 0o600 })
}

export function letJournalGo(folder: string): void {
  rmSync(join(folder, holdFile), { force: true })
}

/** Asked once a fold. */
export function isHeld(folder: string, nowMs: number): boolean {
  const path = join(folder, holdFile)
  return existsSync(path) && Math.abs(nowMs - statSync(path).mtimeMs) < holdMsMax
}
