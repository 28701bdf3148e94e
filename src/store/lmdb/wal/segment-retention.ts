/**
 * Journal hold: a file by which a backup, another process, asks the writer to use no segment again
 * until it has read them. A backup that died is waited for no longer than `retainMsMax`.
 */

import { existsSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A copy of 90 GB at 100 MB/s. */
const retainMsMax = 900_000

const retentionFile = "journal-hold"

export function retainSegments(folder: string): void {
  writeFileSync(join(folder, retentionFile), "", { mode: 0o600 })
}

export function releaseSegments(folder: string): void {
  rmSync(join(folder, retentionFile), { force: true })
}

/** Asked once a fold. */
export function areSegmentsRetained(folder: string, nowMs: number): boolean {
  const path = join(folder, retentionFile)
  return existsSync(path) && Math.abs(nowMs - statSync(path).mtimeMs) < retainMsMax
}
