/**
 * Private files: a store is readable by its owner only. The umask of the process covers new files;
 * this module corrects files that were created with another umask or in an existing folder.
 */

import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"

const othersMode = 0o077

/** Names of files in the folder of a store or backup. */
const storeFileName =
  /^(?:data\.mdb|lock\.mdb|journal-\w+|run\.json|backup\.json|secrets\.key|control\.sock)(?:\.new)?$/
/** Names of folders in it; all of their files belong to the store. */
const ownFolderName = /^(?:quarantine-[\dTZ-]+|native|restore-new)$/

/**
 * Removes the permissions of other users from a store's files, and from its folder if it holds
 * nothing else; changes only what belongs to `uid`, the user of this process. Returns one sentence
 * for the log per path that is still open to others. Ignores a missing folder.
 */
export function restrictToOwner(folder: string, uid = process.geteuid?.() ?? -1): string[] {
  const warnings: string[] = []
  if (!existsSync(folder)) return warnings
  const path = realpathSync(folder)
  const at = { uid, warnings }
  const isOwn = restrictFiles(path, storeFileName, at)
  if (isOwn) restrictPath(path, at)
  else if (isOpenToOthers(path)) {
    warnings.push(`${describeOpen(path)}: it holds other files too, so its rights were left`)
  }
  return warnings
}

interface Restriction {
  readonly uid: number
  readonly warnings: string[]
}

/** Returns true if everything in the folder belongs to the store. */
function restrictFiles(folder: string, own: RegExp, at: Restriction): boolean {
  let isAllOwn = true
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (own.test(name)) restrictPath(path, at)
    else if (ownFolderName.test(name)) {
      restrictPath(path, at)
      restrictFiles(path, anyName, at)
    } else isAllOwn = false
  }
  return isAllOwn
}

const anyName = /./

function restrictPath(path: string, { uid, warnings }: Restriction): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  // A link points elsewhere, and a socket is restricted by the process that listens on it.
  if (stats === undefined || !(stats.isFile() || stats.isDirectory())) return
  if ((stats.mode & othersMode) === 0) return
  try {
    if (stats.uid !== uid) throw new ServiceError("storage", `it belongs to user ${stats.uid}`)
    chmodPath(path)
  } catch (error) {
    warnings.push(`${describeOpen(path)}: ${(error as Error).message}`)
  }
}

/** Uses a descriptor, since the path may have been replaced by a link in between. */
function chmodPath(path: string): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    fchmodSync(file, fstatSync(file).mode & 0o7700)
  } finally {
    closeSync(file)
  }
}

function isOpenToOthers(path: string): boolean {
  return (statSync(path).mode & othersMode) !== 0
}

function describeOpen(path: string): string {
  return `"${path}" is open to other users of this machine`
}
