/** Restore: an intact backup becomes the store of a folder that has none. */

import { copyFileSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"
import { ignoreProgress, type OnProgress } from "../../../base/work-progress.ts"
import type { BackupReport } from "../../store.ts"
import { backupManifestFile, readManifest } from "./backup.ts"
import { fileChecksum } from "../disk/file-checksum.ts"
import { formatVersion } from "../disk/format-version.ts"
import { syncPath } from "../disk/wal-file-system.ts"
import { scanLmdb } from "../integrity/page-scan.ts"
import { releaseWriterLock } from "../disk/writer-lock.ts"
import { dataFile, walFiles } from "../disk/store-files.ts"

/** Throws `storage`, and leaves the folder unchanged, if the backup is incomplete or damaged. */
export function restoreLmdb(
  backup: string,
  folder: string,
  onStep: OnProgress = ignoreProgress,
): BackupReport {
  checkBackup(backup, onStep)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (existsSync(join(folder, dataFile)) || walFiles(folder).length > 0) {
    throw refused(`"${folder}" has a store already: move it away first`)
  }
  const path = join(folder, dataFile)
  try {
    copyFileSync(join(backup, dataFile), path)
    syncPath(path)
    syncPath(folder)
    // The copy on disk is checked, not only its source.
    if (fileChecksum(path, onStep) !== readManifest(backup)?.checksum)
      throw refused("the copy differs")
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
  releaseWriterLock(folder)
  return { bytes: statSync(path).size }
}

function checkBackup(backup: string, onStep: OnProgress): void {
  const manifest = readManifest(backup)
  const path = join(backup, dataFile)
  if (manifest === undefined || !existsSync(path)) {
    throw refused(
      `"${backup}" is no backup, or was not finished: "${backupManifestFile}" is missing`,
    )
  }
  if (manifest.formatVersion > formatVersion) {
    throw refused(`the backup is of format ${manifest.formatVersion}, later than ${formatVersion}`)
  }
  const { size } = statSync(path)
  if (size !== manifest.bytes) throw refused(`"${path}" has ${size} of ${manifest.bytes} bytes`)
  if (fileChecksum(path, onStep) !== manifest.checksum)
    throw refused(`"${path}" is damaged: its checksum`)
  const [problem] = scanLmdb(backup, onStep)
  if (problem !== undefined) throw refused(`"${path}" is damaged: ${problem}`)
}

function refused(problem: string): ServiceError {
  return new ServiceError("storage", `Not restored: ${problem}`)
}
