/**
 * Backup: a copy of the store as of one moment, taken while a server uses the store.
 *
 *   retain the WAL ─► copy a snapshot of data.mdb ─► add series of the WAL
 *                 └─► write its batches to journal-0 ─► backup.json, last: lengths and checksums
 *
 * Samples acknowledged before the start are flushed in the snapshot or in the WAL, whose segments
 * are retained during the backup. The moment is that of the newest batch without a gap before it:
 * the snapshot may hold a partial flush, whose batches all come before any gap, and flushing them
 * again has the same result. Series that depend on a closing after the snapshot are excluded, too.
 */

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"
import { ignoreProgress, type OnProgress } from "../../../base/work-progress.ts"
import { makeFolder } from "../../../base/make-folder.ts"
import type { BackupReport } from "../../store.ts"
import { addSeries } from "./add-series.ts"
import { fileChecksum } from "../disk/file-checksum.ts"
import { formatVersion } from "../disk/format-version.ts"
import { retainSegments, areSegmentsRetained, releaseSegments } from "../wal/segment-retention.ts"
import { readWal, writeSegment } from "../wal/segment-files.ts"
import { syncPath } from "../disk/wal-file-system.ts"
import { scanLmdb } from "../integrity/page-scan.ts"
import { wasClosedCleanly, writerOf } from "../disk/writer-lock.ts"
import { dataFile, lockFile, walFile } from "../disk/store-files.ts"
import { openTables } from "../disk/tables.ts"

export const backupManifestFile = "backup.json"

export interface FileSum {
  readonly bytes: number
  readonly checksum: number
}

/** Its own sum is that of `data.mdb`. */
export interface BackupManifest extends FileSum {
  readonly formatVersion: number
  /** Of `journal-0`; backups before format 6 have none. */
  readonly wal?: FileSum
}

/** The WAL of a backup: one segment of the unflushed batches, perhaps of none. */
export const backupWalFile = walFile(0)

/** Copies the store to the folder `backup`, which must not exist. Throws `storage`. */
export async function backupLmdb(
  folder: string,
  backup: string,
  nowMs: () => number,
  onStep: OnProgress = ignoreProgress,
): Promise<BackupReport> {
  if (!existsSync(join(folder, dataFile))) {
    throw new ServiceError("storage", `There is no store in "${folder}"`)
  }
  if (existsSync(backup)) throw new ServiceError("storage", `"${backup}" exists already`)
  refuseCorrupt(folder, findCorruption(folder))
  makeFolder(backup)
  try {
    await copyStore(folder, backup, nowMs)
    refuseCorrupt(folder, scanLmdb(backup, onStep))
    return { bytes: writeManifest(backup, onStep) }
  } catch (error) {
    rmSync(backup, { recursive: true, force: true })
    throw error
  }
}

/**
 * Returns the problems of a store that has no writer and was not closed cleanly. The result is
 * empty if a writer has started since: it may have changed pages during the scan.
 */
function findCorruption(folder: string): string[] {
  if (writerOf(folder) !== null || wasClosedCleanly(folder)) return []
  const problems = scanLmdb(folder)
  return writerOf(folder) === null ? problems : []
}

/** Returns the manifest of a backup; undefined if there is none. */
export function readManifest(backup: string): BackupManifest | undefined {
  try {
    return JSON.parse(readFileSync(join(backup, backupManifestFile), "utf8")) as BackupManifest
  } catch {
    return undefined
  }
}

async function copyStore(folder: string, backup: string, nowMs: () => number): Promise<void> {
  retainSegments(folder)
  try {
    const before = readWal(folder).records.map(({ sequence }) => sequence)
    const source = openTables(folder)
    try {
      await source.root.backup(backup, true)
    } finally {
      await source.root.close()
    }
    const waiting = readWal(folder).records
    if (!areSegmentsRetained(folder, nowMs())) {
      const reason = "The WAL was not retained until the end of the backup"
      const causes = "the backup took too long, or the store was recovered meanwhile"
      throw new ServiceError("storage", `${reason}: ${causes}: take the backup again`)
    }
    const copy = openTables(backup)
    try {
      writeSegment(join(backup, backupWalFile), addSeries(copy, waiting, before))
    } finally {
      await copy.root.close()
    }
    rmSync(join(backup, lockFile), { force: true })
  } finally {
    releaseSegments(folder)
  }
}

/** Returns the bytes of the backup. */
function writeManifest(backup: string, onStep: OnProgress): number {
  const data = sumOf(join(backup, dataFile), onStep)
  const wal = sumOf(join(backup, backupWalFile), onStep)
  const manifest: BackupManifest = { formatVersion, ...data, wal }
  const manifestPath = join(backup, backupManifestFile)
  writeFileSync(manifestPath, `${JSON.stringify(manifest)}\n`, { mode: 0o600 })
  syncPath(manifestPath)
  syncPath(backup)
  return data.bytes + wal.bytes
}

function sumOf(path: string, onStep: OnProgress): FileSum {
  syncPath(path)
  return { bytes: statSync(path).size, checksum: fileChecksum(path, onStep) }
}

function refuseCorrupt(folder: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  const advice = `run \`tidegauge repair --data ${folder}\` first`
  throw new ServiceError("storage", [`The store is damaged: ${problems[0]}`, advice])
}
