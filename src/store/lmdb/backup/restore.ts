/** Restore: an intact backup becomes the store of a folder that has none. */

import { copyFileSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"
import { ignoreProgress, type OnProgress } from "../../../base/work-progress.ts"
import type { BackupReport } from "../../store.ts"
import {
  backupManifestFile,
  backupWalFile,
  readManifest,
  type BackupManifest,
  type FileSum,
} from "./backup.ts"
import { fileChecksum } from "../disk/file-checksum.ts"
import { formatVersion } from "../disk/format-version.ts"
import { syncPath } from "../disk/wal-file-system.ts"
import { scanLmdb } from "../integrity/page-scan.ts"
import { releaseWriterLock } from "../disk/writer-lock.ts"
import { dataFile, walFiles } from "../disk/store-files.ts"

/** A backup of this format and of later ones has a WAL. */
const firstWithWal = 6

/** Throws `storage`, and leaves the folder unchanged, if the backup is incomplete or damaged. */
export function restoreLmdb(
  backup: string,
  folder: string,
  onStep: OnProgress = ignoreProgress,
): BackupReport {
  const files = filesOf(checkedManifest(backup))
  for (const [name, sum] of files) checkFile(join(backup, name), sum, onStep)
  const [problem] = scanLmdb(backup, onStep)
  if (problem !== undefined) throw refused(`"${join(backup, dataFile)}" is damaged: ${problem}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (existsSync(join(folder, dataFile)) || walFiles(folder).length > 0) {
    throw refused(`"${folder}" has a store already: move it away first`)
  }
  try {
    for (const [name, sum] of files) copyFile(join(backup, name), join(folder, name), sum, onStep)
  } catch (error) {
    for (const [name] of files) rmSync(join(folder, name), { force: true })
    throw error
  }
  releaseWriterLock(folder)
  return { bytes: files.reduce((total, [, { bytes }]) => total + bytes, 0) }
}

/** In the order in which they are copied: a store that has its data file has its WAL as well. */
function filesOf(manifest: BackupManifest): [name: string, sum: FileSum][] {
  const files: [string, FileSum][] = [[dataFile, manifest]]
  if (manifest.wal !== undefined) files.unshift([backupWalFile, manifest.wal])
  return files
}

/** Durable on return. The copy on disk is checked, not only its source. */
function copyFile(from: string, to: string, { checksum }: FileSum, onStep: OnProgress): void {
  copyFileSync(from, to)
  syncPath(to)
  syncPath(dirname(to))
  if (fileChecksum(to, onStep) !== checksum) throw refused("the copy differs")
}

function checkedManifest(backup: string): BackupManifest {
  const manifest = readManifest(backup)
  if (manifest === undefined || !existsSync(join(backup, dataFile))) {
    throw refused(
      `"${backup}" is no backup, or was not finished: "${backupManifestFile}" is missing`,
    )
  }
  if (manifest.formatVersion > formatVersion) {
    throw refused(`the backup is of format ${manifest.formatVersion}, later than ${formatVersion}`)
  }
  if (manifest.formatVersion >= firstWithWal && manifest.wal === undefined) {
    throw refused(`"${backupManifestFile}" does not name "${backupWalFile}"`)
  }
  return manifest
}

function checkFile(path: string, { bytes, checksum }: FileSum, onStep: OnProgress): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw refused(`"${path}" is missing`)
  if (size !== bytes) throw refused(`"${path}" has ${size} of ${bytes} bytes`)
  if (fileChecksum(path, onStep) !== checksum) throw refused(`"${path}" is damaged: its checksum`)
}

function refused(problem: string): ServiceError {
  return new ServiceError("storage", `Not restored: ${problem}`)
}
