/** Reads backups of a vault: lists them, and makes one the store of a folder that has none. */

import { closeSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { assert } from "../../../base/assert.ts"
import { ignoreProgress, type OnProgress } from "../../../base/work-progress.ts"
import type { BackupInfo, BackupVault } from "../../backup-vault.ts"
import type { BackupReport } from "../../store.ts"
import { dataFile } from "../disk/store-files.ts"
import { openTables } from "../disk/tables.ts"
import { scanLmdb } from "../integrity/page-scan.ts"
import { readWal, writeSegment } from "../wal/segment-files.ts"
import { addSeries } from "./add-series.ts"
import { backupWalFile } from "./backup.ts"
import { chunkPath, hashOf } from "./chunks.ts"
import {
  backupNames,
  readVaultManifest,
  takenMsOf,
  unreadable,
  type ChunkedFile,
  type VaultManifest,
} from "./vault-manifest.ts"
import { discardStaging, installStaged, openStaging, refused } from "./staging.ts"

/** All finished backups of a vault, in the order in which they were written. */
export async function listBackups(vault: BackupVault): Promise<BackupInfo[]> {
  const found: BackupInfo[] = []
  for (const name of await backupNames(vault)) found.push(await infoOf(vault, name))
  return found
}

async function infoOf(vault: BackupVault, name: string): Promise<BackupInfo> {
  const takenMs = takenMsOf(name)
  try {
    const manifest = await readVaultManifest(vault, name)
    const { formatVersion } = manifest
    return { name, takenMs, bytes: bytesOf(manifest), formatVersion, problem: null }
  } catch (error) {
    const problem = (error as Error).message
    return { name, takenMs, bytes: null, formatVersion: null, problem }
  }
}

/**
 * Restores a backup, the one written last if `name` is null, into a folder that has no store. Every
 * chunk is checked against its name. Throws `storage`, and leaves no store, if the backup is
 * damaged.
 */
export async function restoreLmdbFromVault(
  vault: BackupVault,
  name: string | null,
  folder: string,
  onStep: OnProgress = ignoreProgress,
): Promise<BackupReport & { readonly name: string }> {
  const chosen = await chosenName(vault, name)
  const manifest = await readVaultManifest(vault, chosen)
  const staging = openStaging(folder)
  try {
    const progress = new Progress(bytesOf(manifest), onStep)
    for (const file of manifest.files) await fetchFile(vault, file, manifest, staging, progress)
    await completeStaged(staging, manifest)
    const [problem] = scanLmdb(staging, onStep)
    if (problem !== undefined) throw refused(`the store in backup ${chosen} is damaged: ${problem}`)
    installStaged(folder)
  } catch (error) {
    discardStaging(folder)
    throw error
  }
  return { name: chosen, bytes: bytesOf(manifest) }
}

async function chosenName(vault: BackupVault, name: string | null): Promise<string> {
  const names = await backupNames(vault)
  const last = names.at(-1)
  if (last === undefined) throw refused(`there is no finished backup in ${vault.name}`)
  if (name === null || names.includes(name)) return name ?? last
  throw refused(`there is no backup "${name}" in ${vault.name}: \`restore --list\` lists all`)
}

function bytesOf({ files }: VaultManifest): number {
  return files.reduce((total, { bytes }) => total + bytes, 0)
}

class Progress {
  private done = 0
  private readonly total: number
  private readonly onStep: OnProgress

  constructor(total: number, onStep: OnProgress) {
    this.total = total
    this.onStep = onStep
  }

  add(bytes: number): void {
    this.done += bytes
    this.onStep({ what: "restoring", done: this.done, total: this.total, unit: "B" })
  }
}

async function fetchFile(
  vault: BackupVault,
  { name, bytes, chunks }: ChunkedFile,
  { chunkBytes }: VaultManifest,
  staging: string,
  progress: Progress,
): Promise<void> {
  // Names of other files would lead out of the folder.
  assert(name === dataFile || name === backupWalFile, "Expected a file of a store")
  const file = openSync(join(staging, name), "wx", 0o600)
  try {
    for (const [i, hash] of chunks.entries()) {
      const at = i * chunkBytes
      const length = Math.min(chunkBytes, bytes - at)
      const content = await fetchChunk(vault, hash, `bytes ${at} to ${at + length} of ${name}`)
      if (content.length !== length) throw refused(`a chunk of ${name} has another length`)
      for (let done = 0; done < length;) done += writeSync(file, content, done, length - done)
      progress.add(length)
    }
  } finally {
    closeSync(file)
  }
}

async function fetchChunk(vault: BackupVault, hash: string, what: string): Promise<Buffer> {
  const path = chunkPath(hash)
  const content = await vault.read(path)
  if (content === null) throw unreadable(vault, path, `is missing: ${what}`)
  if (hashOf(content) !== hash) throw unreadable(vault, path, `is damaged, its checksum: ${what}`)
  return content
}

/** Flushes the series of the WAL, and leaves the batches whose series are complete. */
async function completeStaged(staging: string, { newest }: VaultManifest): Promise<void> {
  const path = join(staging, backupWalFile)
  const { records, corruptions } = readWal(staging)
  const [corruption] = corruptions
  if (corruption !== undefined) throw refused(`the WAL is damaged: ${corruption.reason}`)
  const tables = openTables(staging)
  try {
    const batches = addSeries(tables, records, newest === 0 ? [] : [newest])
    rmSync(path)
    writeSegment(path, batches)
  } finally {
    await tables.root.close()
  }
}
