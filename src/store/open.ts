/** Opens a store; the only file that names implementations. */

import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import type { QueryBudget } from "../base/query-budget.ts"
import { ServiceError } from "../base/errors.ts"
import type { OnProgress } from "../base/work-progress.ts"
import { LmdbExportStore, lmdbRetainedFromMs } from "./lmdb/read/export-reader.ts"
import { backupLmdb, readManifest } from "./lmdb/backup/backup.ts"
import { backUpLmdbToVault } from "./lmdb/backup/vault-backup.ts"
import { backupNames, takenMsOf } from "./lmdb/backup/vault-manifest.ts"
import { restoreLmdbFromVault } from "./lmdb/backup/vault-restore.ts"
import { refuseUnfinishedRestore } from "./lmdb/disk/unfinished-restore.ts"
import { prefetchLmdb } from "./lmdb/read/prefetch.ts"
import { LmdbReadStore } from "./lmdb/read/read-store.ts"
import { restrictToOwner } from "./lmdb/disk/private-files.ts"
import { exitFormat, formatVersion, refuseAbove } from "./lmdb/disk/format-version.ts"
import { readFormat } from "./lmdb/integrity/read-format.ts"
import { scanLmdb } from "./lmdb/integrity/page-scan.ts"
import { repairLmdb } from "./lmdb/integrity/repair.ts"
import { restoreLmdb } from "./lmdb/backup/restore.ts"
import { otherWriterOf, refuseOtherWriter, wasClosedCleanly } from "./lmdb/disk/writer-lock.ts"
import { dataFile } from "./lmdb/disk/store-files.ts"
import { verifyLmdb } from "./lmdb/integrity/verify.ts"
import { LmdbWriteStore } from "./lmdb/write-store.ts"
import type { Resolution } from "../model/resolution.ts"
import type { ExportStore } from "./export-store.ts"
import type { BackupVault, VaultBackupOptions, VaultBackupReport } from "./backup-vault.ts"
import type { CountedReads, SeriesReader } from "./query-store.ts"
import type {
  BackupReport,
  ReadStore,
  RepairReport,
  StoreOptions,
  VerifyReport,
  WriteStore,
} from "./store.ts"

/** Opens the store for writing and replays the WAL; one thread of one process at a time. */
export function openWriteStore(options: StoreOptions): WriteStore {
  return new LmdbWriteStore(options)
}

interface ReadOptions extends Pick<StoreOptions, "folder"> {
  /** Checked during queries; by default nothing ends them. */
  readonly budget?: QueryBudget
}

/** Opens the store for reading. The folder must have been opened for writing before. */
export function openReadStore(options: ReadOptions): ReadStore & CountedReads {
  return new LmdbReadStore(options)
}

/** Opens a store that may have a writer in another process, for an export; changes nothing. */
export function openExportStore(folder: string): ExportStore {
  return new LmdbExportStore(folder)
}

/** The oldest instant of which a store keeps values of a resolution; 0 if there is no store. */
export async function retainedFromMs(folder: string, resolution: Resolution): Promise<number> {
  return existsSync(join(folder, dataFile)) ? lmdbRetainedFromMs(folder, resolution) : 0
}

/** A change of the format of a store. */
export interface FormatChange {
  readonly from: number
  readonly to: number
}

/**
 * The change of format that opening the store for writing begins with; null without one. Writes
 * nothing. Throws `storage` for a format that this program does not know, and for a folder in which
 * a restore was not finished.
 */
export function formatChangeOf(folder: string): FormatChange | null {
  refuseUnfinishedRestore(folder)
  const found = otherWriterOf(folder) === null ? readFormat(folder) : null
  if (found === null) return null
  refuseAbove(found)
  return found < formatVersion ? { from: found, to: formatVersion } : null
}

/** Throws `storage` if the folder has no store; creates nothing. */
export function refuseMissingStore(folder: string): void {
  if (existsSync(join(folder, dataFile))) return
  const advice = "name its folder with --data, or start the server once to make one"
  throw new ServiceError("storage", `There is no store in "${folder}": ${advice}`)
}

