/**
 * The folder in which a restore prepares a store. While it exists, the files next to it may be half
 * of a store: nothing opens them.
 */

import { existsSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"

export const stagingName = "restore-new"

/** Throws `storage` if a restore into the folder was not finished. */
export function refuseUnfinishedRestore(folder: string): void {
  if (!existsSync(join(folder, stagingName))) return
  throw new ServiceError(
    "storage",
    `A restore into "${folder}" was not finished: run it again, or remove the folder`,
  )
}
