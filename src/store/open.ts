/** Opens a store; the only file that names implementations. */

import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import type { QueryBudget } from "../base/query-budget.ts"
import { ServiceError } from "../base/errors.ts"
import type { OnProgress } from "../base/work-progress.ts"
import { backupLmdb } from "./lmdb/backup/backup.ts"
import { prefetchLmdb } from "./lmdb/read/prefetch.ts"
import { LmdbReadStore } from "./lmdb/read/read-store.ts"
import { restrictToOwner } from "./lmdb/disk/private-files.ts"
import { scanLmdb } from "./lmdb/integrity/page-scan.ts"
import { repairLmdb } from "./lmdb/integrity/repair.ts"
import { restoreLmdb } from "./lmdb/backup/restore.ts"
import { otherWriterOf, refuseOtherWriter, wasClosedCleanly } from "./lmdb/disk/writer-lock.ts"
import { dataFile } from "./lmdb/disk/store-files.ts"
import { verifyLmdb } from "./lmdb/integrity/verify.ts"
import { LmdbWriteStore } from "./lmdb/write-store.ts"
import type { SeriesReader } from "./query-store.ts"
import type {
  BackupReport,
  ReadStore,
  RepairReport,
  StoreOptions,
  VerifyReport,
  WriteStore,
} from "./store.ts"

/** Opens for writing, replays what was not yet folded; one thread of one process at a time. */
export function openWriteStore(options: StoreOptions): WriteStore {
  return new LmdbWriteStore(options)
}

export interface ReadOptions extends Pick<StoreOptions, "folder"> {
  /** Looked at while questions are answered; by default nothing ends them. */
  readonly budget?: QueryBudget
}

/** Opens for reading; the folder must have been opened for writing before. */
export function openReadStore(options: ReadOptions): ReadStore {
  return new LmdbReadStore(options)
}

/** Throws `storage` if the folder has no store; nothing is made. */
export function refuseMissingStore(folder: string): void {
  if (existsSync(join(folder, dataFile))) return
  const advice = "name its folder with --data, or start the server once to make one"
  throw new ServiceError("storage", `There is no store in "${folder}": ${advice}`)
}

/** Bytes of the file of a store or backup; 0 if there is none. */
export function storeBytes(folder: string): number {
  return statSync(join(folder, dataFile), { throwIfNoEntry: false })?.size ?? 0
}

/** The other living process that has the store open for writing; null if there is none. */
export function writerOfStore(folder: string): number | null {
  return otherWriterOf(folder)
}

/** Has the system read the newest part of a store into its memory; yields the bytes of each piece. */
export function prefetchStore(folder: string, bytesMax: number): AsyncGenerator<number> {
  return prefetchLmdb(folder, bytesMax)
}

/** Opens for reading without a catalogue; likewise. */
export function openSeriesReader(options: ReadOptions): SeriesReader {
  return new LmdbReadStore({ ...options, withCatalogue: false })
}

/**
 * Looks whether the store's file is what was written, without opening it; one sentence a problem.
 * Throws `storage` where another process has it open for writing: nothing can be told of it then.
 */
export function scanStore(folder: string): string[] {
  refuseOtherWriter(folder)
  return scanLmdb(folder)
}

/** Makes a damaged store that nobody has open one that can be opened. */
export function repairStore(
  folder: string,
  nowMs: number,
  onStep?: OnProgress,
): Promise<RepairReport> {
  restrictToOwner(folder)
  return repairLmdb(folder, nowMs, onStep)
}

/** Copies a store, of a running server or a stopped one, into a new folder. */
export function backupStore(
  folder: string,
  backup: string,
  nowMs: () => number,
  onStep?: OnProgress,
): Promise<BackupReport> {
  restrictToOwner(folder)
  return backupLmdb(folder, backup, nowMs, onStep)
}

/** Puts a backup into a folder that has no store. */
export function restoreStore(backup: string, folder: string, onStep?: OnProgress): BackupReport {
  const report = restoreLmdb(backup, folder, onStep)
  // A copy of a file has the rights of the file.
  for (const place of [backup, folder]) restrictToOwner(place)
  return report
}

/**
 * False where the last writer left the store in order, or there is none yet; and where another
 * process has it open, by which opening it is refused.
 */
export function needsScan(folder: string): boolean {
  if (!existsSync(join(folder, dataFile)) || otherWriterOf(folder) !== null) return false
  return !wasClosedCleanly(folder)
}

/**
 * Recomputes every rollup from what it is a function of and compares the bytes (spec/samples §2).
 */
export function verifyStore(folder: string, onStep?: OnProgress): Promise<VerifyReport> {
  return verifyLmdb(folder, onStep)
}

export { restrictToOwner as closeToOthers, type StoreOptions }
