/**
 * Private files: a store is for the eyes of its owner only. New files are so by the umask of the
 * process; here those are corrected that were made with another, or in a folder that was there.
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

/** What stands in the folder of a store, or of a backup. */
const storeFileName =
  /^(?:data\.mdb|lock\.mdb|journal-\w+|run\.json|backup\.json|secrets\.key|control\.sock)(?:\.new)?$/
/** Folders in it, of which every file is the store's. */
const quarantineName = /^quarantine-[\dTZ-]+$/

/**
 * Takes the rights of others from a store's files, and from its folder if nothing else is in it;
 * only from what belongs to `uid`, the user of this process. Returns a sentence for the log for
 * each thing that is still open to others. A folder that does not exist is left so.
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

/** Whether everything in the folder is the store's. */
function restrictFiles(folder: string, own: RegExp, at: Restriction): boolean {
  let isAllOwn = true
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (own.test(name)) restrictPath(path, at)
    else if (quarantineName.test(name)) {
      restrictPath(path, at)
      restrictFiles(path, anyName, at)
    } else isAllOwn = false
  }
  return isAllOwn
}

const anyName = /./

function restrictPath(path: string, { uid, warnings }: Restriction): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  // A link leads elsewhere, and a socket is closed by the process that listens on it.
  if (stats === undefined || !(stats.isFile() || stats.isDirectory())) return
  if ((stats.mode & othersMode) === 0) return
  try {
    if (stats.uid !== uid) throw new ServiceError("storage", `it belongs to user ${stats.uid}`)
    chmodPath(path)
  } catch (error) {
    warnings.push(`${describeOpen(path)}: ${(error as Error).message}`)
  }
}

/** By a descriptor, since the name may have become a link meanwhile. */
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