/** Size in bytes of the data file of a store or backup; 0 if there is none. */
export function storeBytes(folder: string): number {
  return statSync(join(folder, dataFile), { throwIfNoEntry: false })?.size ?? 0
}

/** Pid of another live process that has the store open for writing; null if there is none. */
export function writerOfStore(folder: string): number | null {
  return otherWriterOf(folder)
}

/** Reads the newest part of a store into the page cache; yields the bytes of each piece. */
export function prefetchStore(folder: string, bytesMax: number): AsyncGenerator<number> {
  return prefetchLmdb(folder, bytesMax)
}

/**
 * Opens the store for reading without a catalogue. The folder must have been opened for writing
 * before.
 */
export function openSeriesReader(options: ReadOptions): SeriesReader & CountedReads {
  return new LmdbReadStore({ ...options, withCatalogue: false })
}

/**
 * Checks, without opening the store, that its data file is intact; returns one sentence per
 * problem. Throws `storage` if another process has the store open for writing, since its pages
 * change during the scan.
 */
export function scanStore(folder: string): string[] {
  refuseOtherWriter(folder)
  return scanLmdb(folder)
}

/** Repairs a damaged store that no process has open, so that it can be opened. */
export function repairStore(
  folder: string,
  nowMs: number,
  onStep?: OnProgress,
): Promise<RepairReport> {
  restrictToOwner(folder)
  return repairLmdb(folder, nowMs, onStep)
}

/** Copies a store, of a running or a stopped server, into a new folder. */
export function backupStore(
  folder: string,
  backup: string,
  nowMs: () => number,
  onStep?: OnProgress,
): Promise<BackupReport> {
  restrictToOwner(folder)
  return backupLmdb(folder, backup, nowMs, onStep)
}

/** Copies a backup into a folder that has no store. */
export function restoreStore(backup: string, folder: string, onStep?: OnProgress): BackupReport {
  const report = restoreLmdb(backup, folder, onStep)
  // A copied file keeps the mode of its source.
  for (const path of [backup, folder]) restrictToOwner(path)
  return report
}

/**
 * True if the store must be scanned before it is opened: its last writer did not close it cleanly.
 * False if there is no store yet, or if another process has it open, since opening fails then.
 */
export function needsScan(folder: string): boolean {
  if (!existsSync(join(folder, dataFile)) || otherWriterOf(folder) !== null) return false
  return !wasClosedCleanly(folder)
}

/** Recomputes every rollup from its source and compares the bytes (spec/samples §2). */
export function verifyStore(folder: string, onStep?: OnProgress): Promise<VerifyReport> {
  return verifyLmdb(folder, onStep)
}

/** Copies what changed since the backups of a vault; see lmdb/backup/vault-backup.ts. */
export function backUpToVault(options: VaultBackupOptions): Promise<VaultBackupReport> {
  return backUpLmdbToVault(options)
}

/** Moment of the backup of a vault that was written last, epoch milliseconds; null without one. */
export async function newestBackupMs(vault: BackupVault): Promise<number | null> {
  const name = (await backupNames(vault)).at(-1)
  return name === undefined ? null : takenMsOf(name)
}

/**
 * Makes a backup of a vault the store of a folder that has none; the one written last if `name` is
 * null.
 */
export async function restoreFromVault(
  vault: BackupVault,
  name: string | null,
  folder: string,
  onStep?: OnProgress,
): Promise<BackupReport & { readonly name: string }> {
  const report = await restoreLmdbFromVault(vault, name, folder, onStep)
  restrictToOwner(folder)
  return report
}

/** True if the folder is a backup by itself, as `backupStore` makes it. */
export function isFolderBackup(folder: string): boolean {
  return readManifest(folder) !== undefined
}

export { listBackups } from "./lmdb/backup/vault-restore.ts"
export { exitFormat, restrictToOwner as closeToOthers, type StoreOptions }
