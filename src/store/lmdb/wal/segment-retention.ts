/**
 * Segment retention: a file by which a backup, another process, asks the writer not to reuse any
 * WAL segment until the backup has read them. A backup that died delays reuse by `retainMsMax` at
 * most.
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

/** Called once per flush. */
export function areSegmentsRetained(folder: string, nowMs: number): boolean {
  const path = join(folder, retentionFile)
  return existsSync(path) && Math.abs(nowMs - statSync(path).mtimeMs) < retainMsMax
}
