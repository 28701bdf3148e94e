/**
 * Staging: a store is restored aside, synced, and then renamed into its vault.
 *
 *   store/restore-new/journal-0, data.mdb  ─►  store/journal-0  ─►  store/data.mdb  ─►  run.json
 *   └── while it exists, no program opens the store ──────────────────────────────────┘ removed
 */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"
import { makeFolder } from "../../../base/make-folder.ts"
import { dataFile, lockFile, walFiles } from "../disk/store-files.ts"
import { stagingName } from "../disk/unfinished-restore.ts"
import { syncPath } from "../disk/wal-file-system.ts"
import { releaseWriterLock } from "../disk/writer-lock.ts"

/**
 * Makes the empty staging folder of a store's folder, and both if they are missing. Removes what an
 * unfinished restore left. Throws `storage` if the folder has a store.
 */
export function openStaging(folder: string): string {
  const staging = join(folder, stagingName)
  makeFolder(folder)
  if (existsSync(staging)) discardStaging(folder)
  if (existsSync(join(folder, dataFile)) || walFiles(folder).length > 0) {
    throw refused(`"${folder}" has a store already: move it away first`)
  }
  mkdirSync(staging, { mode: 0o700 })
  syncPath(folder)
  return staging
}

/** Removes the staging folder, and last itself, with what was renamed out of it. */
export function discardStaging(folder: string): void {
  const staging = join(folder, stagingName)
  for (const name of [dataFile, lockFile, ...walFiles(folder)]) {
    rmSync(join(folder, name), { force: true })
  }
  syncPath(folder)
  rmSync(staging, { recursive: true, force: true })
}

/** Makes the files of the staging folder the store; durable on return. */
export function installStaged(folder: string): void {
  const staging = join(folder, stagingName)
  rmSync(join(staging, lockFile), { force: true })
  for (const name of readdirSync(staging)) syncPath(join(staging, name))
  syncPath(staging)
  for (const name of [...walFiles(staging), dataFile]) {
    renameSync(join(staging, name), join(folder, name))
    syncPath(folder)
  }
  releaseWriterLock(folder)
  rmSync(staging, { recursive: true })
  syncPath(folder)
}

export function refused(problem: string): ServiceError {
  return new ServiceError("storage", `Not restored: ${problem}`)
}
