/** Removes what a vault no longer keeps: old backups, then the chunks that no other one names. */

import type { BackupVault, VaultBackupReport } from "../../backup-vault.ts"
import { chunkPath } from "./chunks.ts"
import { backupNames, manifestPath, readVaultManifest } from "./vault-manifest.ts"

/**
 * Keeps the `keep` backups that were written last. `before`: files of the folder of chunks from
 * before the newest backup, whose own chunks are all named by its manifest. A manifest that cannot
 * be read may name any chunk, so that nothing is removed while there is one.
 */
export async function collectVault(
  vault: BackupVault,
  before: readonly string[],
  keep: number,
): Promise<Pick<VaultBackupReport, "removedBackups" | "removedChunks" | "collectProblem">> {
  const names = await backupNames(vault)
  const kept = names.slice(-keep)
  const named = new Set<string>()
  try {
    for (const name of kept) {
      const { files } = await readVaultManifest(vault, name)
      for (const { chunks } of files) for (const hash of chunks) named.add(chunkPath(hash))
    }
  } catch (error) {
    const collectProblem = `Nothing was removed: ${(error as Error).message}`
    return { removedBackups: 0, removedChunks: 0, collectProblem }
  }
  const old = names.slice(0, -keep)
  for (const name of old) await vault.remove(manifestPath(name))
  const unused = before.filter((path) => !named.has(path))
  for (const path of unused) await vault.remove(path)
  return { removedBackups: old.length, removedChunks: unused.length, collectProblem: null }
}
