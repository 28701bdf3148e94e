/** `tidegauge backup DIR` and `tidegauge restore DIR`. */

import type { BackupReport } from "../../store/store.ts"

interface Deps {
  readonly print: (text: string) => void
}

/** Copies the store, of a running server or a stopped one, into a new folder. */
export async function runBackup(
  paths: { readonly folder: string; readonly backup: string },
  deps: Deps & {
    readonly backupStore: (folder: string, backup: string) => Promise<BackupReport>
  },
): Promise<number> {
  const { bytes } = await deps.backupStore(paths.folder, paths.backup)
  deps.print(`${paths.folder} is backed up in ${paths.backup}: ${bytes} bytes`)
  return 0
}

/** Copies a backup into `folder`; refuses a damaged backup and a folder that has a store. */
export function runRestore(
  paths: { readonly folder: string; readonly backup: string },
  deps: Deps & {
    readonly restoreStore: (backup: string, folder: string) => BackupReport
  },
): number {
  const { bytes } = deps.restoreStore(paths.backup, paths.folder)
  deps.print(`${paths.folder} is what ${paths.backup} holds: ${bytes} bytes`)
  return 0
}
