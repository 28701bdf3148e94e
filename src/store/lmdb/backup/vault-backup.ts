/**
 * Backup to a vault: chunks that the vault lacks, then the manifest, then what is no longer kept.
 *
 *   pin a snapshot ─► WAL as chunks ─► data.mdb as chunks ─► manifest ─► old manifests, then chunks
 *
 * A crash at any moment leaves every finished backup whole: a manifest is written when all its
 * chunks are durable, and a chunk is removed when no manifest that is left names it.
 */

import { statSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"
import type { BackupVault, VaultBackupOptions, VaultBackupReport } from "../../backup-vault.ts"
import { formatVersion } from "../disk/format-version.ts"
import { dataFile } from "../disk/store-files.ts"
import { areSegmentsRetained, releaseSegments, retainSegments } from "../wal/segment-retention.ts"
import { backupWalFile } from "./backup.ts"
import { chunkBytesOf, ChunkWriter, listChunks, readerOf } from "./chunks.ts"
import { collectVault } from "./collect-vault.ts"
import { pinSnapshot, type PinnedSnapshot } from "./pinned-snapshot.ts"
import {
  backupNames,
  encodeManifest,
  manifestPath,
  nextName,
  vaultFormat,
  readVaultManifest,
  type ChunkedFile,
} from "./vault-manifest.ts"
import { copyOf, indexWal, sequencesAfter } from "./wal-copy.ts"

/**
 * Takes one backup. Throws `storage`, or `stopping`; finished backups stay as they are. Tests
 * choose the length of chunks.
 */
export async function backUpLmdbToVault(
  options: VaultBackupOptions,
  chunkBytes = chunkBytesOf(storedBytes(options.folder)),
): Promise<VaultBackupReport> {
  const { vault, store, keep, onPoint = () => {} } = options
  const names = await backupNames(vault)
  await refuseOtherStore(vault, names, store)
  const found = await listChunks(vault)
  const known = [...found.values()].filter((hash) => hash !== null)
  const writer = new ChunkWriter({ ...options, chunkBytes }, known)
  onPoint("backup.begin")
  const { files, newest } = await storeSnapshot(options, writer)
  onPoint("backup.chunks")
  const name = nextName(names, options.takenMs)
  const manifest = { vaultFormat, formatVersion, store, takenMs: options.takenMs, chunkBytes }
  await vault.write(manifestPath(name), encodeManifest({ ...manifest, newest, files }))
  onPoint("backup.manifest")
  const collected = await collectVault(vault, [...found.keys()], keep)
  onPoint("backup.collected")
  const { chunks, newChunks, newBytes } = writer
  const bytes = files.reduce((total, file) => total + file.bytes, 0)
  return { name, bytes, chunks, newChunks, newBytes, ...collected }
}

/** Length of the data file. Throws `storage` if there is no store. */
function storedBytes(folder: string): number {
  const stats = statSync(join(folder, dataFile), { throwIfNoEntry: false })
  if (stats === undefined) throw new ServiceError("storage", `There is no store in "${folder}"`)
  return stats.size
}

/** Two installations in one vault would remove each other's chunks. */
async function refuseOtherStore(
  vault: BackupVault,
  names: readonly string[],
  store: string,
): Promise<void> {
  const other = await newestOwner(vault, names)
  if (other === null || other === store) return
  throw new ServiceError(
    "storage",
    `The backups in ${vault.name} are those of another installation (${other}, this one is ` +
      `${store}): name another folder or prefix with --backup-to`,
  )
}

/** The installation of the newest manifest that can be read; null without one. */
async function newestOwner(vault: BackupVault, names: readonly string[]): Promise<string | null> {
  for (const name of names.toReversed()) {
    const manifest = await readVaultManifest(vault, name).catch(() => null)
    if (manifest !== null) return manifest.store
  }
  return null
}

interface StoredFiles {
  readonly files: readonly ChunkedFile[]
  /** Sequence of the newest WAL record from before the snapshot. */
  readonly newest: number
}

async function storeSnapshot(
  { folder, nowMs }: VaultBackupOptions,
  writer: ChunkWriter,
): Promise<StoredFiles> {
  let snapshot: PinnedSnapshot | null = null
  try {
    let wal: ChunkedFile
    let newest: number
    retainSegments(folder)
    try {
      const before = [...indexWal(folder).keys()]
      newest = before.reduce((greatest, one) => Math.max(greatest, one), 0)
      snapshot = pinSnapshot(folder)
      wal = await storeWal(folder, writer, { before, newest, flushed: snapshot.flushed })
      if (!areSegmentsRetained(folder, nowMs())) throw interrupted("it took too long")
    } finally {
      releaseSegments(folder)
    }
    const data = await writer.store(dataFile, snapshot.bytes, snapshot.read)
    return { files: [data, wal], newest }
  } finally {
    await snapshot?.release()
  }
}

function storeWal(
  folder: string,
  writer: ChunkWriter,
  at: { readonly before: readonly number[]; readonly newest: number; readonly flushed: number },
): Promise<ChunkedFile> {
  const index = indexWal(folder)
  if (at.before.some((sequence) => sequence > at.flushed && !index.has(sequence))) {
    throw interrupted("the store was opened again meanwhile")
  }
  const { bytes, pieces } = copyOf(index, sequencesAfter(index, at.flushed, at.newest))
  return writer.store(backupWalFile, bytes, readerOf(pieces))
}

function interrupted(cause: string): ServiceError {
  return new ServiceError("storage", `The WAL could not be copied: ${cause}; take the backup again`)
}
