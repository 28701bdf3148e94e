/** Restore: an intact backup becomes the store of a folder that has none. */

import { copyFileSync, existsSync, statSync } from "node:fs"
import { join } from "node:path"
import type { ServiceError } from "../../../base/errors.ts"
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
import { dataFile } from "../disk/store-files.ts"
import { discardStaging, installStaged, openStaging, refused } from "./staging.ts"

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
  const staging = openStaging(folder)
  try {
    for (const [name, sum] of files) copyFile(join(backup, name), join(staging, name), sum, onStep)
    installStaged(folder)
  } catch (error) {
    discardStaging(folder)
    throw error
  }
  return { bytes: files.reduce((total, [, { bytes }]) => total + bytes, 0) }
}

/** The files of a backup with their sums. */
function filesOf(manifest: BackupManifest): [name: string, sum: FileSum][] {
  const files: [string, FileSum][] = [[dataFile, manifest]]
  if (manifest.wal !== undefined) files.unshift([backupWalFile, manifest.wal])
  return files
}

/** The copy on disk is checked, not only its source. */
function copyFile(from: string, to: string, { checksum }: FileSum, onStep: OnProgress): void {
  copyFileSync(from, to)
  syncPath(to)
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
    throw laterFormat(manifest.formatVersion)
  }
  if (manifest.formatVersion >= firstWithWal && manifest.wal === undefined) {
    throw refused(`"${backupManifestFile}" does not name "${backupWalFile}"`)
  }
  return manifest
}

/** The refusal of a backup of a later format than this program knows. */
export function laterFormat(found: number): ServiceError {
  const known = `this version of Tidegauge knows formats up to ${formatVersion}`
  return refused(`the backup is of format ${found}, ${known}: restore it with the newer version`)
}

function checkFile(path: string, { bytes, checksum }: FileSum, onStep: OnProgress): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw refused(`"${path}" is missing`)
  if (size !== bytes) throw refused(`"${path}" has ${size} of ${bytes} bytes`)
  if (fileChecksum(path, onStep) !== checksum) throw refused(`"${path}" is damaged: its checksum`)
}
