/** Announces that this start changes the format of the store, or refuses to start. */

import { ServiceError } from "../../base/errors.ts"
import type { Logger } from "../../base/log.ts"
import type { Config } from "../../config/config.ts"
import { exitFormat, formatChangeOf } from "../../store/open.ts"

export interface FormatChangeDeps {
  readonly log: Logger
  readonly print: (text: string) => void
}

/**
 * Logs and prints what the start is about to do with a store of an earlier format. Throws `storage`
 * with the exit status `exitFormat`, and has written nothing, if `noMigrate` forbids it or the
 * format is newer than this program.
 */
export function announceFormatChange(
  { dataPath, noMigrate }: Pick<Config, "dataPath" | "noMigrate">,
  { log, print }: FormatChangeDeps,
): void {
  const change = formatChangeOf(dataPath)
  if (change === null) return
  const { from, to } = change
  if (noMigrate) throw refused(dataPath, from, to)
  const note =
    `The store in "${dataPath}" changes from format ${from} to ${to}. ` +
    `A version that knows formats up to ${from} no longer opens it: the way back is a backup ` +
    "from before this start. Make one before each upgrade; --no-migrate refuses such a start."
  log.warn({ from, to }, note)
  print(note)
}

function refused(folder: string, from: number, to: number): ServiceError {
  return new ServiceError(
    "storage",
    `The store in "${folder}" has format ${from}, this version of Tidegauge writes ${to}, and ` +
      "--no-migrate forbids the change; nothing was written. Back the store up with the version " +
      "that wrote it, then start without --no-migrate",
    { exitStatus: exitFormat },
  )
}
