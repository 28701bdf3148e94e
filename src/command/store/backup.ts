/** `tidegauge backup DIR`. */

import type { BackupReport } from "../../store/store.ts"

/** Copies the store, of a running server or a stopped one, into a new folder. */
export async function runBackup(
  paths: { readonly folder: string; readonly backup: string },
  deps: {
    readonly print: (text: string) => void
    readonly backupStore: (folder: string, backup: string) => Promise<BackupReport>
  },
): Promise<number> {
  const { bytes } = await deps.backupStore(paths.folder, paths.backup)
  deps.print(`${paths.folder} is backed up in ${paths.backup}: ${bytes} bytes`)
  return 0
}
